/** What becomes of a secret that a hook would hide from the model or from a tool, by where the secret stands. */
import type { Grades } from '../events/capabilities.ts';
import type { EventName } from '../events/events.ts';
import type { Agent } from './shared/agent.ts';

/** Each place, as people say it. */
export const SECRET_PLACES = {
  prompt: 'in a prompt',
  call: 'in a call, on its way to the tool',
  written: 'in a call, as the model wrote it and reads it again',
  result: 'in a result',
  failure: 'in the result of a tool that failed',
} as const;
export type SecretPlace = keyof typeof SECRET_PLACES;

/**
 * `hidden`: the hook's change is made. `refused`: it cannot be made, so what bears the secret does not happen. `read`: neither;
 * it is read, and that is said. `untold`: the agent has no such event.
 */
export type Redaction = 'hidden' | 'refused' | 'read' | 'untold';

export function redactionIn({ can }: Pick<Agent, 'can'>): Readonly<Record<SecretPlace, Redaction>> {
  const at = (name: EventName): Redaction => {
    const grades: Grades | undefined = can[name];
    if (grades === undefined) return 'untold';
    return grades.set === 'full' ? 'hidden' : grades.deny === 'full' ? 'refused' : 'read';
  };
  // Who sees every request to the model sees all that is in it.
  const isShown = at('model.context') === 'hidden';
  const inMessages = (other: Redaction): Redaction => (isShown ? 'hidden' : other);
  return {
    prompt: inMessages(at('prompt.submit')),
    call: at('tool.before'),
    written: inMessages('read'),
    result: inMessages(at('tool.after')),
    failure: inMessages(at('tool.failed')),
  };
}
