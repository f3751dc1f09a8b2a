import { readProcessClock } from '../../canon/clock.ts';
import { ending } from './ending.ts';
import { runFire } from './fire.ts';
import type { Question } from '../silence/question.ts';

/** To an agent exit 2 is a refusal: from a bridge, wrong use is a failure like any other, and its line says what that means. */
const WRONG_USE_IN_A_BRIDGE = 64;

export const mainFire = (
  argv: readonly string[],
  text: string | undefined,
  question: Question | undefined,
): Promise<void> => {
  readProcessClock();
  return ending(
    () => runFire(argv, text, question),
    'go on',
    argv.includes('--engine') ? WRONG_USE_IN_A_BRIDGE : undefined,
  );
};
