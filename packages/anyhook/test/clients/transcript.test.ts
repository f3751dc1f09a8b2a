/**
 * Records the messages between the real CLI and us. `npm test` replays the recording in the tree. RECORD_TRANSCRIPT=1
 * updates it.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  blockBashPatternHook,
  type HookJSONOutput,
  query,
} from '../../src/agents/claude-agent-sdk/api/index.ts';
import { claude } from './packages.ts';
import { stage } from './stage.ts';

const KEPT = fileURLToPath(
  new URL('../../src/agents/claude-agent-sdk/api/fixtures/transcript.jsonl', import.meta.url),
);
const TEE = fileURLToPath(new URL('./tee-cli.mjs', import.meta.url));

interface Recorded {
  readonly from: 'sdk' | 'cli';
  readonly frame: { readonly type: string; readonly request?: Record<string, unknown> };
}
const nothing = (): HookJSONOutput => ({});

test('a session with two calls, one of them denied, matches the recorded frames of the real CLI', async () => {
  const on = await stage([
    { tool: 'Bash', input: { command: 'touch ran.txt', description: 'leaves a mark' } },
    { tool: 'Bash', input: { command: 'rm -rf everything', description: 'takes it away' } },
  ]);
  const file = join(on.project, '..', 'transcript.jsonl');
  const options = {
    pathToClaudeCodeExecutable: TEE,
    args: ['--dangerously-skip-permissions'],
    cwd: on.project,
    env: { ...on.env, TEE_CLI: await claude(), TEE_FILE: file },
    hooks: {
      PreToolUse: { matcher: 'Bash', hooks: [blockBashPatternHook(['rm -rf'])] },
      PostToolUse: nothing,
      UserPromptSubmit: nothing,
      Stop: nothing,
    },
  };
  for await (const _ of query('Please do the task.', options));
  const recorded = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
  const asked = recorded.filter(({ frame }) => frame.request?.['subtype'] === 'hook_callback');
  expect(
    asked.map(({ frame }) => (frame.request!['input'] as { hook_event_name: string }).hook_event_name),
  ).toEqual(['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreToolUse', 'Stop']);
  if (process.env['RECORD_TRANSCRIPT'] !== undefined)
    writeFileSync(KEPT, kept(recorded, join(on.project, '..')));
});

/** Keeps control frames in full, and only the kind of other messages. Removes paths of this machine. */
function kept(recorded: readonly Recorded[], root: string): string {
  const lines = recorded.map(({ from, frame }) => {
    const isControl = frame.type.startsWith('control_');
    const isAnswer = from === 'cli' && frame.type === 'control_response'; // The reply to initialize is long and specific to the machine.
    return JSON.stringify({
      from,
      frame: isAnswer ? shortened(frame) : isControl ? frame : { type: frame.type },
    });
  });
  const slug = root.replaceAll(/[^A-Za-z0-9]/g, '-');
  return `${lines.join('\n').replaceAll(root, '/stage').replaceAll(slug, '-stage')}\n`;
}

function shortened(frame: Recorded['frame']): unknown {
  const { response, ...rest } = frame as unknown as { response: { response: Record<string, unknown> } };
  const { hooks_applied, hook_on_failure_supported, claude_code_version } = response.response;
  return {
    ...rest,
    response: { ...response, response: { hooks_applied, hook_on_failure_supported, claude_code_version } },
  };
}
