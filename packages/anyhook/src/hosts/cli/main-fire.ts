import { ending } from './ending.ts';
import { runFire } from './fire.ts';
import type { Question } from './quick/question.ts';

export const mainFire = (
  argv: readonly string[],
  text: string | undefined,
  question: Question | undefined,
): Promise<void> => ending(() => runFire(argv, text, question), 'go on');
