import type { Fields } from 'anyhook';
import { type Prompt, submit } from './submit.ts';
import { putIn, type Talk } from './talk.ts';

/** Input that arrived while the agent worked, from the user or from a hook module. */
export type Waiting = { readonly prompt: Prompt } | { readonly message: Fields };

/** Processes waiting input in order. Returns true if there is something to answer. */
export async function takeIn(talk: Talk, waiting: readonly Waiting[]): Promise<boolean> {
  let hasTaken = false;
  for (const one of waiting) {
    if ('message' in one) putIn(talk, one.message);
    else {
      const done = await submit(talk, one.prompt);
      if (done.kind === 'refused') {
        talk.listen({ kind: 'notice', level: 'error', text: `the prompt was blocked: ${done.why}` });
        continue;
      }
    }
    hasTaken = true;
  }
  return hasTaken;
}
