import { createInterface } from 'node:readline/promises';
import { wrap } from '../render/wrap.ts';
import { print, screenFor } from './print.ts';

/** Reads the user's answer in the terminal. Empty if the input ends. */
export async function answerTo(question: string): Promise<string> {
  const lines = wrap(question.trimEnd(), screenFor(undefined).width - 2);
  print(lines.slice(0, -1));
  const dialog = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new Promise<string>((resolve) => dialog.once('close', () => resolve('')));
  const answer = await Promise.race([dialog.question(`${lines.at(-1)!} `), gone]);
  dialog.close();
  return answer.trim();
}

/** The default is no; only y or yes counts. */
export const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer);
