/** The corpus of secrets, put together. */
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

/** A run of a secret that is long enough to be of use to somebody. */
const USEFUL = 12;

/** Any useful part of the secret stands in the text, plain or as JSON spells it. */
export function leaks(text: string, { secret }: Planted): boolean {
  const spelled = JSON.stringify(secret).slice(1, -1);
  const length = Math.min(USEFUL, secret.length);
  for (const form of [secret, spelled])
    for (let at = form.length - length; at >= 0; at--)
      if (text.includes(form.slice(at, at + length))) return true;
  return false;
}
