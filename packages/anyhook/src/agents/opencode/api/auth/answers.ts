import type { LoginPrompt } from '../../../../events/offers.ts';
import type { Dialogs } from '../../../../events/services.ts';

export type Answers = Readonly<Record<string, string>>;

/** The user left a dialog without an answer. */
export class LoginCancelled extends Error {
  override readonly name = 'Cancelled';
}

/** A scripted dialog may give the same wrong answer forever. */
const MOST_TRIES = 5;

/** Asks the questions in order. Each question receives the earlier answers. */
export async function answersTo(
  prompts: readonly LoginPrompt[],
  dialogs: Dialogs,
  signal?: AbortSignal,
): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const prompt of prompts) {
    if (!(await prompt.isAsked(answers))) continue;
    answers[prompt.key] = await (prompt.kind === 'select'
      ? chosen(prompt, dialogs, signal)
      : typed(prompt, dialogs, signal));
  }
  return answers;
}

async function chosen(
  { message, options }: Extract<LoginPrompt, { kind: 'select' }>,
  dialogs: Dialogs,
  signal?: AbortSignal,
): Promise<string> {
  const shown = options.map(({ label, hint }) => (hint === undefined ? label : `${label} (${hint})`));
  const answer = await dialogs.select(message, shown, signal);
  const found = answer === undefined ? undefined : options[shown.indexOf(answer)];
  if (found === undefined) throw new LoginCancelled();
  return found.value;
}

async function typed(
  { message, placeholder, validate }: Extract<LoginPrompt, { kind: 'text' }>,
  dialogs: Dialogs,
  signal?: AbortSignal,
): Promise<string> {
  let wrong: string | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await dialogs.input(message, placeholder, signal);
    if (answer === undefined) throw new LoginCancelled();
    wrong = await validate(answer);
    if (wrong === undefined) return answer;
    dialogs.notify(wrong, 'error');
  }
  throw new Error(`${message}: ${wrong}`);
}
