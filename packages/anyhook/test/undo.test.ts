/** A few of the random sessions of `npm run test:faults`. */

import { expect, onTestFinished, test } from 'vitest';
import { UndoSessions } from './faults/undo-sessions.ts';

test('an undo after a random session restores every byte, keeps what the user changed, and a prune leaves nothing', async () => {
  const sessions = new UndoSessions();
  onTestFinished(() => sessions.close());
  for (let seed = 1; seed <= 8; seed++) await sessions.run(seed);
  const { inexact, userChangesLost, objectsLeft } = sessions.figures;
  expect(sessions.failures).toEqual([]);
  expect({ inexact, userChangesLost, objectsLeft }).toEqual({
    inexact: 0,
    userChangesLost: 0,
    objectsLeft: 0,
  });
});
