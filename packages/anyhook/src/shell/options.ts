/** Reads the options of a program up to its first operand, from a getopt(3) specification. */

import type { ShellWord } from './word.ts';

export interface OptionSpec {
  /**
   * Letters; `x:` takes a value, `x::` an attached one only. `#` allows `-5`, `-` allows a lone dash.
   */
  readonly short?: string;
  /** Names separated by spaces; `name:` takes a value, `name::` only as `--name=value`. */
  readonly long?: string;
}

export interface OptionReading<Word extends ShellWord = ShellWord> {
  readonly found: readonly { readonly name: string; readonly value?: Word }[];
  readonly rest: readonly Word[];
  /** Options that are not specified or known only at run time. The next word may be their value. */
  readonly unknown: readonly string[];
}

export function readOptions<Word extends ShellWord>(
  words: readonly Word[],
  spec: OptionSpec,
): OptionReading<Word> {
  const long = new Map((spec.long ?? '').split(' ').map((name) => [name.replaceAll(':', ''), name]));
  const found: { name: string; value?: Word }[] = [];
  const unknown: string[] = [];
  let at = 0;
  const take = (name: string, attached: Word | undefined, colons: string): void => {
    if (attached !== undefined || colons === '::' || colons === '') {
      found.push(attached === undefined ? { name } : { name, value: attached });
      return;
    }
    const value = words[at++];
    if (value !== undefined && !value.single) unknown.push(value.text);
    found.push(value === undefined ? { name } : { name, value });
  };
  for (; at < words.length;) {
    const word = words[at];
    if (word === undefined || !word.lead.startsWith('-')) break;
    if (word.value === '-' && !(spec.short ?? '').includes('-')) break;
    at++;
    if (word.value === '--') break;
    if (!word.single) unknown.push(word.text);
    if (word.value === '-') found.push({ name: '-' });
    else if (word.value.startsWith('--')) readLong(word, long, take, unknown);
    else readCluster(word, spec.short ?? '', take, unknown);
  }
  return { found, rest: words.slice(at), unknown };
}

type Take<Word> = (name: string, attached: Word | undefined, colons: string) => void;

function readLong<Word extends ShellWord>(
  word: Word,
  long: ReadonlyMap<string, string>,
  take: Take<Word>,
  unknown: string[],
): void {
  const equals = word.value.indexOf('=');
  const written = word.value.slice(2, equals === -1 ? undefined : equals);
  const name = wholeName(written, long);
  const spec = long.get(name);
  if (spec === undefined || !word.lead.startsWith(`--${written}`)) unknown.push(word.text);
  take(`--${name}`, equals === -1 ? undefined : tail(word, equals + 1), spec?.slice(name.length) ?? '');
}

/** The option with this unique prefix, as getopt_long(3) and git read it. */
export function wholeName(written: string, long: ReadonlyMap<string, unknown>): string {
  if (written === '' || long.has(written)) return written;
  const meant = [...long.keys()].filter((name) => name.startsWith(written));
  return meant.length === 1 && meant[0] !== undefined ? meant[0] : written;
}

function readCluster<Word extends ShellWord>(
  word: Word,
  short: string,
  take: Take<Word>,
  unknown: string[],
): void {
  if (short.includes('#') && /^-\d+$/.test(word.value)) return;
  for (let at = 1; at < word.value.length; at++) {
    const letter = word.value.charAt(at);
    const place = /[\w?]/.test(letter) ? short.indexOf(letter) : -1;
    if (place === -1 || at >= word.lead.length) {
      unknown.push(word.text);
      take(`-${letter}`, undefined, '');
      continue;
    }
    const colons = /^:*/.exec(short.slice(place + 1))?.[0] ?? '';
    const attached = colons !== '' && at + 1 < word.value.length ? tail(word, at + 1) : undefined;
    take(`-${letter}`, attached, colons);
    if (colons !== '') return;
  }
}

const tail = <Word extends ShellWord>(word: Word, from: number): Word => ({
  ...word,
  value: word.value.slice(from),
  text: word.value.slice(from),
  lead: word.lead.slice(from),
  literal: word.literal.slice(from),
  trail: word.fixed ? word.value.slice(from) : word.trail,
});
