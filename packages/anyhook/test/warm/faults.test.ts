/** The engine is killed, stopped, lied to and in the way: each event is answered, and no hook is started twice. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { heardBy } from '../../src/hosts/warm/file-client.ts';
import { isRunning } from '../../src/hosts/warm/owner.ts';
import { enginePlaces, obstacleTo } from '../../src/hosts/warm/places.ts';
import { lacks } from '../programs.mjs';
import { CLI, type Way, WarmWorld } from './world.ts';

const world = new WarmWorld();
const counting = (name: string): string => `echo ${name} >> ${join(world.root, 'ran')}`;
const HOOKS = {
  hooks: {
    'tool.before': [
      { name: 'quick', match: 'shell(quick)', run: `${counting('quick')}; echo no >&2; exit 2` },
      { name: 'slow', match: 'shell(slow)', run: `${counting('slow')}; sleep 2; echo no >&2; exit 2` },
      {
        name: 'slow, open',
        match: 'shell(slow-open)',
        run: `${counting('slow-open')}; sleep 2; exit 2`,
        onFailure: 'allow',
      },
    ],
  },
};
const MODULE = `import { appendFileSync } from 'node:fs';
import { defineHook } from 'anyhook';
export default defineHook({
  on: 'tool.before',
  match: 'shell(exit) | shell(kill)',
  run({ payload }) {
    const { command } = payload.input;
    appendFileSync(${JSON.stringify(join(world.root, 'ran'))}, command + '\\n');
    if (command === 'exit') process.exit(0);
    if (command === 'kill') process.kill(process.pid, 'SIGKILL');
  },
});
`;
let quick = world.bash('quick');
const REFUSED = { code: 2, stdout: '', stderr: 'no [quick' };
const ran = (): string[] => world.lines('ran');
const reset = (): void => rmSync(join(world.root, 'ran'), { force: true });

beforeAll(() => {
  world.put('home/.config/anyhook/hooks.json', HOOKS);
  world.install('codex');
});
afterAll(() => world.close(), 30_000);
let tests = 0;
beforeEach(() => {
  world.session = `test-${++tests}`;
  quick = world.bash('quick');
  reset();
});

const isRefused = async (answer: Promise<{ code: number | null; stderr: string }>): Promise<boolean> => {
  const { code, stderr } = await answer;
  return code === 2 && stderr.startsWith(REFUSED.stderr);
};

test('ten agents at once start one engine, and each is answered', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => isRefused(world.line(quick))));
  await world.warmUp(quick);
  const { owner } = world;
  expect([answers.every(Boolean), owner !== undefined && isRunning(owner)]).toEqual([true, true]);
  const engines = await world.run(['pgrep', '-fc', `engine-program.cjs ${world.places.folder}`]);
  expect(engines.stdout.trim()).toBe('1');
}, 180_000);

test.skipIf(lacks('nc'))(
  'an answer that finds no room on the disk is asked for again, and comes',
  async () => {
    await world.warmUp(quick);
    reset();
    const before = await world.answered();
    const answer = world.line(quick, 'codex', undefined, `trap '' XFSZ; ulimit -f 0; `);
    expect([await isRefused(answer), ran(), (await world.answered()) - before]).toEqual([true, ['quick'], 1]);
  },
  180_000,
);

describe.each<Way>(['nc', 'node'])(
  'by way of %s, no hook is started twice, and its own policy decides',
  (way) => {
    beforeAll(() => world.install('codex', way));
    afterAll(() => world.install('codex'));
    /** Fires, and does this when the hook has begun. */
    async function whileItRuns(command: string, act: () => void) {
      await world.warmUp(quick);
      reset();
      const answer = world.line(world.bash(command));
      for (let i = 0; ran().length === 0 && i < 600; i++) await pause(50);
      const isTaken = readdirSync(world.places.spool).some((name) => name.endsWith('.taken'));
      act();
      return { answer: await answer, ran: ran(), isTaken };
    }

    test('when the engine is stopped meanwhile, and goes on later', async () => {
      const pid = (await world.warmUp(quick), world.owner!.pid);
      const { answer, ran: runs } = await whileItRuns('slow', () => void process.kill(pid, 'SIGSTOP'));
      process.kill(pid, 'SIGCONT');
      await pause(1000);
      expect([runs, answer.code, ran()]).toEqual([['slow'], 2, ['slow']]);
    }, 180_000);

    test('when it was stopped before, the event is answered without it, and only once', async () => {
      await world.warmUp(quick);
      const { pid } = world.owner!;
      process.kill(pid, 'SIGSTOP');
      reset();
      expect(await isRefused(world.line(quick))).toBe(true);
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // another has taken its place
      }
      await pause(1000);
      expect(ran()).toEqual(['quick']);
    }, 180_000);

    test.each(['exit', 'kill'])(
      'when a module of ours ends the process: %s',
      async (command) => {
        world.put('home/.config/anyhook/hooks/mine.ts', MODULE);
        await world.warmUp(quick);
        reset();
        const { code } = await world.line(world.bash(command));
        expect([ran(), code]).toEqual([[command], 2]);
        expect(await isRefused(world.line(quick))).toBe(true);
        rmSync(join(world.home, '.config/anyhook/hooks'), { recursive: true });
      },
      180_000,
    );
  },
);

