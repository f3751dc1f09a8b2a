/** Modules that would stop or block a host, both of other agents and of our own, run through `createHooks`. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadHooks } from '../agents/oh-my-pi/api/load.ts';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';
import { FIRES, sacrificed } from './fixtures/sacrificed.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-hostile-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

const HOSTILE = {
  'blocks the event loop': 'for (;;);',
  'calls process.exit': 'process.exit(0);',
  'leaks memory': 'const kept = []; for (;;) kept.push(new Array(1e6).fill(0.5));',
  'floods its output':
    "for (let i = 0; i < 400; i++) process.stdout.write('x'.repeat(65536)); return new Promise(() => {});",
  'throws where nobody can catch it':
    "setTimeout(() => { throw new Error('later'); }, 0); return new Promise(() => {});",
  'never answers': 'return new Promise(() => {});',
} as const;
type Fault = keyof typeof HOSTILE;
/** One module with all faults. The command selects the fault. */
const BODY = Object.entries(HOSTILE)
  .map(([fault, code]) => `if (command === ${JSON.stringify(fault)}) { ${code} }`)
  .join('\n');

const KINDS = {
  'oh-my-pi': {
    place: '.omp/hooks/pre/hostile.mjs',
    text: `export default (pi) => { pi.on('tool_call', ({ input: { command } }) => { ${BODY} }); };`,
  },
  OpenCode: {
    place: '.config/opencode/plugin/hostile.js',
    text: `export const Hostile = async () => ({
      'tool.execute.before': async (input, { args: { command } }) => { ${BODY} } });`,
  },
  'our own': {
    place: '.config/anyhook/hooks/hostile.mjs',
    text: `import { defineHook } from 'anyhook'; export default defineHook({ on: 'tool.before',
      run({ payload: { input: { command } } }) { ${BODY} } });`,
  },
} as const;
type Kind = keyof typeof KINDS;

function homeWith(place: string, text: string): { home: string; cwd: string; file: string } {
  const base = join(root, String(++count));
  const file = join(base, 'home', place);
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(base, 'project'));
  writeFileSync(file, text);
  return { home: join(base, 'home'), cwd: join(base, 'project'), file };
}
const shell = (command: string) =>
  ({ name: 'tool.before', payload: { tool: 'shell', input: { command } }, ids: { session: 's' } }) as const;
const LONG_MS = 120_000;
const GIVEN = {
  host: { name: 'test', can: EVERYTHING },
  modules: { isolate: 'all' },
  journal: false,
  trust: { selfProtection: false },
} as const;

describe('a module of another agent or of our own, in its own process', () => {
  const hosts = new Map<Kind, Hooks>();
  beforeAll(async () => {
    const opened = (Object.keys(KINDS) as Kind[]).map(async (kind) => {
      const { place, text } = KINDS[kind];
      const { home, cwd } = homeWith(place, text);
      const hooks = await createHooks({ ...GIVEN, home, cwd, limits: { budgetMs: 800 } });
      hosts.set(kind, hooks);
      expect([kind, hooks.problems]).toEqual([kind, []]);
    });
    await Promise.all(opened);
  }, LONG_MS);
  afterAll(async () => {
    for (const hooks of hosts.values()) await hooks.close();
  });

  test.each(Object.keys(HOSTILE) as Fault[])(
    'an isolated module that %s is refused by name, and host and module keep running',
    async (fault) => {
      const outcomes = [...hosts].map(async ([kind, hooks]) => {
        const refused = await hooks.fire(shell(fault));
        const next = await hooks.fire(shell('ls'));
        const broken = refused.reasons.map((reason) => reason.broken);
        return [kind, refused.verdict, broken, next.verdict, next.reasons];
      });
      expect(await Promise.all(outcomes)).toEqual(
        [...hosts.keys()].map((kind) => [kind, 'deny', [true], 'none', []]),
      );
    },
    LONG_MS,
  );
});

