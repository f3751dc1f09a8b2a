/** Plausible engine faults in how hooks change what the model reads. */

import type { Fault } from './faults.ts';
import type { TELLING_LAWS } from './telling.ts';

const ONCE = 'who adds to what the model reads, and again in other words, is there once and is no question';
const RECORD = 'what a hook wanted and did not get is on its record';
const HIDDEN = 'what a redactor was shown and wants hidden is hidden, or is a question';
const WISH =
  'who still wants other words is a question, unless it only adds to what the model reads and has added there';
const JUDGED =
  'what the model will read was judged in that very form by every guard, and who refuses it is heard';
const ENDS = 'what changes each time it is looked at comes to an end';

const [FIRE, TALLY, ADDITIONS] = ['engine/fire.ts', 'engine/tally.ts', 'engine/additions.ts'] as const;
const fault = (
  name: string,
  law: keyof typeof TELLING_LAWS,
  file: string,
  find: string,
  put: string,
): Fault => ({
  name,
  law,
  edits: [{ file, find, put }],
});

export const TELLING_FAULTS: readonly Fault[] = [
  fault(
    'other words are a question',
    ONCE,
    TALLY,
    ' || repeatsAddition(first, wish, hookAnswer.knownAs)',
    '',
  ),
  fault(
    'hooks in turn do not see what was added before them',
    ONCE,
    FIRE,
    'if (view !== now.whole.payload)',
    'if (view === now.whole)',
  ),
  fault(
    'what is told is told once more in the second round',
    ONCE,
    TALLY,
    "return repeats && !JUDGES.has(kind) ? 'said before' : '';",
    "return repeats && kind === 'halt' ? 'said before' : '';",
  ),
  fault(
    'what was not told again is nowhere',
    RECORD,
    TALLY,
    'if (isDone) ignored.push({ effect, why: DONE_BEFORE });',
    'if (isDone) void DONE_BEFORE;',
  ),
  fault(
    'whoever has added may also take away',
    HIDDEN,
    ADDITIONS,
    'return readFields.includes(key) && before.length > 0 && isOnTop;',
    'return readFields.includes(key) && before.length > 0;',
  ),
  fault(
    'what was hidden side by side is shown again by the next answer',
    HIDDEN,
    FIRE,
    "sharing.order === 'together' && tally.collides(hookAnswer, mark)",
    "sharing.order === 'detached' && tally.collides(hookAnswer, mark)",
  ),
  fault(
    'what takes one thing away and adds another passes for an addition',
    HIDDEN,
    ADDITIONS,
    'return rest.length > 0 ? addedInside(before, after as unknown[]) : added.map(partText);',
    'return added.map(partText);',
  ),
  fault(
    'an addition to what nobody calls told is one',
    WISH,
    ADDITIONS,
    'return readFields.includes(key) && before.length > 0 && isOnTop;',
    'return before.length > 0 && isOnTop;',
  ),
  fault(
    'who has added nothing before may not begin now',
    WISH,
    ADDITIONS,
    'return readFields.includes(key) && before.length > 0 && isOnTop;',
    'return readFields.includes(key) && isOnTop;',
  ),
  fault(
    'what somebody took away passes for told',
    WISH,
    ADDITIONS,
    '[addedTo(left[key], shown[key]), addedTo(shown[key], wanted[key])].every(Boolean)',
    '[addedTo(shown[key], wanted[key])].every(Boolean)',
  ),
  fault(
    'only a tool call is looked at again',
    JUDGED,
    FIRE,
    'if (decides(event.name) && tally.contested',
    "if (event.name === 'tool.before' && tally.contested",
  ),
  {
    name: 'all are asked until nobody changes anything',
    law: ENDS,
    edits: [
      {
        file: FIRE,
        find: 'await askAgain(plans, state)',
        put: 'for (let i = 0; i < 3; i++) await askAgain(plans, state)',
      },
      { file: FIRE, find: '        .filter((hook) => !tally.judged(hook, payload as Fields))\n', put: '' },
    ],
  },
];
