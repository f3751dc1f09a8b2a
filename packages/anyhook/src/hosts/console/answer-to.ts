import { createInterface } from 'node:readline/promises';

/** What the person types in the terminal; nothing when the input ends instead. */
export async function answerTo(question: string): Promise<string> {
  const dialog = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new Promise<string>((resolve) => dialog.once('close', () => resolve('')));
  const answer = await Promise.race([dialog.question(question), gone]);
  dialog.close();
  return answer.trim();
}

/** No is the default: only a plain yes is one. */
export const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer);
