/** Tests the real Claude Agent SDK: our callbacks in it, and its callbacks in our host. */

import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  blockBashPatternHook,
  type HookCallback,
  type HookInput,
  HookService,
} from '../../src/agents/claude-agent-sdk/api/index.ts';
import { OurHost } from './our-host.ts';
import { sdkModule } from './packages.ts';
import { stage, type Stage } from './stage.ts';

/** The parts of the SDK that this test uses. The SDK is not in the lockfile, so its types are not available. */
type TheirCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { signal: AbortSignal },
) => unknown;
interface TheirSdk {
  readonly HOOK_EVENTS: readonly string[];
  query(asked: { prompt: string; options: object }): AsyncIterable<{ type: string; result?: string }>;
}
const sdk = async (): Promise<TheirSdk> => (await import(pathToFileURL(sdkModule()).href)) as TheirSdk;

async function ask(
  { project, env }: Stage,
  hooks: Record<string, unknown>,
  more: object = {},
): Promise<string | undefined> {
  const options = {
    cwd: project,
    env,
    hooks,
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    settingSources: [],
    ...more,
  };
  let result: string | undefined;
  for await (const message of (await sdk()).query({ prompt: 'Please do the task.', options }))
    if (message.type === 'result') result = message.result;
  return result;
}

/** Registers our callback in the options of the SDK. */
const inTheirs =
  (callback: HookCallback): TheirCallback =>
  (input, toolUseId, { signal }) =>
    callback(input, toolUseId ?? null, {
      signal,
      sessionId: input.session_id,
      transcriptPath: input.transcript_path,
      cwd: input.cwd,
      permissionMode: input.permission_mode ?? null,
    });

describe('the real SDK with its own CLI', () => {
  test('the real SDK calls our callbacks for every step through our service, and the tool runs', async () => {
    const on = await stage();
    const service = new HookService();
    const seen: string[] = [];
    const events = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'] as const;
    const note: HookCallback = ({ hook_event_name }) => (seen.push(hook_event_name), {});
    const ids = Object.entries(
      service.registerHooks(Object.fromEntries(events.map((event) => [event, note]))),
    );
    const hooks = Object.fromEntries(
      ids.map(([id, event]) => [
        event,
        [
          {
            hooks: [
              (input: HookInput, toolUseId: string | undefined, { signal }: { signal: AbortSignal }) =>
                service.executeCallback(id, { ...input }, toolUseId ?? null, { signal }),
            ],
          },
        ],
      ]),
    );
    expect(await ask(on, hooks)).toBe('done');
    expect(seen).toEqual(['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']);
    expect(on.has('ran.txt')).toBe(true);
  });

  test('a deny of our callback stops the tool in the real SDK', async () => {
    const on = await stage();
    await ask(on, { PreToolUse: [{ matcher: 'Bash', hooks: [inTheirs(blockBashPatternHook(['touch']))] }] });
    expect([on.has('ran.txt'), on.told().includes('Command contains forbidden pattern: touch')]).toEqual([
      false,
      true,
    ]);
  });

  test('the real SDK knows the same events as ours', async () => {
    const { HOOK_EVENTS } = await import('../../src/agents/claude-agent-sdk/api/index.ts');
    expect([...HOOK_EVENTS].toSorted()).toEqual([...(await sdk()).HOOK_EVENTS].toSorted());
  });
});

describe('the real SDK with a host of ours in place of the CLI', () => {
  const asked = async (hooks: Record<string, unknown>) => {
    const on = await stage();
    const hosts: OurHost[] = [];
    const spawnClaudeCodeProcess = () => {
      const host = new OurHost(on.project);
      hosts.push(host);
      return host;
    };
    const result = await ask(on, hooks, { spawnClaudeCodeProcess });
    return { result, ran: on.has('ran.txt'), outcome: hosts[0]!.outcomes[0]! };
  };

  test('callbacks of the SDK run for our events, and calls they allow run', async () => {
    const seen: unknown[] = [];
    const note: TheirCallback = (input, toolUseId) => (seen.push([input.hook_event_name, toolUseId]), {});
    const { result, ran } = await asked({
      PreToolUse: [{ matcher: 'Bash', hooks: [note] }],
      Stop: [{ hooks: [note] }],
    });
    expect([result, ran, seen]).toEqual([
      'none',
      true,
      [
        ['PreToolUse', 'toolu_1'],
        ['Stop', undefined],
      ],
    ]);
  });

  test('a deny of an SDK callback stops our tool', async () => {
    const deny: TheirCallback = () => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'their policy',
      },
    });
    const { result, ran, outcome } = await asked({ PreToolUse: [{ matcher: 'Bash', hooks: [deny] }] });
    expect([result, ran, outcome.reasons.map(({ text }) => text)]).toEqual(['deny', false, ['their policy']]);
  });

  test.each([
    [undefined, false],
    ['block', false],
    ['continue', true],
  ] as const)('its callback throws, onFailure %s: our tool runs: %s', async (onFailure, runs) => {
    const broken: TheirCallback = () => {
      throw new Error('broken guard');
    };
    const { ran } = await asked({ PreToolUse: [{ hooks: [broken], ...(onFailure && { onFailure }) }] });
    expect(ran).toBe(runs);
  });
});
