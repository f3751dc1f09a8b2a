/** Modules that would end or hold a host, of oh-my-pi and of our own, through `createHooks`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createHooks } from './create-hooks.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-hostile-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const FIRES = fileURLToPath(new URL('./fixtures/fires.mjs', import.meta.url));
let count = 0;

const HOSTILE = {
  'blocks the event loop': 'for (;;);',
  'calls process.exit': 'process.exit(0);',
  'leaks memory': 'const kept = []; for (;;) kept.push(new Array(1e6).fill(0.5));',
  'floods its output and exits':
    "for (let i = 0; i < 2000; i++) process.stdout.write('x'.repeat(65536)); process.exit(1);",
  'throws where nobody can catch it':
    "setTimeout(() => { throw new Error('later'); }, 0); return new Promise(() => {});",
  'never answers': 'return new Promise(() => {});',
} as const;
type Fault = keyof typeof HOSTILE;

const KINDS = {
  'oh-my-pi': {
    place: '.omp/hooks/pre/hostile.mjs',
    text: (body: string) => `export default (pi) => { pi.on('tool_call', () => { ${body} }); };`,
  },
  'our own': {
    place: '.config/anyhook/hooks/hostile.mjs',
    text: (body: string) =>
      `import { defineHook } from 'anyhook'; export default defineHook({ on: 'tool.before', run() { ${body} } });`,
  },
} as const;
type Kind = keyof typeof KINDS;

function homeWith(kind: Kind, body: string): { home: string; cwd: string } {
  const base = join(root, String(++count));
  const file = join(base, 'home', KINDS[kind].place);
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(base, 'project'));
  writeFileSync(file, KINDS[kind].text(body));
  return { home: join(base, 'home'), cwd: join(base, 'project') };
}
const shell = {
  name: 'tool.before',
  payload: { tool: 'shell', input: { command: 'ls' } },
  ids: { session: 's' },
} as const;

describe.each(Object.keys(KINDS) as Kind[])('a module of %s in its own process', (kind) => {
  test.each(Object.keys(HOSTILE) as Fault[])(
    'that %s is refused by name; the host goes on',
    async (fault) => {
      const hooks = await createHooks({
        host: { name: 'test', can: 'everything' },
        ...homeWith(kind, HOSTILE[fault]),
        isolate: 'all',
        journal: false,
        budgetMs: 2000,
      });
      const outcome = await hooks.fire(shell);
      await hooks.close();
      expect([outcome.verdict, outcome.reasons.map(({ broken }) => broken)]).toEqual(['deny', [true]]);
    },
  );
});

describe('control: in the process of the host', () => {
  const sacrificed = (fault: Fault, isolate: 'all' | 'none') => {
    const { home, cwd } = homeWith('oh-my-pi', HOSTILE[fault]);
    const { status, signal, stdout } = spawnSync(process.execPath, [FIRES, home, cwd, isolate], {
      timeout: isolate === 'none' ? 15_000 : 60_000, // one that is blocked never ends by itself
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    return { isAlive: stdout.includes('alive: deny'), ended: signal ?? status };
  };
  test.each(['blocks the event loop', 'calls process.exit', 'throws where nobody can catch it'] as const)(
    'a module that %s takes the host with it',
    (fault) => {
      expect(sacrificed(fault, 'none').isAlive).toBe(false);
      expect(sacrificed(fault, 'all')).toEqual({ isAlive: true, ended: 0 });
    },
    150_000,
  );
});

test('a module that hangs at load is a problem, and what it may have guarded is refused', async () => {
  const base = join(root, String(++count));
  const file = join(base, 'home', KINDS['oh-my-pi'].place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'await new Promise(() => setInterval(() => {}, 1000)); export default () => {};');
  const hooks = await createHooks({
    host: { name: 'test', can: 'everything' },
    home: join(base, 'home'),
    cwd: base,
    isolate: 'all',
    journal: false,
  });
  expect(
    hooks.problems.map((problem) => [problem.file, /did not finish loading/.test(problem.message)]),
  ).toEqual([[file, true]]);
  expect((await hooks.fire(shell)).verdict).toBe('deny');
  await hooks.close();
}, 60_000);
