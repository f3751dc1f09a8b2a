import { buildOf } from '../silence/build.ts';
import { questionOf } from '../silence/question.ts';
import { silenceFor } from '../silence/recall.ts';
import type { ClientProcess } from './client-process.ts';
import type { WarmRequest } from './wire.ts';

/** A larger one is left to a session's process: while it is read here, nobody else is answered. */
const LARGEST = 1024 * 1024;

/**
 * What the agent hears about an event that nobody listens to, from what the cold way has remembered, while all of that is still
 * so. Undefined: somebody may listen.
 */
export function unheardAnswer(
  { argv, text, bin }: WarmRequest,
  { env, cwd }: ClientProcess,
): string | undefined {
  if (text.length > LARGEST) return undefined;
  const question = questionOf(argv, text, { env, here: () => cwd, build: buildOf(bin) });
  return question === undefined ? undefined : silenceFor(question, env)?.stdout;
}