describe('what comes over the socket', () => {
  const said = (bytes: string | Buffer, isCut = false): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect({ path: world.places.socket, allowHalfOpen: true });
      socket.on('error', () => resolve(text));
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      if (isCut) socket.write(bytes, () => resolve((socket.destroy(), 'cut')));
      else socket.end(bytes);
    });
  /** Laid down as a file, by a client that has no `nc`. */
  async function laidDown(make: (question: string) => unknown, answer = 'cold'): Promise<string> {
    make(join(world.places.asked, String(++lastQuestion)));
    const file = heardBy(world.places, lastQuestion);
    const heard = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    for (let i = 0; heard() !== answer && i < (answer === '' ? 10 : 200); i++) await pause(50);
    return heard();
  }
  let lastQuestion = 4_000_000_000;
  const written =
    (bytes: string | Buffer, mode = 0o600) =>
    (question: string) => {
      writeFileSync(`${question}.new`, bytes, { mode });
      chmodSync(`${question}.new`, mode);
      renameSync(`${question}.new`, question);
    };
  const head = (pid: number) => `anyhook 1 ${pid} ${process.ppid} fire --as codex --host codex\n${CLI}\n`;

  test('nor what is laid down as a question; what is no file of ours is not even read', async () => {
    await world.warmUp(quick);
    reset();
    const events = await world.answered();
    const secret = world.put('secret', head(process.pid));
    expect([
      await laidDown(written('')),
      await laidDown(written('GET / HTTP/1.1\r\n\r\n')),
      await laidDown(written(Buffer.from([0xff, 0xfe, 0, 1]))),
      await laidDown(written(`${head(process.pid)}${JSON.stringify(quick)}`)),
      await laidDown((question) => symlinkSync(secret, question), ''),
      await laidDown((question) => mkdirSync(question), ''),
      await laidDown((question) => execFileSync('mkfifo', [question]), ''),
      await laidDown(written('', 0o622), ''), // others may have written it
      await laidDown((question) => {
        writeFileSync(`${question}.new`, '');
        truncateSync(`${question}.new`, 65 * 1024 * 1024);
        renameSync(`${question}.new`, question);
      }, ''),
    ]).toEqual(['cold', 'cold', 'cold', 'cold', '', '', '', '', '']);
    expect([await world.answered(), ran()]).toEqual([events, []]);
    world.install('codex', 'node');
    const isAnswered = await isRefused(world.warm(quick)); // the control: a client's is answered
    world.install('codex');
    expect(isAnswered).toBe(true);
  }, 120_000);

  test('is nobody’s event unless it is a client’s, and harms no one', async () => {
    await world.warmUp(quick);
    reset();
    const events = await world.answered();
    expect([
      await said(''),
      await said('GET / HTTP/1.1\r\n\r\n'),
      await said(Buffer.from([0xff, 0xfe, 0, 1])),
      await said('anyhook 2 stop\n'),
      await said(`anyhook 1 1 1 fire --trust sha256:x\n${CLI}\n{}`),
      await said(`${head(process.pid)}${JSON.stringify(quick)}`), // not started with these words
      await said(`${head(2 ** 31)}${JSON.stringify(quick)}`),
      await said(`${head(process.pid)}{"hook_event_name`, true),
    ]).toEqual([...Array.from({ length: 7 }, () => 'cold'), 'cut']);
    expect([await world.answered(), ran()]).toEqual([events, []]);
    expect(await isRefused(world.warm(quick))).toBe(true); // the control: a client's is answered
  }, 120_000);
});

