/** Modules that leave errors and timers behind, through `anyhook fire`: the answer still arrives. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'anyhook-fire-stray-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

const PI = '.omp/hooks/pre/stray.mjs';
const OPENCODE = '.config/opencode/plugin/stray.js';
const OURS = '.config/anyhook/hooks/stray.mjs';
const GUARD = '.config/anyhook/hooks/guard.mjs';
const DENIES = `import { defineHook, deny } from 'anyhook';
  export default defineHook({ on: 'tool.before', run: () => deny('not today') });`;

function fired(files: Readonly<Record<string, string>>) {
  const home = join(root, String(++count));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const project = join(home, 'project');
  mkdirSync(project);
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'fire', '--as', 'claude-code'], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: home },
    input: JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: project,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    }),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
const pi = (body: string) => `export default (pi) => { pi.on('tool_call', () => { ${body} }); };`;
const opencode = (body: string) =>
  `export const P = async () => ({ 'tool.execute.before': async () => { ${body} } });`;
const ours = (body: string) => `import { defineHook } from 'anyhook';
  export default defineHook({ name: 'forgetful', on: 'tool.before', run() { ${body} } });`;
const STRAYS = {
  'forgets a rejected fetch': "fetch('http://127.0.0.1:9/x');",
  'rejects at once': "Promise.reject(new Error('lost'));",
  'throws in a timer': "setTimeout(() => { throw new Error('late'); }, 0);",
  'emits an error nobody listens to':
    "import('node:events').then(({ EventEmitter }) => new EventEmitter().emit('error', new Error('emitted')));",
  'ends its process soon': 'setTimeout(() => process.exit(1), 0);',
} as const;

describe.each([
  ['oh-my-pi', PI, pi],
  ['OpenCode', OPENCODE, opencode],
] as const)('a module of %s', { timeout: 120_000 }, (_, path, module) => {
  test.each(Object.entries(STRAYS))(
    'that %s: the answer arrives, and the deny of another guard stands',
    (_name, body) => {
      const passed = fired({ [path]: module(body) }); // Output of stray code may be shown to the user but decides nothing.
      expect([passed.status, /permissionDecision|continue/.test(passed.stdout)]).toEqual([0, false]);
      const refused = fired({ [path]: module(body), [GUARD]: DENIES });
      expect([refused.status, refused.stderr.includes('not today')]).toEqual([2, true]);
    },
  );
});

describe('a module of ours, which runs in the process of fire', { timeout: 120_000 }, () => {
  test.each([
    ['at once', 'process.exit(0);'],
    ['soon', 'setTimeout(() => process.exit(0), 0); return new Promise(() => {});'],
  ])('a module that exits the process %s causes a reported refusal', (_, body) => {
    const { status, stderr } = fired({ [OURS]: ours(body) });
    expect([status, stderr.includes('a hook ended the program before the event was answered')]).toEqual([
      2,
      true,
    ]);
  });

  test('a module that replaces console and fetch does not block the answer', () => {
    const body =
      "console.log = console.error = () => { throw new Error('mine'); }; globalThis.fetch = () => { throw new Error('mine'); };";
    expect(fired({ [OURS]: ours(body) })).toEqual({ status: 0, stdout: '', stderr: '' });
    const refused = fired({ [OURS]: ours(body), [GUARD]: DENIES });
    expect([refused.status, refused.stderr.includes('not today')]).toEqual([2, true]);
  });

  test.each(Object.entries(STRAYS).filter(([name]) => name !== 'ends its process soon'))(
    'that %s is named, and the answer arrives',
    (_name, body) => {
      const said = fired({ [OURS]: ours(`${body} return new Promise((done) => setTimeout(done, 200));`) });
      expect([said.status, said.stdout.includes('stray.mjs') || said.stderr.includes('stray.mjs')]).toEqual([
        0,
        true,
      ]);
      const refused = fired({ [OURS]: ours(body), [GUARD]: DENIES });
      expect([refused.status, refused.stderr.includes('not today')]).toEqual([2, true]);
    },
  );
});

test('a module that throws while loading is reported and refuses by the rule of its dialect', () => {
  const { status, stderr } = fired({
    [PI]: "setTimeout(() => { throw new Error('later'); }); throw new Error('at load');",
  });
  expect([status, stderr.includes('at load')]).toEqual([2, true]);
}, 60_000);
