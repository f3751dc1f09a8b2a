/** The process of a session hears the events of its agent by itself: the same rules as by way of the engine. */
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test as anyTest } from 'vitest';
import { enginePlaces } from '../../src/hosts/warm/places.ts';
import { directTo } from '../../src/hosts/warm/direct-line.ts';
import { HEARD_ENDING } from '../../src/hosts/warm/spool.ts';
import { closedLine, quoted } from '../../src/agents/shared/command-line.ts';
import { setupFor } from '../../src/hosts/install/setup.ts';
import { type Ended, WarmWorld } from './world.ts';
import { lacks } from '../programs.mjs';

/** The launcher asks the engine with OpenBSD's nc. */
const test = anyTest.skipIf(lacks('nc'));

const world = new WarmWorld();
const ran = join(world.root, 'ran');
/** Refuses, and says which process it is in. */
const MODULE = `import { appendFileSync } from 'node:fs';
import { defineHook } from 'anyhook';
export default defineHook({
  on: 'tool.before',
  match: 'shell',
  async run({ payload }) {
    const { command } = payload.input;
    appendFileSync(${JSON.stringify(ran)}, command + '\\n');
    if (command === 'block') for (const until = Date.now() + 2500; Date.now() < until;);
    if (command === 'wait') await new Promise((resolve) => setTimeout(resolve, 1500));
    if (command === 'kill') process.kill(process.pid, 'SIGKILL');
    return { kind: 'deny', reason: 'by ' + process.pid };
  },
});
`;
const line = directTo(world.places, process.pid);
const by = ({ code, stderr }: Ended): number => {
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^by \d+/)]);
  return Number(/^by (\d+)/.exec(stderr)![1]);
};
/** As Claude Code has it: what it starts is the client itself, and no shell around it. */
const client: typeof closedLine = (setup, deadlineMs) => closedLine(setup, deadlineMs, { shell: 'posix' });
const ask = (payload: object, on = world) => on.line(payload, 'claude-code', client);
const fire = async (command = 'ls', more: object = {}): Promise<number> =>
  by(await ask({ ...world.bash(command), ...more }));

/** Until its process listens; says which that is. */
async function connected(): Promise<number> {
  for (let i = 0; i < 200; i++) {
    await fire();
    if (existsSync(line)) {
      rmSync(ran, { force: true });
      return fire();
    }
    await pause(100);
  }
  throw new Error('no session has listened');
}

let tests = 0;
beforeAll(() => world.install('claude-code'));
afterAll(() => world.close(), 30_000);
beforeEach(() => {
  world.session = `test-${++tests}`;
  world.put('home/.config/anyhook/hooks/mine.ts', MODULE);
  rmSync(ran, { force: true });
});

test('an event goes to the process of its session, also while the engine cannot move', async () => {
  const session = await connected();
  const events = await world.answered();
  process.kill(world.owner!.pid, 'SIGSTOP');
  const answers = [await fire(), await fire()];
  process.kill(world.owner!.pid, 'SIGCONT');
  expect(answers).toEqual([session, session]);
  for (let i = 0; (await world.answered()) < events + 2 && i < 100; i++) await pause(50);
  const left = readdirSync(world.places.spool).filter((name) => !name.endsWith(HEARD_ENDING));
  expect([await world.answered(), left]).toEqual([events + 2, []]);
}, 120_000);

test('an event of another session, environment or folder is handed on, and never its own', async () => {
  const session = await connected();
  const elsewhere = world.put('project/sub/file', '');
  expect(await fire('ls', { session_id: 's2' })).not.toBe(session);
  world.env['LATER'] = 'yes';
  const inOtherEnvironment = await fire();
  delete world.env['LATER'];
  expect([inOtherEnvironment === session, await fire()]).toEqual([false, session]);
  const other = new WarmWorld();
  Object.assign(other.env, world.env);
  Object.assign(other, { home: world.home, project: join(elsewhere, '..') });
  expect(by(await ask(world.bash('ls'), other))).not.toBe(session);
  await other.close();
}, 120_000);

