/** Finds secrets by the name before them in text: `PASSWORD=…`, `"api_key": "…"`, `--token …`. */

import type { SecretRule, Span } from './secret-formats.ts';
import { secrecyOf } from './secret-names.ts';

const WAKES = [
  'pass secret token authorization cookie credential pwd _pw connectionstring auth jwt',
  'api private access account signing encryption master shared ssh session service deploy',
].flatMap((line) => line.split(' '));

export const assignments = (): readonly SecretRule[] =>
  WAKES.map((literal) => ({ literal, anyCase: true, find }));

const REST = /[\w$.-]{0,48}/y;
const BETWEEN = /\\{0,3}["'`]?\]?[ \t]{0,4}(?::=|=>|[:=])\s{0,4}/y;
const SPACE = /[ \t]{1,4}(?!-)/y;
/** `<password>…`, `key="password" value="…"`, and `name: DB_PASSWORD` followed by a line with `value: …`. */
const CLOSED = /["']?>(?=[^<\s])/y;
const VALUE_BELOW = /\\{0,3}["']?,?\s{0,64}(?:\\{0,3}["'])?value(?:\\{0,3}["'])?\s{0,4}[:=]\s{0,4}/iy;
const PLAIN_QUOTED = /(["'`])(?<s>(?:\\[^]|(?!\1)[^\\]){1,16384})/dy;
/** Quotes of a JSON text that is itself inside a string: `\"…\"`. */
const ESCAPED_QUOTED = /\\(["'])(?<s>(?:\\\\(?:\\[^]|[^\\])|[^\\"']){1,16384})/dy;
const DEEP_QUOTED = /\\{2,7}["'](?<s>[^"'\\]{1,16384})/dy;
const LINE = /(?<s>[^\r\n"'\\]{1,16384})/dy;
const BARE =
  /(?<s>(?:(?:bearer|basic|digest|token|apikey|negotiate)[ \t]{1,4})?[^\s"'`;&<>|(){}[\]\\]{1,16384})/diy;

/** Values in code and settings that are not secrets themselves. */
const NO_SECRET = new RegExp(
  [
    '["\'`]?(?:true|false|null|none|nil|undefined|string|str|number|boolean|bool|any|unknown|bytes)(?![\\w.$!@#%^&*+/=~-])',
    '(?:bearer |basic |token )?["\'`]?\\$(?:[A-Z_][A-Z0-9_]*(?![\\w$])|\\{|\\()',
    'process\\.env\\b|os\\.environ\\b|import\\.meta\\b|["\'`]?(?:\\*{3,}|\\.{3})|\\\\?["\'`]?\\[redacted',
  ].join('|'),
  'iy',
);
const AMOUNT = /["'`]?\d[\d.,_]*[km]?(?![\w-])/iy;
const FOLDER = /["'`]?(?:\/|~|[a-z]:[\\/])/iy;

function find(text: string, at: number): Span | undefined {
  const from = startOfName(text, at);
  const nameEnd = skip(REST, text, at);
  const name = text.slice(from, nameEnd);
  const secrecy = secrecyOf(name);
  if (secrecy === 'none') return undefined;
  let start = skip(BETWEEN, text, nameEnd);
  if (start === nameEnd && text.charCodeAt(from) === 45) start = skip(SPACE, text, nameEnd);
  if (start === nameEnd) start = skip(VALUE_BELOW, text, nameEnd);
  if (start === nameEnd && isInTag(text, from)) start = skip(CLOSED, text, nameEnd);
  if (start === nameEnd || stands(NO_SECRET, text, start)) return undefined;
  if (secrecy === 'counted' && stands(AMOUNT, text, start)) return undefined;
  if (/pwd$/i.test(name) && stands(FOLDER, text, start)) return undefined;
  return valueAt(text, start, name);
}

function valueAt(text: string, start: number, name: string): Span | undefined {
  const first = text[start];
  const quoted =
    first === '"' || first === "'" || first === '`'
      ? PLAIN_QUOTED
      : first !== '\\'
        ? undefined
        : text[start + 1] === '\\'
          ? DEEP_QUOTED
          : ESCAPED_QUOTED;
  const pattern = quoted ?? (/cookie$/i.test(name) ? LINE : BARE);
  pattern.lastIndex = start;
  const found = pattern.exec(text)?.indices?.groups?.['s'];
  if (found === undefined) return undefined;
  const called = pattern === BARE && text[found[1]] === '('; // `token = read(…)`: code, not a value
  return called ? undefined : { from: found[0], to: found[1], label: label(name) };
}

/** `<password` or `<entry key="password`. */
const isInTag = (text: string, from: number): boolean =>
  text[from - 1] === '<' ||
  /<[^<>]{0,64}(?:key|name)\s?=\s?["']$/.test(text.slice(Math.max(0, from - 66), from));

function startOfName(text: string, at: number): number {
  let from = at;
  const least = Math.max(0, at - 48);
  while (from > least && isNamePart(text.charCodeAt(from - 1))) from--;
  return from;
}

const isNamePart = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 45;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const stands = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** The name in short form, used as the label of the redaction. */
const label = (name: string): string => name.replace(/^-+/, '').toLowerCase().slice(0, 32);
