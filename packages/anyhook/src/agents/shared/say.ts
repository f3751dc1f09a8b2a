/** What of an outcome an agent is told in text. */
import type { Outcome } from '../../canon/outcome.ts';

export const reasonOf = ({ reasons }: Outcome): string =>
  reasons
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n') || 'blocked by a hook that gave no reason';

export const textsTo = ({ said }: Outcome, whom: 'model' | 'person'): string =>
  said.flatMap(({ to, text }) => (to === whom ? text : [])).join('\n');

export const wasChanged = ({ changed }: Outcome, field: string): boolean =>
  changed.some(({ at }) => at === field || at.startsWith(`${field}.`));
