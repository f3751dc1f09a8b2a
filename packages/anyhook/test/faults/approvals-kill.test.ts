/**
 * G22: a call waits for the user while its daemon or its client is killed with SIGKILL. It is refused or asked again, and runs only after
 * an approval. An open question outlives the daemon.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Question } from '../../src/approvals/question.ts';
import { ApprovalStore } from '../../src/approvals/store.ts';
import { DaemonWorld } from '../daemon/world.ts';
import { dice } from './random.ts';
import { control, counted, result, SEED } from './results.ts';

const KILLS = counted(100, 8);
const ASK = `echo '{"decision":"ask","reason":"a person decides"}'`;

const world = new DaemonWorld();
world.put('home/.config/anyhook/hooks.json', {
  approvals: { waitUnseen: true },
  hooks: { 'tool.before': [{ match: 'shell(push*)', run: ASK }] },
});
world.install('codex');
afterAll(() => world.close(), 60_000);
const store = new ApprovalStore(join(world.home, '.local/state/anyhook/approvals'));

async function questionAbout(call: string): Promise<Question> {
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(10)) {
    const found = store.list().find((question) => question.call.includes(`"${call}"`));
    if (found !== undefined) return found;
  }
  throw new Error(`no question about ${call}`);
}
const approve = ({ hash }: Question) =>
  store.give({ hash, kind: 'once', answeredAt: new Date().toISOString(), where: 'test', who: 'ana' });

function killDaemon(): void {
  try {
    if (world.owner !== undefined) process.kill(world.owner.pid, 'SIGKILL');
  } catch {
    // it was killed before
  }
}

test(`after ${KILLS} × kill -9 of the daemon under a waiting call, no call passes unapproved and no question is lost`, async () => {
  const { below } = dice(SEED + 22);
  let [passedUnapproved, passed, keptOpen] = [0, 0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    const call = `push ${kill}`;
    const answer = world.line(world.bash(call));
    const question = await questionAbout(call);
    // Approved before the kill, after it, or only before the next try.
    const order = below(3);
    if (order === 0) approve(question);
    await pause(below(150));
    killDaemon();
    if (order === 1) approve(question);
    const { code } = await answer;
    if (code === 0 && order !== 0) passedUnapproved++;
    const isOpen = store.question(question.hash) !== undefined;
    if (code !== 0 && isOpen) keptOpen++;
    if (code !== 0 && order === 2) approve(question);
    // The next try passes with an approval that was not used yet.
    const again = world.line(world.bash(call));
    if (code !== 0 && isOpen) passed += (await again).code === 0 ? 1 : 0;
    else {
      // Its approval was used by the call, or taken by the daemon that was killed: it is asked again.
      await questionAbout(call);
      killDaemon();
      if ((await again).code === 0) passedUnapproved++;
    }
  }
  result(
    'G22',
    `${KILLS} × kill -9 of the daemon under a waiting call, seed ${SEED + 22}`,
    `${passedUnapproved} calls passed without an approval, ${keptOpen} questions kept open, ${passed} of them passed after their approval`,
  );
  expect([passedUnapproved, passed]).toEqual([0, keptOpen]);
  expect(keptOpen).toBeGreaterThan(KILLS / 4);
}, 600_000);

test(`after ${KILLS} × kill -9 of the client the question stays open, and its approval is not spent`, async () => {
  const { below } = dice(SEED + 23);
  let [spent, lost] = [0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    const call = `push client ${kill}`;
    const client = spawn('/bin/sh', ['-c', `exec ${world.command().split(' || ')[0]!}`], {
      cwd: world.project,
      env: world.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    client.stdin.on('error', () => {}).end(JSON.stringify(world.bash(call)));
    const question = await questionAbout(call);
    await pause(below(100));
    client.kill('SIGKILL');
    if (store.question(question.hash) === undefined) lost++;
    store.withdraw(question.hash);
  }
  const passes = world.line(world.bash('push at last'));
  approve(await questionAbout('push at last'));
  if ((await passes).code !== 0) spent++;
  result(
    'G22',
    `${KILLS} × kill -9 of the client`,
    `${lost} questions lost, ${spent} approvals without effect`,
  );
  expect([lost, spent]).toEqual([0, 0]);
}, 600_000);

test('control: a call passes as soon as it is approved, and the same call is asked about again', async () => {
  const answer = world.line(world.bash('push control'));
  approve(await questionAbout('push control'));
  expect((await answer).code).toBe(0);
  const again = world.line(world.bash('push control'));
  store.give({
    hash: (await questionAbout('push control')).hash,
    kind: 'refuse',
    answeredAt: new Date().toISOString(),
    where: 'test',
    who: 'ana',
  });
  expect((await again).code).toBe(2);
  control('G22', 'without a kill: an approved call', 'passes once');
});