describe('somebody else in its place', () => {
  test('a file, a link and a socket that answers nothing: the cold way answers', async () => {
    await world.run([process.execPath, CLI, 'engine', 'stop']);
    const { socket } = world.places;
    mkdirSync(world.places.spool, { recursive: true });
    for (const plant of [() => writeFileSync(socket, ''), () => symlinkSync('/dev/null', socket)]) {
      rmSync(socket, { force: true });
      plant();
      reset();
      expect([await isRefused(world.line(quick)), ran()]).toEqual([true, ['quick']]);
    }
    rmSync(socket, { force: true });
    const silent = createServer({ allowHalfOpen: true }, (one) => one.on('error', () => {}).resume());
    await new Promise<void>((resolve) => silent.listen(socket, resolve));
    reset();
    expect([await isRefused(world.line(quick)), ran()]).toEqual([true, ['quick']]);
    silent.close();
  }, 120_000);

  test.skipIf(lacks('nc'))(
    'a folder that others may write to is not used, by either end',
    async () => {
      await world.warmUp(quick);
      chmodSync(world.places.folder, 0o777);
      const events = await world.answered();
      expect([obstacleTo(world.places), await isRefused(world.line(quick))]).toEqual([
        `${world.places.folder} is not yours alone`,
        true,
      ]);
      expect(await world.answered()).toBeLessThanOrEqual(events); // it has answered nothing more, and ends
      chmodSync(world.places.folder, 0o700);
      await world.warmUp(quick); // the control
    },
    180_000,
  );

  test('a path that is too long for a socket is said', () => {
    const long = enginePlaces(join(world.root, 'x'.repeat(100)));
    expect(obstacleTo(long)).toMatch(/longer than 92 bytes/);
  });

  test('a pid that is somebody else’s by now is no engine', async () => {
    await world.run([process.execPath, CLI, 'engine', 'stop']);
    writeFileSync(world.places.owner, JSON.stringify({ pid: process.pid, build: 'x', started: 'long ago' }), {
      mode: 0o600,
    });
    await world.warmUp(quick);
    expect(world.owner?.pid).not.toBe(process.pid);
    process.kill(process.pid, 0); // we are still here
  }, 180_000);
});

describe('two builds', () => {
  test('an engine of another build makes room, and its client is answered by its own', async () => {
    await world.warmUp(quick);
    const old = world.owner!;
    const copy = join(world.root, 'copy');
    for (const part of ['dist', 'package.json'])
      cpSync(join(dirname(CLI), '../..', part), join(copy, part), { recursive: true });
    symlinkSync(join(dirname(CLI), '../../node_modules'), join(copy, 'node_modules'));
    symlinkSync(join(dirname(CLI), '../../../../node_modules'), join(world.root, 'node_modules'));
    const install = await world.run([
      process.execPath,
      join(copy, 'dist/bin/anyhook.cjs'),
      'install',
      'codex',
      '--json',
    ]);
    expect([install.code, install.stderr]).toEqual([0, '']);
    const events = await world.answered();
    expect([await isRefused(world.line(quick)), await world.answered()]).toEqual([true, expect.any(Number)]);
    expect(await world.answered()).toBeLessThanOrEqual(events);
    await world.warmUp(quick);
    for (let i = 0; isRunning(old) && i < 300; i++) await pause(100); // it answers what it has taken, then ends
    expect([world.owner!.build.includes(copy), isRunning(old)]).toEqual([true, false]);
    world.install('codex');
    await world.warmUp(quick);
    expect(world.owner!.build.includes(copy)).toBe(false);
  }, 240_000);
});

describe('anyhook engine', () => {
  const engine = (...words: string[]) => world.run([process.execPath, CLI, 'engine', ...words]);

  test('says whether one runs, and stops it', async () => {
    await world.warmUp(quick);
    const { pid } = world.owner!;
    const status = await engine('status', '--json');
    expect([status.code, JSON.parse(status.stdout)]).toEqual([
      0,
      {
        running: true,
        pid,
        build: world.owner!.build,
        sessions: expect.any(Number),
        events: expect.any(Number),
        rssBytes: expect.any(Number),
        current: true,
        socket: world.places.socket,
        setting: 'on',
      },
    ]);
    expect(await engine('stop')).toEqual({
      code: 0,
      stdout: 'The engine has ended. The next event starts another.\n',
      stderr: '',
    });
    expect([
      (await engine('stop')).code,
      (await engine('status')).code,
      existsSync(world.places.socket),
    ]).toEqual([1, 1, false]);
    expect((await engine('restart')).code).toBe(2);
  }, 120_000);

  test('switched off in the settings, one that runs ends, and none is started', async () => {
    await world.warmUp(quick);
    world.put('home/.config/anyhook/hooks.json', { ...HOOKS, engine: 'off' });
    expect(await isRefused(world.line(quick))).toBe(true);
    for (let i = 0; existsSync(world.places.socket) && i < 100; i++) await pause(100);
    expect([await isRefused(world.line(quick)), await world.status()]).toEqual([true, undefined]);
    const { stdout } = await engine('status');
    expect(stdout).toBe('No engine runs: it is switched off ("engine": "off").\n');
    world.put('home/.config/anyhook/hooks.json', HOOKS);
  }, 120_000);

  test('without an nc our program asks it, with the same answer', async () => {
    world.install('codex', 'node');
    await world.warmUp(quick);
    const [warm, cold] = [await world.warm(quick), await world.cold(quick)];
    world.install('codex');
    expect(warm).toEqual(cold);
  }, 120_000);
});
