/** What of an outcome an agent is told in text. */
import { isPlain } from '../../canon/changes.ts';
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

export const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: unknown) => (isPlain(part) ? String(part['text'] ?? '') : '')).join('')
    : '';
