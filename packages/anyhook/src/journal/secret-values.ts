/** Finds known secret values, in the encodings in which they appear. */

import type { SecretRule } from './secret-formats.ts';
import { isSecretName } from './secret-names.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Shorter values are ordinary words that occur everywhere. */
const SHORTEST = 6;
const WORKING_FOLDERS = new Set(['PWD', 'OLDPWD']);
const DULL = /^(?:true|false|enabled|disabled|undefined|default|\d{1,7})$/i;

export function secretsOf(env: Env): string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < SHORTEST) continue;
    if (isSecretName(name) && !WORKING_FOLDERS.has(name) && !DULL.test(value)) found.push(value);
    const inUrl = /^[a-z][\w+.-]*:\/\/[^\s/?#:@]*:([^\s/?#]+)@/i.exec(value)?.[1];
    if (inUrl !== undefined) found.push(inUrl, decoded(inUrl));
  }
  return found;
}

/**
 * One rule per encoding, longest first, so that the whole secret is redacted and not a shorter one inside it.
 */
export function rulesFor(secrets: Iterable<string>): SecretRule[] {
  const literals = new Set<string>();
  for (const secret of secrets) {
    const trimmed = secret.trim();
    if (trimmed.length < SHORTEST) continue;
    for (const spelling of [...spellings(secret), ...(trimmed === secret ? [] : spellings(trimmed))])
      literals.add(spelling);
  }
  return [...literals]
    .sort((a, b) => b.length - a.length)
    .map((literal) => ({
      literal,
      anyCase: false,
      exact: true as const,
      find: (_text: string, at: number) => ({ from: at, to: at + literal.length, label: 'secret' }),
    }));
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const once = inJson(secret);
  const url = urlEncoded(secret);
  const lower = url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const base64 = [0, 1, 2].map((shift) => base64Core(bytes, shift));
  return [
    secret,
    once,
    inJson(once),
    url,
    lower,
    url.replaceAll('%20', '+'),
    bytes.toString('base64'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ].filter((text) => text.length >= SHORTEST);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function urlEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // a lone surrogate has no such form
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the base64 characters of these bytes that do not depend on the bytes around them. */
function base64Core(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((shift * 8) / 6), whole);
}
