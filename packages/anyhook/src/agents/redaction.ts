/** What happens to a secret that a hook redacts for the model or for a tool, depending on its location. */

import type { Grades } from '../events/capabilities.ts';
import type { EventName } from '../events/events.ts';
import type { Agent } from './shared/agent.ts';

/** Descriptions of the locations. */
export const SECRET_PLACES = {
  prompt: 'in a prompt',
  call: 'in a call, on its way to the tool',
  written: 'in a call, as the model wrote it and reads it again',
  result: 'in a result',
  failure: 'in the result of a tool that failed',
} as const;
export type SecretPlace = keyof typeof SECRET_PLACES;

/**
 * `hidden`: the hook's change is applied. `refused`: the change cannot be applied, so the action with the secret does
 * not happen. `read`: neither; the secret is read, and this is reported. `untold`: the agent has no such event.
 */
export type Redaction = 'hidden' | 'refused' | 'read' | 'untold';

export function redactionIn({ can }: Pick<Agent, 'can'>): Readonly<Record<SecretPlace, Redaction>> {
  const at = (name: EventName): Redaction => {
    const grades: Grades | undefined = can[name];
    if (grades === undefined) return 'untold';
    return grades.set === 'full' ? 'hidden' : grades.deny === 'full' ? 'refused' : 'read';
  };
  // A hook that sees every model request sees all of its content.
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