test('however many sessions came before it within a minute, the next one gets a process of its own', async () => {
  await connected();
  for (let i = 0; i < 13; i++) await fire('ls', { session_id: `one of many, ${i}` });
  const seen = new Set<number>();
  for (const until = Date.now() + 30_000; Date.now() < until;) {
    const pid = await fire('ls', { session_id: 'the last' });
    if (seen.has(pid)) return;
    seen.add(pid);
    await pause(100);
  }
  expect.unreachable(`each of ${seen.size} events was answered by another process`);
}, 120_000);

test('a guard that changes on disk refuses the next event of its session and runs in a new session', async () => {
  const session = await connected();
  appendFileSync(join(world.home, '.config/anyhook/hooks/mine.ts'), '// another text\n');
  const { code, stderr } = await ask(world.bash('ls'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('your guard mine changed')]);
  expect(await fire('ls', { session_id: 'begun after the change' })).not.toBe(session);
}, 120_000);

test('a hook that keeps its process from saying anything is waited for, and its answer is heard', async () => {
  const session = await connected();
  expect(await fire('block')).toBe(session);
  expect([await fire('wait'), world.lines('ran')]).toEqual([session, ['ls', 'block', 'wait']]);
}, 120_000);

test('a hook that ends its process has failed, is not started again, and the next event is answered', async () => {
  await connected();
  const { code, stderr } = await ask(world.bash('kill'));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('failed (killed: the engine that ran it ended before it had answered)'),
  ]);
  expect(world.lines('ran')).toEqual(['ls', 'kill']);
  await fire();
  expect(world.lines('ran')).toEqual(['ls', 'kill', 'ls']);
}, 120_000);

test('somebody else in its place is not believed: the cold way answers, once', async () => {
  await connected();
  const silent = createServer({ allowHalfOpen: true }, (one) => one.on('error', () => {}).resume());
  for (const plant of [
    () => rmSync(line, { force: true }),
    () => writeFileSync(line, ''),
    () => new Promise<void>((resolve) => silent.listen(line, resolve)),
  ]) {
    rmSync(line, { force: true });
    await plant();
    rmSync(ran, { force: true });
    await fire();
    expect(world.lines('ran')).toEqual(['ls']);
  }
  silent.close();
}, 120_000);

test('what sessions of a killed engine left behind is gone when the next one listens', async () => {
  await connected();
  process.kill(world.owner!.pid, 'SIGKILL');
  expect(existsSync(line)).toBe(true);
  await world.warmUp(world.bash('ls'), 'claude-code', client);
  const session = await connected();
  expect(await fire()).toBe(session);
}, 120_000);

test('the process of an agent that has ended goes soon after it', async () => {
  const setup = { ...setupFor('closed'), scope: 'user', home: world.home } as const;
  const about = { ...setup, agent: 'claude-code', dialect: 'claude-code', file: '~/hooks' } as const;
  const started = client(about, 590_000);
  const payload = JSON.stringify({ ...world.bash('ls'), session_id: 'of another agent' });
  // An agent of a few events, which then ends.
  const agent = `for i in $(seq 30); do printf %s ${quoted(payload)} | /bin/sh -c ${quoted(started)}; sleep 0.1; done 2>/dev/null`;
  const before = readdirSync(world.places.direct);
  const ended = world.run(['/bin/sh', '-c', agent]);
  const others = () => readdirSync(world.places.direct).filter((name) => !before.includes(name));
  for (let i = 0; others().length === 0 && i < 600; i++) await pause(50);
  expect(others()).toHaveLength(1);
  await ended;
  for (let i = 0; others().length > 0 && i < 600; i++) await pause(50);
  expect(others()).toEqual([]);
}, 120_000);

test('its socket has room where that of the engine has', () => {
  const { folder, socket } = enginePlaces(`/${'x'.repeat(84)}`);
  expect([Buffer.byteLength(socket), `${directTo(enginePlaces(folder), 4_194_304)}~`.length < 104]).toEqual([
    92,
    true,
  ]);
});
