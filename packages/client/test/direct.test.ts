/** What the client does by itself: arguments, settings, failure modes, deadline, and events that run without a daemon. */

import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, failed } from './frames.ts';
import { forBothClients } from './suite.ts';
import { EMULATED, type Ending, pause, type World } from './world.ts';

const MIB = 1024 * 1024;
/** A process that has ended and that its parent has not looked after yet is no running one. */
function isRunning(pid = 0): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // no such process
  }
}
const REFUSE = ['codex', '--on-failure', 'refuse'];
const outcome = ({ code, stdout, stderr }: Ending): unknown => ({ code, stdout, stderr });

/** What each failure mode prints. */
const DOCTOR = 'Run: anyhook doctor';
const MODES: readonly (readonly [string, (reason: string, start?: string, next?: string) => unknown])[] = [
  [
    'refuse',
    (reason, _start, next = DOCTOR) => ({
      code: 2,
      stdout: '',
      stderr: `anyhook refused this call because ${reason}. ${next}\n`,
    }),
  ],
  [
    'refuse-json',
    (reason, _start, next = DOCTOR) => {
      const text = `anyhook refused this call because ${reason}. ${next}`;
      const refusal = {
        decision: 'deny',
        reason: text,
        permissionDecision: 'deny',
        permissionDecisionReason: text,
      };
      return { code: 0, stdout: `${JSON.stringify(refusal)}\n`, stderr: '' };
    },
  ],
  [
    'pass',
    (reason, start, next = DOCTOR) => ({
      code: 1,
      stdout: '',
      stderr: `anyhook: ${start} because ${reason}. ${next}\n`,
    }),
  ],
  [
    'pass-quiet',
    (reason, start, next = DOCTOR) => ({
      code: 0,
      stdout: '',
      stderr: `anyhook: ${start} because ${reason}. ${next}\n`,
    }),
  ],
];
const NOT_CALLED = 'no hook was called';
const NO_ANSWER = 'the answer of the hooks is missing';

