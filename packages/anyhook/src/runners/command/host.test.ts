import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCommandRunner } from './index.ts';
import { processes } from './processes.mjs';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let folder: string;
let tag: string;
const hosts: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-'));
  tag = randomBytes(8).toString('hex');
});
afterEach(() => {
  for (const child of hosts.splice(0)) child.kill('SIGKILL');
  for (const pid of tagged()) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Plan {
  readonly options?: object;
  readonly runs: readonly object[];
  readonly end?: 'wait' | 'exit' | 'stay';
  readonly exitAfterMs?: number;
}
function host(plan: Plan, program = 'host.mjs', limit = ''): ChildProcess {
  const args = ['-c', `${limit} exec "$0" "$@"`, process.execPath, fixture(program), JSON.stringify(plan)];
  const child = spawn('/bin/sh', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  hosts.push(child);
  return child;
}
async function ended(child: ChildProcess) {
  const said = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => (said.out += chunk));
  child.stderr?.on('data', (chunk) => (said.err += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...said };
}
/** All processes with this test's tag. */
function tagged(): number[] {
  return processes().flatMap(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TAG=${tag}`) ? pid : [];
    } catch {
      return [];
    }
  });
}
async function until(holds: () => boolean, withinMs = 15_000): Promise<void> {
  for (const due = Date.now() + withinMs; Date.now() < due && !holds();) await pause(20);
  expect(holds()).toBe(true);
}

/**
 * Ways to stay behind. Each creates a file when it runs; `sleep` runs in the process that is hard to reach.
 */
const STYLES = {
  'plain child': 'touch there; sleep 300; :',
  'background child': 'sleep 300 & touch there; wait',
  'session of its own': 'setsid sleep 300 & touch there; wait',
  'session of its own, parent gone': 'setsid -f sleep 300; touch there; sleep 300',
  nohup: 'nohup sleep 300 >/dev/null 2>&1 & touch there; wait',
  'double fork': '( ( sleep 300 & ) & ); touch there; sleep 300',
  'deaf to TERM': `trap '' TERM HUP INT; touch there; while :; do sleep 1; done`,
  'hook itself over': 'setsid -f sleep 300 >/dev/null 2>&1; touch there',
};
const hostile = () =>
  Object.values(STYLES).map((line, index) => ({
    line: line.replace('touch there', `echo "$ARGS" > there-${index}`),
    set: { TAG: tag },
    files: { ARGS: 'secret' },
  }));
const allThere = () => readdirSync(folder).length === hostile().length;
const privateFiles = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim());

describe('a host that is killed', () => {
  test('a killed host leaves no process and no file behind', async () => {
    const child = host({ runs: hostile(), end: 'stay' });
    await until(allThere);
    expect(tagged().length).toBeGreaterThan(8);
    expect(privateFiles().filter((path) => existsSync(path)).length).toBeGreaterThan(6);
    child.kill('SIGKILL');
    await until(() => tagged().length === 0, 5_000);
    await until(() => privateFiles().every((path) => !existsSync(path)), 5_000);
  });

  test('a killed host ends background runs too', async () => {
    const how = { background: true };
    const child = host({
      runs: [{ line: 'touch there; sleep 300', set: { TAG: tag }, how }],
      end: 'stay',
    });
    await until(() => existsSync(join(folder, 'there')));
    child.kill('SIGKILL');
    await until(() => tagged().length === 0, 5_000);
  });
});

test('a killed helper leaves no host waiting forever', async () => {
  const child = host({ runs: [{ line: 'echo $PPID > helper; sleep 300', set: { TAG: tag } }], end: 'wait' });
  const end = ended(child);
  const helper = join(folder, 'helper');
  await until(() => existsSync(helper) && readFileSync(helper, 'utf8').endsWith('\n'));
  process.kill(Number(readFileSync(helper, 'utf8')), 'SIGKILL');
  const { code, out, err } = await end;
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual([
    { kind: 'broken', why: { kind: 'killed', detail: 'the helper process died (SIGKILL)' } },
  ]);
});

test('control: without the runner the processes remain', async () => {
  const child = host({ runs: hostile().map(({ line, set }) => ({ line, set })) }, 'bare-host.mjs');
  await until(allThere);
  child.kill('SIGKILL');
  await pause(1_000);
  expect(tagged().length).toBeGreaterThan(8);
});

describe('a host that ends in good order', () => {
  const repository = () => {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    git('init', '-q');
    git('config', 'user.email', 'a@b.c');
    git('config', 'user.name', 'a');
    return {
      log: () => execFileSync('git', ['log', '--format=%s', '--all'], { cwd: folder, encoding: 'utf8' }),
    };
  };
  const commit = {
    line: 'echo x > file; sleep 0.3; git add -A && git commit -qm done',
    how: { background: true },
  };

  test('process.exit right after a background run lets it make a commit', async () => {
    const { log } = repository();
    expect(await ended(host({ runs: [commit], end: 'exit' }))).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(log()).toBe('');
    await until(() => log() === 'done\n');
  });
  test('a host that ends normally lets a background run make a commit without waiting for it', async () => {
    const { log } = repository();
    expect(await ended(host({ runs: [commit] }))).toEqual({ code: 0, out: '', err: '' });
    expect(log()).toBe('');
    await until(() => log() === 'done\n');
  });
  test('background runs that waited for a free slot still run', async () => {
    const runs = [1, 2, 3].map((n) => ({ line: `sleep 0.2; touch ${n}`, how: commit.how }));
    await ended(host({ options: { atOnce: 1 }, runs, end: 'exit' }));
    await until(() => readdirSync(folder).length === 3);
  });
  test('passes on more than its pipe can hold at once', async () => {
    const runs = ['a', 'b'].map((name) => ({
      line: `wc -c > ${name}`,
      stdinBytes: 3_000_000,
      how: commit.how,
    }));
    expect(await ended(host({ runs, end: 'exit' }, 'host.mjs'))).toMatchObject({
      code: 0,
      err: '',
    });
    const counted = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim());
    await until(() => counted().join() === '3000000,3000000');
  });
  test('background runs keep their own timeout', async () => {
    const runs = [{ line: 'touch there; sleep 300', set: { TAG: tag }, timeoutMs: 700, how: commit.how }];
    await ended(host({ options: { graceMs: 100 }, runs, end: 'exit' }));
    await until(() => existsSync(join(folder, 'there')));
    expect(tagged().length).toBeGreaterThan(0);
    await until(() => tagged().length === 0);
  });
  test('a host that ends kills all other runs', async () => {
    const others = [1, 2].map((index) => ({
      line: `touch there-${index}; setsid sleep 300 & sleep 300`,
      set: { TAG: tag },
    }));
    const child = ended(host({ runs: others, exitAfterMs: 1_500 }));
    await until(() => readdirSync(folder).length === 2);
    expect(tagged().length).toBeGreaterThan(3);
    expect(await child).toEqual({ code: 0, out: '', err: '' });
    await until(() => tagged().length === 0, 5_000);
  });
  test('leaves processes alone that a finished hook left on purpose', async () => {
    const runs = [{ line: 'setsid -f sleep 300 >/dev/null 2>&1 </dev/null', set: { TAG: tag } }];
    expect(await ended(host({ runs, end: 'wait' }))).toMatchObject({ code: 0, err: '' });
    await pause(500);
    expect(tagged()).toHaveLength(1);
  });
});

describe('a host that never closes the runner', () => {
  test('a host is kept alive only by runs that it waits for', async () => {
    const child = host({ runs: [{ line: 'sleep 0.5; echo said' }], end: 'wait' });
    const { code, out, err } = await ended(child);
    expect({ code, replies: JSON.parse(out), err }).toEqual({
      code: 0,
      replies: [{ kind: 'exited', code: 0, stdout: 'said\n', stderr: '' }],
      err: '',
    });
  });
  test('hundreds of hooks run with few file handles', async () => {
    const runs = Array.from({ length: 200 }, (_, index) => ({
      line: `cat; exit ${index % 100}`,
      stdin: `${index}`,
    }));
    const { code, out, err } = await ended(host({ runs, end: 'wait' }, 'host.mjs', 'ulimit -n 256;'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual(
      runs.map((_, index) => ({ kind: 'exited', code: index % 100, stdout: `${index}`, stderr: '' })),
    );
  });
  test('hooks run even with too few file handles, after others have been released', async () => {
    const runs = Array.from({ length: 60 }, () => ({ line: 'sleep 0.05; echo x' }));
    const child = host({ runs, end: 'wait' }, 'host.mjs', 'ulimit -n 64;');
    const { code, out } = await ended(child);
    expect(code).toBe(0);
    expect(JSON.parse(out).filter((reply: { kind: string }) => reply.kind === 'exited')).toHaveLength(60);
  });
});

test('ending a run ends the hooks of a host inside of it', async () => {
  const runner = openCommandRunner({ graceMs: 100 });
  const inner = {
    runs: [{ line: 'setsid -f sleep 300; touch there; sleep 300', set: { TAG: tag } }],
    end: 'stay',
  };
  const control = new AbortController();
  const reply = runner.run(
    {
      kind: 'command',
      run: { argv: [process.execPath, fixture('host.mjs'), JSON.stringify(inner)] },
      env: 'inherit',
    },
    { kind: 'command', cwd: folder },
    { timeoutMs: 60_000, signal: control.signal },
  );
  await until(() => existsSync(join(folder, 'there')) && tagged().length >= 3);
  control.abort();
  expect(await reply).toMatchObject({ why: { kind: 'aborted' } });
  expect(tagged()).toEqual([]);
  await runner.close();
});
