import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrokenReply, CommandRequest, ExitReply, Reply } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';
import { type CommandHow, type CommandRunner, openCommandRunner } from './index.ts';
import { lives, processes } from './processes.mjs';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'command-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const silent = { stdout: '', stderr: '' };
const alive = (pid: number) => processes().some((seen) => seen.pid === pid && lives(seen));

describe('a command runner', () => {
  let runner: CommandRunner;
  beforeAll(() => {
    runner = openCommandRunner({ graceMs: 300 });
  });
  afterAll(() => runner.close());

  type Asked = Partial<Omit<WayOf<'command'>, 'run'>> & {
    request?: Partial<CommandRequest>;
    timeoutMs?: number;
    signal?: AbortSignal;
    how?: CommandHow;
    by?: CommandRunner;
  };
  const run = (what: string | [string, ...string[]] | { line: string; shell: string }, asked: Asked = {}) => {
    const { request, timeoutMs = 20_000, signal = never, how, by = runner, ...way } = asked;
    const form = typeof what === 'string' ? { line: what } : Array.isArray(what) ? { argv: what } : what;
    return by.run(
      { kind: 'command', run: form, env: 'inherit', ...way },
      { kind: 'command', cwd: folder, ...request },
      { timeoutMs, signal },
      how,
    );
  };
  const printed = async (reply: Promise<Reply>) => ((await reply) as ExitReply).stdout;
  const brokenly = async (reply: Promise<Reply>) => (await reply) as BrokenReply;

  describe('what is run', () => {
    test('a line is run by sh, with exit code, stdout and stderr', async () => {
      expect(await run(`echo "a  b" | tr a-z A-Z; echo oh >&2; exit 3`)).toEqual({
        kind: 'exited',
        code: 3,
        stdout: 'A  B\n',
        stderr: 'oh\n',
      });
    });
    test('a line is run by the chosen shell', async () => {
      expect(await printed(run({ line: 'echo ${BASH_VERSION:+bash} {1..3}', shell: 'bash' }))).toBe(
        'bash 1 2 3\n',
      );
      // `sh` here has no brace expansion, so the test can tell them apart.
      expect(await printed(run('echo {1..3}'))).toBe('{1..3}\n');
    });
    test('a program gets its arguments unchanged', async () => {
      expect(await printed(run(['printf', '%s|', '$HOME', 'a b', '"', '']))).toBe('$HOME|a b|"||');
    });
    test('stdin arrives completely, whatever it contains', async () => {
      const stdin = 'é€😀\0\r\n'.repeat(200_000);
      expect(await printed(run('wc -c', { request: { stdin } }))).toMatch(
        new RegExp(`^\\s*${Buffer.byteLength(stdin)}\\n$`),
      );
    });
    test('a hook that echoes more than a pipe can hold neither hangs nor loses a byte', async () => {
      const stdin = 'x'.repeat(900_000);
      expect(await run('cat', { request: { stdin } })).toEqual({
        kind: 'exited',
        code: 0,
        stdout: stdin,
        stderr: '',
      });
    });
    test('without input, stdin is at its end and not a terminal', async () => {
      expect(await run('cat')).toEqual({ kind: 'exited', code: 0, ...silent });
    });
    test('a hook that does not read its stdin still replies', async () => {
      expect(await run('exec 0<&-; echo done', { request: { stdin: 'x'.repeat(5_000_000) } })).toEqual({
        kind: 'exited',
        code: 0,
        stdout: 'done\n',
        stderr: '',
      });
    });
    test('a hook has its three pipes, no terminal, and no other file handle', async () => {
      // Handles that this process itself inherited are passed on; anything else would be a leak.
      const bare = spawnSync('/bin/sh', ['-c', 'ls /proc/$$/fd'], { encoding: 'utf8' }).stdout.split('\n');
      const seen = (await printed(run('ls /proc/$$/fd'))).split('\n');
      expect(seen.filter((handle) => !bare.includes(handle))).toEqual([]);
      expect(await printed(run('(: </dev/tty) 2>/dev/null || echo none'))).toBe('none\n');
    });
  });

  describe('where it runs', () => {
    test('runs in the folder of the request, or in its own', async () => {
      mkdirSync(join(folder, 'own'), { recursive: true });
      expect(await printed(run('pwd'))).toBe(`${folder}\n`);
      expect(await printed(run('pwd', { cwd: join(folder, 'own') }))).toBe(`${folder}/own\n`);
    });
    test('runs in the nearest parent if its folder is missing, and reports it', async () => {
      expect(await run(['pwd'], { cwd: join(folder, 'gone', 'deeper') })).toEqual({
        kind: 'exited',
        code: 0,
        stdout: `${folder}\n`,
        stderr: '',
        notes: { cwd: folder },
      });
    });
    test('a missing program in a missing folder is reported as a missing program', async () => {
      expect(await run(['no-such-program'], { cwd: join(folder, 'gone') })).toEqual({
        kind: 'broken',
        why: { kind: 'not-started', detail: expect.stringMatching(/^ENOENT: 'no-such-program'/) },
        notes: { cwd: folder },
      });
    });
  });

  describe('its input and environment', () => {
    test("the request's variables override the hook's, and every run has its mark", async () => {
      const [a, b, mark] = (
        await printed(
          run('echo "$A,$B,$ANYHOOK_RUN"', { set: { A: '1', B: '1' }, request: { env: { B: '2' } } }),
        )
      ).split(',');
      expect([a, b]).toEqual(['1', '2']);
      expect(mark).toMatch(/[0-9a-f]{16}-\d+\/\n$/);
    });
    test('an allow list withholds a secret of the session', async () => {
      const by = openCommandRunner({ env: { ...process.env, SECRET: 'x' } });
      expect(await printed(run('echo "<$SECRET>"', { by }))).toBe('<x>\n');
      expect(await printed(run('echo "<$SECRET>"', { by, env: ['PATH'] }))).toBe('<>\n');
      await by.close();
    });
    test('a variable with a NUL byte is omitted and reported, and the hook runs', async () => {
      expect(await run('echo "<$BAD><$GOOD>"', { request: { env: { BAD: 'a\0b', GOOD: 'g' } } })).toEqual({
        kind: 'exited',
        code: 0,
        stdout: '<><g>\n',
        stderr: '',
        notes: { unset: ['BAD'] },
      });
    });
    test('a file is private, contains its content, and is deleted after the run', async () => {
      const content = '{"big":"é"}';
      const reply = run('echo "$ARGS"; cat "$ARGS"; stat -c "%a" "$ARGS" "$(dirname "$ARGS")"', {
        request: { files: { ARGS: content } },
      });
      const [path = '', ...rest] = (await printed(reply)).split('\n');
      expect(rest).toEqual([`${content}600`, '700', '']);
      expect(path).toContain('ARGS');
      expect(existsSync(path)).toBe(false);
    });
    describe('lines for a shell, in a file of its own', () => {
      const writing = (lines: string, after = '') =>
        run(`cat >> "$LINES" <<'END'\n${lines}\nEND\n${after}`, {
          set: { KNOWN: 'k' },
          request: { files: { LINES: '' }, exports: 'LINES' },
        });
      test('shell lines are read by a shell, and the reply lists the variables that they set', async () => {
        const lines = 'export A="one two $KNOWN"\nB=plain\ndeclare -x C="3"\nexport KNOWN=k\necho noise >&2';
        expect(await writing(lines, 'exit 3')).toEqual({
          kind: 'exited',
          code: 3,
          stdout: '',
          stderr: '',
          exported: { A: 'one two k', B: 'plain', C: '3' },
        });
      });
      test("shell lines are read without the user's .bashrc, which bash reads if it has no parent shell", async () => {
        writeFileSync(join(folder, '.bashrc'), 'export OF_BASHRC=1\n');
        const reply = run('echo A=1 > "$LINES"', {
          env: ['PATH'], // no SHLVL
          set: { HOME: folder },
          request: { files: { LINES: '' }, exports: 'LINES' },
        });
        expect(await reply).toEqual({ kind: 'exited', code: 0, ...silent, exported: { A: '1' } });
      });
      test('shell lines that are missing or end the shell set nothing, which is reported', async () => {
        expect(await writing('export A=1\nexit 4')).toMatchObject({
          kind: 'exited',
          code: 0,
          notes: { unexported: 'the shell that read them exited with 4' },
        });
        expect(await run('rm "$LINES"', { request: { files: { LINES: '' }, exports: 'LINES' } })).toEqual({
          kind: 'exited',
          code: 0,
          stdout: '',
          stderr: '',
        });
      });
      test('shell lines have no more time than the program', async () => {
        const reply = await run('echo "sleep 60" > "$LINES"', {
          timeoutMs: 1_000,
          request: { files: { LINES: '' }, exports: 'LINES' },
        });
        expect(reply).toMatchObject({
          kind: 'exited',
          notes: { unexported: expect.stringMatching(/^timed-out/) },
        });
      });
    });
    test('a file is deleted after a timeout too', async () => {
      const { stdout } = await brokenly(
        run('echo "$ARGS"; exec sleep 60', { timeoutMs: 300, request: { files: { ARGS: 'x' } } }),
      );
      expect(stdout).toMatch(/^\/.+\n$/);
      expect(existsSync(stdout!.trim())).toBe(false);
    });
  });

  describe('what it prints', () => {
    test('output is limited and counted, and the hook continues', async () => {
      const by = openCommandRunner({ caps: { stdout: 10, stderr: 3 } });
      expect(await run('printf 123456789é123; printf abcd >&2; exit 4', { by })).toEqual({
        kind: 'exited',
        code: 4,
        stdout: '123456789',
        stderr: 'abc',
        notes: { truncated: { stdout: 5, stderr: 1 } },
      });
      await by.close();
    });
    test('endless output ends the hook', async () => {
      const reply = await brokenly(run('yes'));
      expect(reply.why).toEqual({
        kind: 'unreadable',
        detail: 'printed more than 16 times the output limit',
      });
      expect(reply.stdout?.length).toBe(1_048_576);
      expect(reply.notes?.truncated?.stdout).toBeGreaterThan(15 * 1_048_576);
    });
    test('invalid UTF-8 in the output is reported', async () => {
      expect(await run(`printf 'a\\377b'`)).toEqual({
        kind: 'exited',
        code: 0,
        stdout: 'a\ufffdb',
        stderr: '',
        notes: { replaced: true },
      });
    });
    test('output before a timeout is kept', async () => {
      expect(await run('echo out; echo err >&2; exec sleep 60', { timeoutMs: 500 })).toEqual({
        kind: 'broken',
        why: { kind: 'timed-out', detail: 'after 500 ms' },
        stdout: 'out\n',
        stderr: 'err\n',
      });
    });
  });

  describe('how it ends', () => {
    test('a hook killed by a signal is broken, not silent consent', async () => {
      expect(await run('echo half; kill -SEGV $$')).toEqual({
        kind: 'broken',
        why: { kind: 'killed', detail: 'SIGSEGV' },
        stdout: 'half\n',
        stderr: '',
      });
    });
    test.each([
      ['a missing program', ['no-such-program'], /^ENOENT: 'no-such-program' could not be started/],
      ['a NUL byte in an argument', ['echo', 'a\0b'], /^ERR_INVALID_ARG_VALUE: 'echo'/],
      ['too large an argument', ['echo', 'x'.repeat(3_000_000)], /^E2BIG: 'echo'/],
      ['a folder instead of a program', ['/'], /^EACCES: '\/'/],
    ] as const)('%s is a hook that did not start', async (_, argv, detail) => {
      expect(await run([...argv] as [string, ...string[]])).toEqual({
        kind: 'broken',
        why: { kind: 'not-started', detail: expect.stringMatching(detail) },
      });
    });
    test('a script without permission, and one with a missing interpreter, did not start', async () => {
      writeFileSync(join(folder, 'plain.sh'), '#!/bin/sh\n', { mode: 0o644 });
      writeFileSync(join(folder, 'lost.sh'), '#!/no/such/interpreter\n', { mode: 0o755 });
      const why = async (name: string) => (await brokenly(run([join(folder, name)]))).why;
      expect((await why('plain.sh')).detail).toMatch(/^EACCES: .*plain\.sh/);
      expect((await why('lost.sh')).detail).toMatch(/^ENOENT: .*lost\.sh/);
    });
    test('a variable that is too large is a hook that did not start', async () => {
      const { why } = await brokenly(run('true', { request: { env: { BIG: 'x'.repeat(200_000) } } }));
      expect(why).toEqual({ kind: 'not-started', detail: expect.stringMatching(/^E2BIG: '\/bin\/sh'/) });
    });

    /** Runs it, expects a punctual timeout, and returns the process ids that it printed. */
    const timedOut = async (line: string, request: Partial<CommandRequest> = {}) => {
      const before = performance.now();
      const reply = await brokenly(run(line, { timeoutMs: 400, request }));
      expect(performance.now() - before).toBeLessThan(400 + 300 + 2_000);
      expect({ ...reply, stdout: '', stderr: '' }).toEqual({
        kind: 'broken',
        why: { kind: 'timed-out', detail: 'after 400 ms' },
        ...silent,
      });
      return reply.stdout!.split('\n').filter(Boolean).map(Number);
    };
    test.each([
      ['sleeps', 'echo $$; exec sleep 60'],
      ['has children', 'sleep 60 & echo $!; echo $$; wait'],
      ['ignores TERM', `trap '' TERM; echo $$; while :; do sleep 0.1; done`],
      ['is stopped', 'echo $$; kill -STOP $$'],
      [
        'has a child in a session of its own',
        'setsid sh -c "echo \\$\\$; exec sleep 60" & sleep 0.1; echo $$; wait',
      ],
      [
        'has lost sight of a child',
        'setsid -f sh -c "echo \\$\\$; exec sleep 60"; sleep 0.1; echo $$; sleep 60; :',
      ],
      ['has a child that cleared its environment', 'env -i setsid sleep 60 & echo $!; echo $$; wait'],
    ])('a hook that %s is killed with all its processes at the timeout', async (_, line) => {
      const ids = await timedOut(line);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids.filter(alive)).toEqual([]);
    });
    test('a hook that never reads ten megabytes is killed at the timeout', async () => {
      const ids = await timedOut('echo $$; exec sleep 60', { stdin: 'x'.repeat(10_000_000) });
      expect(ids.filter(alive)).toEqual([]);
    });
    test('a hook that handles TERM can print a last line and end early', async () => {
      const before = performance.now();
      const by = openCommandRunner({ graceMs: 20_000 });
      const reply = await run(`trap 'echo last; exit 0' TERM; while :; do sleep 0.05; done`, {
        by,
        timeoutMs: 400,
      });
      expect(reply).toMatchObject({ why: { kind: 'timed-out' }, stdout: 'last\n' });
      expect(performance.now() - before).toBeLessThan(10_000);
      await by.close();
    });
    test('control: killing only the program itself leaves its child', async () => {
      const child = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; wait'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const pid = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      expect(alive(pid)).toBe(true);
      process.kill(pid, 'SIGKILL');
    });

    test('an abort by the host ends a hook after a short grace period', async () => {
      const control = new AbortController();
      setTimeout(() => control.abort(), 300);
      const by = openCommandRunner({ graceMs: 20_000 });
      const before = performance.now();
      const reply = await brokenly(
        run(`trap '' TERM; echo $$; while :; do sleep 0.1; done`, { by, signal: control.signal }),
      );
      expect(performance.now() - before).toBeLessThan(300 + 200 + 2_000);
      const { notes = {}, ...said } = reply;
      expect(said).toEqual({
        kind: 'broken',
        why: { kind: 'aborted' },
        stdout: expect.any(String),
        stderr: '',
      });
      // Its last `sleep` may hold the output for a moment longer; nothing else may be reported.
      expect([{}, { held: true }]).toContainEqual(notes);
      expect(alive(Number(reply.stdout))).toBe(false);
      await by.close();
    });
    test('nothing is started after an abort', async () => {
      const file = join(folder, `started`);
      const reply = await run(`touch ${file}`, { signal: AbortSignal.abort() });
      expect(reply).toEqual({ kind: 'broken', why: { kind: 'aborted', detail: 'before it started' } });
      expect(existsSync(file)).toBe(false);
    });
    test('an abort after the reply changes nothing', async () => {
      const control = new AbortController();
      const reply = await run('echo said', { signal: control.signal });
      control.abort();
      expect(reply).toEqual({ kind: 'exited', code: 0, stdout: 'said\n', stderr: '' });
    });
    test.each([NaN, 0, -5])('a timeout of %d is the shortest possible, not none', async (timeoutMs) => {
      const { why } = await brokenly(run('exec sleep 60', { timeoutMs }));
      expect(why).toEqual({ kind: 'timed-out', detail: 'after 1 ms' });
    });
    test.each([Infinity, 2 ** 31])('a timeout of %d does not end at once', async (timeoutMs) => {
      expect(await run('sleep 0.1; echo there', { timeoutMs })).toMatchObject({ stdout: 'there\n' });
    });
  });

  describe('what it leaves behind', () => {
    test('a child that holds the pipes is not awaited, is killed, and is reported', async () => {
      const before = performance.now();
      const reply = (await run('sleep 60 & echo $!; exit 5')) as ExitReply;
      expect(performance.now() - before).toBeLessThan(10_000);
      expect(reply).toEqual({
        kind: 'exited',
        code: 5,
        stdout: expect.any(String),
        stderr: '',
        notes: { held: true },
      });
      await gone(Number(reply.stdout));
    });
    test('a child in its own session that holds the pipes is reported as a survivor', async () => {
      const reply = (await run('setsid sh -c "echo \\$\\$; exec sleep 60" & sleep 0.2')) as ExitReply;
      const pid = Number(reply.stdout);
      expect(reply.notes).toEqual({ held: true, survivors: [pid] });
      process.kill(pid, 'SIGKILL');
    });
    test('a child that has closed the pipes is left alone', async () => {
      const reply = (await run('sleep 60 >/dev/null 2>&1 & echo $!')) as ExitReply;
      expect(reply.notes).toBeUndefined();
      expect(alive(Number(reply.stdout))).toBe(true);
      process.kill(Number(reply.stdout), 'SIGKILL');
    });
    test('everything printed before the end is read, however fast the hook ends', async () => {
      const reply = (await run('head -c 900000 /dev/zero | tr "\\0" x; sleep 60 &')) as ExitReply;
      expect([reply.stdout.length, reply.notes]).toEqual([900_000, { held: true }]);
    });
  });

  describe('many', () => {
    test('further runs wait for a free slot before their deadline starts', async () => {
      const by = openCommandRunner({ atOnce: 1 });
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => run('sleep 0.3; echo ok', { by, timeoutMs: 900 })),
      );
      expect(replies.map((reply) => reply.kind)).toEqual(['exited', 'exited', 'exited', 'exited']);
      await by.close();
    });
    test('a waiting run can be aborted, and the others move up', async () => {
      const by = openCommandRunner({ atOnce: 1 });
      const control = new AbortController();
      const first = run('sleep 0.3', { by });
      const second = run('true', { by, signal: control.signal });
      const third = run('echo third', { by });
      control.abort();
      expect(await second).toEqual({ kind: 'broken', why: { kind: 'aborted', detail: 'before it started' } });
      expect(await Promise.all([first, third])).toMatchObject([{ code: 0 }, { stdout: 'third\n' }]);
      await by.close();
    });
    test('concurrent replies reach the right runs', async () => {
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          run(`cat; exit ${index}`, { request: { stdin: `${index}` } }),
        ),
      );
      expect(replies).toEqual(
        Array.from({ length: 60 }, (_, index) => ({
          kind: 'exited',
          code: index,
          stdout: `${index}`,
          stderr: '',
        })),
      );
    });
  });

  describe('close', () => {
    test('close ends running hooks with a reply and accepts no more', async () => {
      const by = openCommandRunner({ atOnce: 1 });
      const running = run('echo $$; exec sleep 60', { by });
      const waiting = run('true', { by });
      await new Promise((resolve) => setTimeout(resolve, 400));
      await by.close();
      const first = await brokenly(running);
      expect([first.why, (await brokenly(waiting)).why]).toEqual([
        { kind: 'aborted' },
        { kind: 'aborted', detail: 'before it started' },
      ]);
      expect(alive(Number(first.stdout))).toBe(false);
      expect(await run('true', { by })).toEqual({
        kind: 'broken',
        why: { kind: 'aborted', detail: 'the runner is closed' },
      });
    });
    test('close does not end background runs', async () => {
      const by = openCommandRunner();
      const file = join(folder, `outlived`);
      const reply = run(`sleep 0.5; echo x > ${file}; echo done`, {
        by,
        how: { background: true },
      });
      await by.close();
      expect(existsSync(file)).toBe(false);
      expect(await reply).toEqual({ kind: 'exited', code: 0, stdout: 'done\n', stderr: '' });
      expect(readFileSync(file, 'utf8')).toBe('x\n');
    });
    test.each([
      ['of one queue go on one after another', 'l', 'slow\nquick\n'],
      ['without a queue overtake each other', undefined, 'quick\nslow\n'],
    ])('runs %s', async (_, queue, told) => {
      const by = openCommandRunner();
      const file = join(folder, `queue-${queue}`);
      const how = { background: true, ...(queue !== undefined && { queue }) };
      const replies = [
        run(`sleep 0.5; echo slow >> ${file}`, { by, how }),
        run(`echo quick >> ${file}`, { by, how }),
      ];
      await by.close();
      await Promise.all(replies);
      expect(readFileSync(file, 'utf8')).toBe(told);
    });
  });
});

async function gone(pid: number): Promise<void> {
  for (let tries = 0; alive(pid) && tries < 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(alive(pid)).toBe(false);
}
