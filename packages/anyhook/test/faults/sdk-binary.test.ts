/**
 * An SDK bundles its own program in another version than the one that user hooks were installed for. Hooks passed to
 * our SDK run in whichever program it starts, or the run does not begin.
 */

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { blockBashPatternHook, query } from '../../src/agents/claude-agent-sdk/api/index.ts';
import { result } from './results.ts';

const FAKE_CLI = join(import.meta.dirname, '../../src/agents/claude-agent-sdk/api/fixtures/fake-cli.mjs');
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The bundled program, which plays `part`, and another program of the same name on the PATH that must not start. */
async function asked(part: string, hooks: 'with a guard' | 'without') {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-sdk-'));
  made.push(folder);
  const bundled = join(folder, 'node_modules/an-agent-sdk/vendor/claude.mjs');
  mkdirSync(dirname(bundled), { recursive: true });
  copyFileSync(FAKE_CLI, bundled);
  const onPath = join(folder, 'bin/claude');
  mkdirSync(dirname(onPath));
  writeFileSync(onPath, `#!/bin/sh\ntouch '${folder}/other'\n`);
  chmodSync(onPath, 0o755);
  const log = join(folder, 'log');
  const said: string[] = [];
  try {
    for await (const message of query('do it', {
      pathToClaudeCodeExecutable: bundled,
      cwd: folder,
      requestTimeoutMs: 2_000,
      env: { PATH: `${dirname(onPath)}:${process.env['PATH']}`, FAKE_CLI: part, FAKE_LOG: log },
      ...(hooks === 'with a guard' && {
        hooks: { PreToolUse: { matcher: 'Bash', hooks: [blockBashPatternHook(['touch'])] } },
      }),
    }))
      said.push(String((message as { result?: unknown }).result ?? message.type));
  } catch (error) {
    said.push((error as Error).name);
  }
  const heard = readFileSync(log, 'utf8');
  return { said, hasBegun: heard.includes('do it'), isOther: existsIn(folder, 'other') };
}
const existsIn = (folder: string, name: string): boolean => {
  try {
    return readFileSync(join(folder, name)).length >= 0;
  } catch {
    return false;
  }
};

test('the bundled program of an SDK runs the hooks that were passed, whatever is on the PATH', async () => {
  const came = await asked('tool', 'with a guard');
  expect([came.said.at(-1), came.isOther]).toEqual(['blocked', false]);
});

test('control: without the guard the same tool runs', async () => {
  const came = await asked('tool', 'without');
  expect([came.said.at(-1), came.isOther]).not.toEqual(['blocked', false]);
});

test.each(['refuses', 'mute', 'old'])(
  'a program without hook support (%s) is rejected by name before the run begins',
  async (part) => {
    expect(await asked(part, 'with a guard')).toEqual({
      said: ['HooksUnsupportedError'],
      hasBegun: false,
      isOther: false,
    });
  },
);

test('every kind of program was tried', () => {
  result(
    'G2',
    'a program inside of an SDK, of another version than the one on the PATH: 4 ways',
    'asked, or nothing is begun: 0 passed in silence',
  );
});