forBothClients(({ world: newWorld, kind }) => {
  /** A world without a daemon. */
  const directWorld = (): World => {
    const world = newWorld();
    world.configure({ socket: undefined });
    return world;
  };

  test('a direct run gets all arguments, stdin, the working directory and the environment', async () => {
    const world = directWorld();
    world.behave({ stdout: 'out', stderr: 'err', code: 2 });
    const args = ['codex', '--strict', '--deadline-ms', '20000', 'a b', ''];
    const ending = await world.run({ args, stdin: 'pay\0load', cwd: world.root, env: { OWN: 'value' } });
    expect(outcome(ending)).toEqual({ code: 2, stdout: 'out', stderr: 'err' });
    expect(world.calls('bridge')).toMatchObject([
      { args: ['bridge', ...args], stdin: 'pay\0load', cwd: world.root, env: { OWN: 'value' } },
    ]);
  });

  test('the client works below a package.json that makes all files ES modules', async () => {
    const world = directWorld();
    world.behave({ stdout: 'answer' });
    writeFileSync(join(world.root, 'package.json'), '{ "type": "module" }');
    expect(outcome(await world.run({ stdin: 'event' }))).toEqual({ code: 0, stdout: 'answer', stderr: '' });
    expect(world.calls('bridge')[0]?.stdin).toBe('event');
  });

  test('a direct run gets 64 MiB of stdin and may print 64 MiB', async () => {
    const world = directWorld();
    world.behave({ bytes: 64 * MIB });
    const { code, bytes } = await world.run({ stdin: 'a'.repeat(64 * MIB) });
    expect({ code, length: bytes.length, read: world.calls('bridge')[0]?.stdin?.length }).toEqual({
      code: 0,
      length: 64 * MIB,
      read: 64 * MIB,
    });
  });

  test.each([
    ['an event', 64 * MIB + 1, 0, 'the event is larger than 64 MiB'],
    ['an output', 0, 64 * MIB + 1, 'anyhook printed more than 64 MiB'],
  ])('%s of more than 64 MiB is a failure of a direct run', async (_, given, bytes, reason) => {
    const world = directWorld();
    world.behave({ bytes });
    const ending = await world.run({ args: REFUSE, stdin: Buffer.alloc(given) });
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toContain(`because ${reason}.`);
  });

  test('variables that make other code run are moved aside, and those of a caller are not believed', async () => {
    const world = directWorld();
    const planted = join(world.root, 'planted.cjs');
    writeFileSync(planted, `process.stdout.write('planted'); process.exit(0);`);
    const env = {
      NODE_OPTIONS: `--require ${planted}`,
      NODE_PATH: '/n',
      LD_LIBRARY_PATH: '/l',
      DYLD_INSERT_LIBRARIES: '',
      ANYHOOK_CALLER_LD_PRELOAD: '/evil.so',
      ANYHOOK_CALLER_OTHER: 'x',
    };
    expect(outcome(await world.run({ env }))).toEqual({ code: 0, stdout: '', stderr: '' });
    const seen = world.calls('bridge')[0]?.env ?? {};
    expect(
      Object.fromEntries(
        Object.entries(seen).filter(([name]) => /NODE_(OPTIONS|PATH)|^LD_|DYLD_|CALLER/.test(name)),
      ),
    ).toEqual({
      ANYHOOK_CALLER_NODE_OPTIONS: `--require ${planted}`,
      ANYHOOK_CALLER_NODE_PATH: '/n',
      ANYHOOK_CALLER_LD_LIBRARY_PATH: '/l',
      ANYHOOK_CALLER_DYLD_INSERT_LIBRARIES: '',
    });
  });

  test('the daemon gets the environment under its own names', async () => {
    const world = newWorld();
    const conversations = await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(answer(0));
    });
    const env = {
      NODE_OPTIONS: '--no-warnings --title="a b"',
      NODE_PATH: `/n'"$x\nline`,
      LD_LIBRARY_PATH: '',
    };
    await world.run({ env });
    expect(conversations[0]?.request?.env).toMatchObject(env);
    expect(
      Object.keys(conversations[0]?.request?.env ?? {}).filter((name) => name.startsWith('ANYHOOK_CALLER')),
    ).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux' || kind === 'node' || EMULATED)(
    'LD_PRELOAD does not load code into the client',
    async ({ skip }) => {
      const world = directWorld();
      const library = join(world.root, 'planted.so');
      const source = join(world.root, 'planted.c');
      writeFileSync(
        source,
        `#include <unistd.h>\n__attribute__((constructor)) static void run(void) { write(1, "planted", 7); }\n`,
      );
      if (spawnSync('cc', ['-shared', '-fPIC', '-o', library, source]).status !== 0)
        return skip('no C compiler');
      expect(outcome(await world.run({ env: { LD_PRELOAD: library } }))).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
      expect(world.calls('bridge')[0]?.env).toMatchObject({ ANYHOOK_CALLER_LD_PRELOAD: library });
    },
  );

  for (const [mode, expected] of MODES) {
    const args = ['codex', '--on-failure', mode];
    test(`a daemon that fails is reported as --on-failure ${mode} asks for`, async () => {
      const world = newWorld();
      await world.daemon(async (conversation) => {
        await conversation.accept();
        conversation.send(failed('"quoted" \\ text, “ünïcode”'));
      });
      expect(outcome(await world.run({ args }))).toEqual(expected('"quoted" \\ text, “ünïcode”', NO_ANSWER));
    });

    test(`a missing program is reported as --on-failure ${mode} asks for`, async () => {
      const world = directWorld();
      world.configure({ socket: undefined, program: '/missing/anyhook.cjs' });
      const ending = await world.run({
        args,
        env: { PATH: dirname(process.execPath) === '/usr/bin' ? '/nowhere' : '/usr/bin:/bin' },
      });
      const reason = '/missing/anyhook.cjs is missing and there is no anyhook on the PATH';
      expect(outcome(ending)).toEqual(expected(reason, NOT_CALLED, 'Run: npm install -g anyhook'));
    });

    test(`a managed client looks for nothing on the PATH and reports that as --on-failure ${mode} asks for`, async () => {
      const world = directWorld();
      world.configure({ socket: undefined, node: '/missing/node', managed: 'yes' });
      const ending = await world.run({ args });
      expect(outcome(ending)).toEqual(
        expected('/missing/node is missing', NOT_CALLED, 'Ask your administrator'),
      );
    });

    test(`a program that crashes is reported as --on-failure ${mode} asks for`, async () => {
      const world = directWorld();
      world.behave({ code: 1, stdout: 'half an ans', stderr: 'Error: crash\n' });
      const wanted = expected('anyhook ended with exit code 1', NO_ANSWER) as Ending;
      expect(outcome(await world.run({ args }))).toEqual({
        ...wanted,
        stderr: `Error: crash\n${wanted.stderr}`,
      });
    });
  }

  test('without --on-failure an event that cannot be judged passes with a notice', async () => {
    const world = directWorld();
    world.behave({ code: 3 });
    expect(await world.run()).toMatchObject({ code: 1, stdout: '' });
  });

  test('a program that is killed is a failure', async () => {
    const world = directWorld();
    world.behave({ signal: 'SIGKILL' });
    const ending = await world.run({ args: REFUSE });
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toContain('because anyhook was ended by signal 9.');
  });

  test.each([
    ['an unknown failure mode', ['codex', '--on-failure', 'allow'], 2, '--on-failure does not know "allow"'],
    ['a failure mode without a value', ['codex', '--on-failure'], 2, '--on-failure does not know ""'],
    [
      'a deadline that is no number',
      ['codex', '--deadline-ms', '10s'],
      1,
      '--deadline-ms is "10s" and not a number of milliseconds',
    ],
    [
      'a negative deadline',
      [...REFUSE, '--deadline-ms', '-5'],
      2,
      '--deadline-ms is "-5" and not a number of milliseconds',
    ],
  ])('%s is a failure, and no hook is called', async (_, args, code, reason) => {
    const world = directWorld();
    const ending = await world.run({ args });
    expect(ending).toMatchObject({ code, stdout: '' });
    expect(ending.stderr).toContain(`because ${reason}. Run: anyhook doctor`);
    expect(world.calls('bridge')).toEqual([]);
  });

  test('if the node of the settings is missing, the one on the PATH is used', async () => {
    const world = directWorld();
    world.configure({ socket: undefined, node: '/missing/node' });
    world.behave({ stdout: 'direct' });
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    expect(await world.run({ env: { PATH: path } })).toMatchObject({ code: 0, stdout: 'direct' });
  });

  test('without any node the client names the file that is missing', async () => {
    const world = directWorld();
    world.configure({ socket: undefined, node: '/missing/node' });
    const ending = await world.run({ args: REFUSE, env: { PATH: '/nowhere' } });
    expect(outcome(ending)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'anyhook refused this call because /missing/node is missing and there is no node on the PATH. Run: anyhook doctor\n',
    });
  });

  test('a relative folder of the PATH is never searched', async () => {
    const world = directWorld();
    world.configure({ socket: undefined, node: '/missing/node', program: '/missing/program' });
    for (const name of ['node', 'anyhook'])
      writeFileSync(join(world.root, name), '#!/bin/sh\necho planted\n', { mode: 0o755 });
    const ending = await world.run({ args: REFUSE, cwd: world.root, env: { PATH: `.::${'./'}` } });
    expect(ending).toMatchObject({ code: 2, stdout: '' });
  });

  test('without a settings file the client uses node and anyhook of the PATH', async () => {
    const world = directWorld();
    rmSync(join(world.root, 'bin/anyhook-client.conf'));
    world.behave({ stdout: 'direct' });
    mkdirSync(join(world.root, 'path'));
    symlinkSync(process.execPath, join(world.root, 'path/node'));
    symlinkSync(world.program, join(world.root, 'path/anyhook'));
    chmodSync(world.program, 0o755);
    const env = { PATH: `${join(world.root, 'path')}:/usr/bin:/bin` };
    expect(await world.run({ env })).toMatchObject({ code: 0, stdout: 'direct' });
  });

  test('the client finds its settings beside itself when it is started by a name on the PATH', async () => {
    const world = directWorld();
    world.behave({ stdout: 'direct' });
    const env = { ...process.env, PATH: `${dirname(world.command)}:${process.env['PATH']}` };
    expect(spawnSync('sh', ['-c', 'anyhook-client codex'], { env, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'direct',
    });
  });

  test('the client reads settings with spaces, unknown keys and CRLF line ends', async () => {
    const world = directWorld();
    world.behave({ stdout: 'direct' });
    const folder = join(world.root, 'a folder = name');
    mkdirSync(folder);
    for (const file of ['program.cjs', 'behaviour.json']) cpSync(join(world.root, file), join(folder, file));
    writeFileSync(
      join(world.root, 'bin/anyhook-client.conf'),
      `# a comment\r\nunknown=1\r\nnode=${process.execPath}\r\nprogram=${folder}/program.cjs\r\n`,
    );
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct' });
  });

  test('the deadline ends a direct run and the program with it', async () => {
    const world = directWorld();
    world.behave({ waitMs: 30_000 });
    const ending = await world.run({ args: [...REFUSE, '--deadline-ms', '1500'] });
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toContain('because anyhook did not end before the deadline.');
    expect(ending.ms).toBeGreaterThan(1_400);
    expect(ending.ms).toBeLessThan(8_000);
    await pause(100);
    const [program] = world.calls('bridge');
    expect(isRunning(program?.pid)).toBe(false);
  });

  test('the deadline counts from the start of the client while a daemon works', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => void (await conversation.accept()));
    const ending = await world.run({ args: [...REFUSE, '--deadline-ms', '1000'] });
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toContain('because there was no answer within 1000 ms.');
    expect(ending.ms).toBeLessThan(6_000);
    expect(world.calls('bridge')).toEqual([]);
  });

  test.each(['with a daemon', 'without a daemon'])(
    'a stdin that never ends is stopped by the deadline %s',
    async (how) => {
      const world = how === 'with a daemon' ? newWorld() : directWorld();
      if (how === 'with a daemon')
        await world.daemon(async (conversation) => void (await conversation.accept()));
      const ending = await world.run({ args: [...REFUSE, '--deadline-ms', '1000'], stdin: null });
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      expect(ending.ms).toBeLessThan(6_000);
    },
  );

  test('a reader of stdout that stops reading is stopped by the deadline', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(answer(0, Buffer.alloc(4 * MIB)));
    });
    const client = spawn(world.command, [...REFUSE, '--deadline-ms', '1500'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    client.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const code = await new Promise((resolve) => client.once('exit', resolve));
    expect(code).toBe(2);
    client.stdout.resume();
    await new Promise((resolve) => client.once('close', resolve));
    expect(stderr).toContain('because the answer could not be written to standard output.');
  });

  test('a reader that is slow gets the whole answer', async () => {
    const world = newWorld();
    const payload = Buffer.alloc(3 * MIB, 'x');
    await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(answer(0, payload));
    });
    const ending = await world.run({
      started: ({ stdout }) => {
        const reading = setInterval(() => {
          stdout?.resume();
          setTimeout(() => stdout?.pause(), 2);
        }, 10);
        stdout?.on('close', () => clearInterval(reading));
      },
    });
    expect(ending.code).toBe(0);
    expect(ending.bytes.length).toBe(payload.length);
  });

  test.each([
    ['refuse', 2],
    ['refuse-json', 2],
    ['pass', 1],
    ['pass-quiet', 0],
  ])(
    'an agent that closes stdout before the answer gets the exit code of a failure: %s',
    async (mode, code) => {
      const world = newWorld();
      await world.daemon(async (conversation) => {
        await conversation.accept();
        await pause(100);
        conversation.send(answer(0, 'refusal as JSON'));
      });
      const ending = await world.run({
        args: ['codex', '--on-failure', mode],
        started: ({ stdout }) => void stdout?.destroy(),
      });
      expect(ending).toMatchObject({ code, signal: null });
      expect(ending.stderr).toContain('the answer could not be written to standard output');
    },
  );

  test('an agent that closes stdout and stderr gets the exit code of an answer without output', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      await pause(100);
      conversation.send(answer(2, '', 'reason'));
    });
    const ending = await world.run({
      args: REFUSE,
      started: ({ stdout, stderr }) => {
        stdout?.destroy();
        stderr?.destroy();
      },
    });
    expect(ending).toMatchObject({ code: 2, signal: null });
  });

  test.skipIf(process.platform !== 'linux')(
    'an answer that a full disk does not take is a failure',
    async () => {
      const world = newWorld();
      await world.daemon(async (conversation) => {
        await conversation.accept();
        conversation.send(answer(0, 'refusal as JSON'));
      });
      const ending = await world.run({ args: REFUSE, stdio: ['pipe', openSync('/dev/full', 'w'), 'pipe'] });
      expect(ending.code).toBe(2);
      expect(ending.stderr).toContain('the answer could not be written to standard output');
    },
  );

  test('a client that starts without stdin, stdout and stderr does not write into its socket', async () => {
    const world = newWorld();
    const conversations = await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(answer(2, 'out', 'err'));
    });
    const code = await new Promise((resolve) =>
      spawn('sh', ['-c', '"$0" codex <&- >&- 2>&-', world.command]).once('exit', resolve),
    );
    expect(code).toBe(2);
    expect(conversations.map(({ problems }) => problems)).toEqual([[]]);
  });

  test('a program that does not read its stdin still answers', async () => {
    const world = directWorld();
    world.behave({ skipsInput: true, stdout: 'direct' });
    expect(await world.run({ stdin: Buffer.alloc(MIB) })).toMatchObject({
      code: 0,
      stdout: 'direct',
      stderr: '',
    });
  });

  test('a background process that keeps the pipes of a direct run open is not waited for', async () => {
    const world = directWorld();
    world.behave({ background: true, stdout: 'direct' });
    const ending = await world.run();
    expect(ending).toMatchObject({ code: 0, stdout: 'direct' });
    expect(ending.ms).toBeLessThan(15_000);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends a direct run and its program',
    async (signal) => {
      const world = directWorld();
      world.behave({ waitMs: 30_000 });
      const running = world.run({
        started: async (child) => {
          while (world.calls('bridge').length === 0) await pause(20);
          child.kill(signal);
        },
      });
      expect((await running).signal).toBe(signal);
      await pause(100);
      expect(isRunning(world.calls('bridge')[0]?.pid)).toBe(false);
    },
  );

  test('a working directory that no longer exists is a failure', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(answer(0));
    });
    const gone = join(world.root, 'gone');
    mkdirSync(gone);
    const script = 'cd "$1" && rmdir "$1" && exec "$0" codex --on-failure refuse </dev/null';
    const client = spawn('sh', ['-c', script, world.command, gone]);
    let stderr = '';
    client.stderr.on('data', (chunk) => (stderr += String(chunk)));
    expect(await new Promise((resolve) => client.once('close', resolve))).toBe(2);
    expect(stderr).toContain('the working directory cannot be read');
  });

  test.skipIf(kind === 'native')(
    'without any Node.js the file itself answers as --on-failure asks for',
    async () => {
      const world = directWorld();
      const text = readFileSync(world.command, 'utf8').replaceAll(`'${process.execPath}'`, `'/missing/node'`);
      writeFileSync(world.command, text);
      for (const [mode, expected] of MODES) {
        const ending = await world.run({ args: ['codex', '--on-failure', mode], env: { PATH: '/nowhere' } });
        expect(outcome(ending)).toEqual(expected('Node.js is missing', NOT_CALLED));
      }
    },
  );
});
