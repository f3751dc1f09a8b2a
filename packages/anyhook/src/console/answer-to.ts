import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
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

/** The same for a secret: nothing of what is typed appears. */
export async function hiddenAnswerTo(question: string): Promise<string> {
  process.stdout.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const dialog = createInterface({ input: process.stdin, output: silent, terminal: true });
  const gone = new Promise<string>((resolve) => dialog.once('close', () => resolve('')));
  const answer = await Promise.race([dialog.question(''), gone]);
  dialog.close();
  process.stdout.write('\n');
  return answer;
}

/** The default is no; only y or yes counts. */
export const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer);
