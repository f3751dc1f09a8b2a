/**
 * G24: random sessions with edits, commands, renames, deletions, edits of the user at the same time, and `kill -9` of the process that
 * takes snapshots and undoes. Afterwards every file is what the user last made of it, and a prune leaves nothing.
 */

import { afterAll, expect, test } from 'vitest';
import { control, counted, grouped, result, SEED } from './results.ts';
import { type Careless, UndoSessions } from './undo-sessions.ts';

const SESSIONS = counted(1000, 20);
const CONTROLS = counted(120, 20);

const opened: UndoSessions[] = [];
afterAll(() => opened.forEach((sessions) => sessions.close()));

async function played(count: number, careless?: Careless): Promise<UndoSessions> {
  const sessions = new UndoSessions(careless);
  opened.push(sessions);
  let next = 0;
  const play = async (): Promise<void> => {
    while (next < count) await sessions.run(SEED + next++);
  };
  await Promise.all([play(), play(), play()]);
  return sessions;
}

test(`after ${SESSIONS} random sessions the undo restores every byte, loses no change of the user, and a prune leaves no object`, async () => {
  const { figures, failures } = await played(SESSIONS);
  const { inexact, userChangesLost, objectsLeft, changed, kills } = figures;
  result(
    'G24',
    `${grouped(SESSIONS)} random sessions with undo (seed ${SEED}), ${grouped(changed)} changed files, ${grouped(kills)} × kill -9`,
    `${inexact} inexact, ${userChangesLost} user changes lost, ${objectsLeft} objects left`,
  );
  expect(failures.slice(0, 5)).toEqual([]);
  expect({ inexact, userChangesLost, objectsLeft }).toEqual({
    inexact: 0,
    userChangesLost: 0,
    objectsLeft: 0,
  });
  expect(kills).toBeGreaterThan(0);
  expect(changed).toBeGreaterThan(SESSIONS);
});

test.each([
  ['an undo that overwrites conflicts loses changes of the user', 'overwrites-user', 'userChangesLost'],
  ['an undo that ignores modes is inexact', 'ignores-modes', 'inexact'],
  ['without a prune objects are left', 'keeps-objects', 'objectsLeft'],
] as const)('control: %s', async (title, careless, figure) => {
  const { figures } = await played(CONTROLS, careless);
  control('G24', title, `${grouped(figures[figure])} in ${CONTROLS} sessions`);
  expect(figures[figure]).toBeGreaterThan(0);
});
