/** Loads the corpus of secrets and joins their parts. */

import { readFileSync } from 'node:fs';

export interface Planted {
  readonly kind: string;
  readonly text: string;
  readonly secret: string;
}

const lines = (name: string): unknown[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

export const PLANTED: readonly Planted[] = (
  lines('planted.jsonl') as { kind: string; text: string; secret: string[] }[]
).map(({ kind, text, secret }) => {
  const whole = secret.join('');
  return { kind, text: text.replaceAll('§', whole), secret: whole };
});
export const HARMLESS = lines('harmless.jsonl') as readonly string[];

/** Minimum length at which a part of a secret is useful to an attacker. */
const USEFUL = 12;

/** Whether the text contains a useful part of the secret, in plain form or JSON-escaped. */
export function leaks(text: string, { secret }: Planted): boolean {
  const spelled = JSON.stringify(secret).slice(1, -1);
  const length = Math.min(USEFUL, secret.length);
  for (const form of [secret, spelled])
    for (let at = form.length - length; at >= 0; at--)
      if (text.includes(form.slice(at, at + length))) return true;
  return false;
}