/** Starts a host of an oh-my-pi module with this fault, with or without isolation. */
const host = (fault: Fault, isolate: 'all' | 'none', argv: readonly string[] = []) => {
  const { place, text } = KINDS['oh-my-pi'];
  return sacrificed({ ...homeWith(place, text), isolate, command: fault, argv });
};

describe('control: without isolation', () => {
  test.each([
    ['blocks the event loop', []],
    ['calls process.exit', []],
    ['throws where nobody can catch it', []],
    ['leaks memory', ['--max-old-space-size=96']],
  ] as const)(
    'a module that %s stops the host if it is not isolated',
    async (fault, argv) => {
      const [here, apart] = await Promise.all([host(fault, 'none', argv), host(fault, 'all', argv)]);
      expect([here.isAlive, apart.isAlive]).toEqual([false, true]);
    },
    LONG_MS,
  );

  test(
    "a module that floods its output floods the host's output if it is not isolated",
    async () => {
      const [here, apart] = await Promise.all([
        host('floods its output', 'none'),
        host('floods its output', 'all'),
      ]);
      expect([here.printed > 1_000_000, apart.isAlive, apart.printed < 1_000]).toEqual([true, true, true]);
    },
    LONG_MS,
  );

  test('a module that never answers blocks a host without isolation and deadline forever', async () => {
    const { place, text } = KINDS['oh-my-pi'];
    const { file, cwd } = homeWith(place, text);
    const [hook] = (await loadHooks([file], cwd)).hooks;
    const handler = hook!.handlers.get('tool_call')![0] as unknown as (event: object) => Promise<unknown>;
    const late = new Promise((resolve) => setTimeout(resolve, 500, 'still waiting'));
    expect(await Promise.race([handler({ input: { command: 'never answers' } }), late])).toBe(
      'still waiting',
    );
  });
});

describe.concurrent('a module that never finishes loading', () => {
  test.each([
    ['hangs', 'await new Promise(() => setInterval(() => {}, 1000)); export default () => {};'],
    ['spins', 'for (;;);'],
    ['spins in its factory', 'export default () => { for (;;); };'],
    ['exits', 'process.exit(0);'],
  ])(
    'a module that never loads because it %s is a problem, and the calls it may have guarded are refused',
    async (_how, text) => {
      const { home, cwd, file } = homeWith(KINDS['oh-my-pi'].place, text);
      const hooks = await createHooks({ ...GIVEN, home, cwd, modules: { isolate: 'all', loadMs: 500 } });
      expect(hooks.problems.map((problem) => [problem.file, problem.severity])).toEqual([[file, 'error']]);
      expect((await hooks.fire(shell('ls'))).verdict).toBe('deny');
      await hooks.close();
    },
    LONG_MS,
  );
});

describe.runIf(process.platform === 'linux')('the process of a module', () => {
  const started = (command: string, budgetMs: number) => {
    const { place, text } = KINDS['oh-my-pi'];
    const { home, cwd } = homeWith(place, text);
    return spawn(process.execPath, [FIRES, home, cwd, 'all', command, String(budgetMs), 'leave'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  };
  const childrenOf = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

  test(
    'the process of a module does not keep a host alive that forgets to close it',
    async () => {
      const host = started('ls', 10_000);
      const code = await new Promise((resolve) => {
        const timer = setTimeout(() => host.kill('SIGKILL'), 30_000);
        host.once('exit', (exit) => (clearTimeout(timer), resolve(exit)));
      });
      expect(code).toBe(0);
    },
    LONG_MS,
  );

  test(
    'the process of a module ends with a host that is killed with SIGKILL, even while it is busy',
    async () => {
      const host = started('blocks the event loop', 300_000);
      await new Promise((fired) =>
        host.stdout.on('data', (said: Buffer) => /firing/.test(String(said)) && fired(said)),
      );
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const everyone = childrenOf(host.pid!);
      expect(everyone.length).toBeGreaterThan(0);
      host.kill('SIGKILL');
      await vi.waitFor(() => expect(everyone.filter(isAlive)).toEqual([]), { timeout: 20_000 });
    },
    LONG_MS,
  );
});

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
