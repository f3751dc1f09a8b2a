/** Prints the corpus of forged answers with real guards and reads it through the real runner. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEngine } from '../../src/engine/engine.ts';
import type { CommandRequest } from '../../src/events/exchange.ts';
import type { WayOf } from '../../src/events/hook.ts';
import type { Outcome } from '../../src/events/outcome.ts';
import { type CommandRunner, openCommandRunner } from '../../src/runners/command/index.ts';
import { cameOf, CONTROLS, type Forgery, FORGERIES, guardOf } from '../corpus/answers/answers.ts';
import { figure } from './figures.ts';

let folder: string;
let runner: CommandRunner;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'answers-'));
  runner = openCommandRunner({ graceMs: 0 });
});
afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

const ENDS = { 'timed-out': 'exec sleep 60', killed: 'kill -9 $$' };

async function cameTo(forgery: Forgery, nth: number): Promise<string> {
  const { dialect, about, stdout, code } = forgery;
  const file = join(folder, `${nth}.out`);
  writeFileSync(file, stdout);
  const end = typeof code === 'number' ? `exit ${code}` : ENDS[code];
  const timeoutMs = code === 'timed-out' ? 1_000 : 30_000;
  const engine = makeEngine({
    dialects: [dialect],
    hooks: [guardOf(forgery, ['sh', '-c', `cat '${file}'; ${end}`], timeoutMs)],
    services: {},
    run: ({ run }, request, limit) =>
      runner.run(run as WayOf<'command'>, { ...(request as CommandRequest), cwd: folder }, limit),
  });
  return cameOf((await engine.fire(about)) as Outcome);
}

interface WrongAnswer {
  readonly title: string;
  readonly dialect: string;
  readonly came: string;
  readonly wanted: string;
}

async function wrongOf(cases: readonly Forgery[], from: number): Promise<WrongAnswer[]> {
  const wrong: WrongAnswer[] = [];
  for (let at = 0; at < cases.length; at += 8)
    await Promise.all(
      cases.slice(at, at + 8).map(async (one, i) => {
        const came = await cameTo(one, from + at + i);
        if (came !== one.expect)
          wrong.push({ title: one.title, dialect: one.dialect.name, came, wanted: one.expect });
      }),
    );
  return wrong;
}

function count(what: string, cases: readonly Forgery[], wrong: readonly WrongAnswer[]): void {
  for (const name of new Set(cases.map(({ dialect }) => dialect.name))) {
    const tried = cases.filter(({ dialect }) => dialect.name === name).length;
    figure(
      'answers',
      `${what}, ${name}`,
      tried - wrong.filter(({ dialect }) => dialect === name).length,
      tried,
    );
  }
}

test('no guard is fooled by text that it prints, and every honest or harmless answer is understood', async () => {
  const forged = await wrongOf(FORGERIES, 0);
  const controls = await wrongOf(CONTROLS, FORGERIES.length);
  count('forged answers held', FORGERIES, forged);
  count('honest and harmless answers heard', CONTROLS, controls);
  expect([forged, controls]).toEqual([[], []]);
}, 300_000);
