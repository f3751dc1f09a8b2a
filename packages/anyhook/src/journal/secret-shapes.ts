/** Finds secrets that have no distinctive prefix, by a closer look at each possible start. */

import { MNEMONIC_WORDS } from './mnemonic-words.ts';
import { type SecretRule, rulesOf, type Span } from './secret-formats.ts';

export const shapes = (): readonly SecretRule[] => [
  ...mnemonics(),
  ...webTokens(),
  ...basicAuthorization(),
  ...discord(),
  ...awsPairs(),
  ...passwordLists(),
  ...loginCodes(),
];

const rulesFor = (
  literals: readonly string[],
  anyCase: boolean,
  find: SecretRule['find'],
): readonly SecretRule[] => literals.map((literal) => ({ literal, anyCase, find }));

/** Recovery phrases of wallets have 12 to 24 words, with or without numbers. */
const LEAST_WORDS = 12;
/**
 * For speed, only words with the start of a long word trigger a search. Every phrase of twelve words has at
 * least one.
 */
const LONG = 7;
const PHRASE_WORD = /[a-z]{3,8}(?!\w)/iy;
const PHRASE_GAP = /[\s,;|"'\\-]{1,6}(?:n(?=\d))?(?:\d{1,2}[.):]?\s{0,3})?/y;
const GAP_BEFORE = /[\s,;|"'\\-]{1,6}(?:\d{1,2}[.):]?\s{0,3})?$/;

const NAMED_PHRASE =
  /(?:mnemonic|seed|phrase|words)\w{0,12}\\{0,3}["']?\s{0,4}[:=]\s{0,4}(?:\\{0,3}["'])?(?<s>(?:[a-z]{3,10} ){11,23}[a-z]{3,10})(?![\w ])/diy;

function mnemonics(): readonly SecretRule[] {
  const words = new Set(MNEMONIC_WORDS);
  const starts = new Set(
    MNEMONIC_WORDS.filter(({ length }) => length >= LONG).map((word) => word.slice(0, 3)),
  );
  const wordAt = (text: string, at: number): number => {
    PHRASE_WORD.lastIndex = at;
    const word = PHRASE_WORD.exec(text)?.[0];
    return word !== undefined && words.has(word.toLowerCase()) ? at + word.length : -1;
  };
  const find = (text: string, at: number): Span | undefined => {
    if (isLetter(text.charCodeAt(at - 1))) return undefined;
    let to = wordAt(text, at);
    if (to === -1) return undefined;
    let count = 1;
    while (count < 2 * LEAST_WORDS) {
      PHRASE_GAP.lastIndex = to;
      const next = PHRASE_GAP.test(text) ? wordAt(text, PHRASE_GAP.lastIndex) : -1;
      // `… word\nsecret = x`: the name of a value is not part of the phrase, and its own rule must still see
      // it.
      if (next === -1 || /^["'\\]{0,4}[ \t]{0,4}[:=]/.test(text.slice(next, next + 12))) break;
      to = next;
      count++;
    }
    let from = at;
    while (count < 2 * LEAST_WORDS) {
      const before = wordBefore(text, from);
      if (before === -1 || wordAt(text, before) === -1) break;
      from = before;
      count++;
    }
    if (count < LEAST_WORDS || isFiller(text.slice(from, to))) return undefined;
    return { from, to, label: 'recovery-phrase' };
  };
  return [
    ...rulesFor([...starts], false, find),
    // Other word lists, if the text names them as a phrase.
    ...rulesOf(['recovery-phrase', 'mnemonic seed phrase words', NAMED_PHRASE], true),
  ];
}

/**
 * `word word word`: a few repeated words. The best known test phrase repeats `abandon` and is redacted
 * anyway.
 */
const isFiller = (text: string): boolean =>
  new Set(text.toLowerCase().match(/[a-z]+/g)).size < LEAST_WORDS / 2 && !/^abandon /i.test(text);

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** Returns the start of the word before this offset, or -1 if there is none. */
function wordBefore(text: string, at: number): number {
  const near = text.slice(Math.max(0, at - 22), at);
  const gap = GAP_BEFORE.exec(near);
  const word = gap === null ? null : /[A-Za-z]{3,8}$/.exec(near.slice(0, gap.index));
  return gap === null || word === null ? -1 : at - gap[0].length - word[0].length;
}

/** Three segments or, if encrypted, five. The first is JSON that names an algorithm. */
const WEB_TOKEN =
  /(?<=^|[^\w-]|\\[nrtbf])(?<head>(?:eyJ|eyA|ewo|ewk|ew0)[\w-]{6,8192})(?:(?:\.|%2E)(?:\\n|\s){0,3}[\w-]{0,16384}){1,4}/iy;

function webTokens(): readonly SecretRule[] {
  const find = (text: string, at: number): Span | undefined => {
    WEB_TOKEN.lastIndex = at;
    const match = WEB_TOKEN.exec(text);
    const head = Buffer.from(match?.groups?.['head'] ?? '', 'base64url').toString();
    if (match === null || !/^\{[^]*"(?:alg|enc|kid|typ)"/.test(head)) return undefined;
    return { from: at, to: at + match[0].length, label: 'jwt' };
  };
  return [
    ...rulesFor(['eyJ', 'eyA', 'ewo', 'ewk', 'ew0'], false, find),
    ...rulesOf(
      [
        'paseto',
        'v1.local. v2.local. v3.local. v4.local. v1.public. v2.public. v3.public. v4.public.',
        /v[1-4]\.(?:local|public)\.[\w-]{16,8192}(?:\.[\w-]{1,1024})?/dy,
      ],
      false,
    ),
  ];
}

/** `Basic bWU6aHVudGVyMg==`: decodes to a name, a colon and a password. */
const BASIC = /basic\s{1,4}(?<s>[A-Za-z0-9+/_-]{6,1024}={0,2})/diy;
function basicAuthorization(): readonly SecretRule[] {
  const find = (text: string, at: number): Span | undefined => {
    BASIC.lastIndex = at;
    const [from, to] = BASIC.exec(text)?.indices?.groups?.['s'] ?? [];
    if (from === undefined || to === undefined) return undefined;
    const plain = Buffer.from(text.slice(from, to), 'base64').toString('latin1');
    return /^[\x20-\x7e]{1,128}:[\x20-\x7e]{1,512}$/.test(plain) ? { from, to, label: 'basic' } : undefined;
  };
  return [
    ...rulesFor(['basic '], true, find),
    // A value that a command encodes or decodes.
    ...rulesOf(
      [
        'encoded',
        'echo printf',
        /(?:echo -n|printf(?: '%s')?) (?:\\{0,3}["'])?(?<s>(?!\$|\[redacted)[^\s"'\\|;&<>]{6,512})(?:\\{0,3}["'])?\s{0,4}\|\s{0,4}(?:openssl )?base64(?![\w-])/dy,
      ],
      false,
    ),
    ...rulesOf(
      [
        'encoded',
        'echo',
        /echo (?:-n )?(?:\\{0,3}["'])?(?<s>[A-Za-z0-9+/]{8,1024}={0,2})(?:\\{0,3}["'])?\s{0,4}\|\s{0,4}base64 (?:-d|-D|--decode)/dy,
      ],
      false,
    ),
  ];
}

/** A bot's token starts with its numeric id in base64. */
function discord(): readonly SecretRule[] {
  const starts = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].flatMap((pair) =>
    [...'AEIMQUYcgk'].map((third) => `${pair}${third}`),
  );
  const pattern = /(?<=^|[^\w-]|\\[nrtbf])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{25,48}(?![\w-])/dy;
  return [
    ...rulesOf(['discord-token', starts.join(' '), pattern], false),
    ...rulesOf(['discord-token', 'mfa.', /(?<=^|[^\w-]|\\[nrtbf])mfa\.[\w-]{80,128}/dy], false),
  ];
}

/** A secret access key has no prefix, so it is recognised by the key id next to it. */
function awsPairs(): readonly SecretRule[] {
  const ID = '[A-Z]{4}[A-Z0-9]{16}';
  const KEY = '(?=[A-Za-z0-9+/]{0,39}[a-z])(?=[A-Za-z0-9+/]{0,39}[A-Z])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])';
  const BETWEEN = '[^A-Za-z0-9+/]{1,12}';
  const NAMED = `(?:${BETWEEN}[A-Za-z][A-Za-z_ -]{1,40}?)?${BETWEEN}`;
  const literals = 'AKIA ASIA ABIA ACCA';
  return [
    ...rulesOf(['aws-key', literals, new RegExp(`${ID}${NAMED}${KEY}`, 'dy')], false),
    ...rulesOf(
      [
        'aws-key',
        literals,
        new RegExp(`(?<=(?<b>(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40})${BETWEEN})${ID}`, 'dy'),
      ],
      false,
    ),
  ];
}

const QUOTE = '\\\\{0,3}"';
const VALUE_KEY = `${QUOTE}(?:value|v)${QUOTE}\\s{0,4}:\\s{0,4}${QUOTE}`;
const VALUE = '(?<s>(?:\\\\.|[^"\\\\]){1,4096})';
/** Other fields of the same object. */
const INSIDE = '[^{}]{0,600}?';

/** Exports of password managers: 1Password's JSON, and tables with a password column. */
function passwordLists(): readonly SecretRule[] {
  const marks: readonly (readonly [literals: string, mark: string])[] = [
    ['designation', `designation${QUOTE}\\s{0,4}:\\s{0,4}${QUOTE}password${QUOTE}`],
    ['CONCEALED concealed', `concealed${QUOTE}`],
  ];
  const around = marks.flatMap(([literals, mark]) => [
    ...rulesOf(
      ['password', literals, () => new RegExp(`${mark}${INSIDE}${VALUE_KEY}${VALUE}`, 'diy')],
      false,
    ),
    ...rulesOf(
      [
        'password',
        literals,
        () => new RegExp(`(?<=${VALUE_KEY}${VALUE}${QUOTE}${INSIDE}${QUOTE})${mark}`, 'diy'),
      ],
      false,
    ),
  ]);
  return [
    ...around,
    ...rulesOf(
      [
        '1password-key',
        'A3-',
        /(?<=^|[^\w-]|\\[nrtbf])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){2,4}/dy,
      ],
      false,
    ),
    ...rulesOf(
      [
        'password-list',
        'password, password", login_password',
        /(?:login_)?password"?,?(?<=(?:title|name|url|username|login|email|account)[^\n]{1,200})[^\n\\]{0,200}(?:\r?\n|\\n)(?<s>(?=[^\n]{1,400},)[^]{1,65536}?)(?=\n\s*\n|\\n\\n|$)/diy,
      ],
      true,
    ),
    // The header of a browser's export ends with the password column.
    ...rulesOf(
      [
        'password-list',
        'password\n password"\n password\r password"\r password\\n password"\\n password\\" password\\r',
        /(?<=(?:title|name|url|username|login|email|account)\\{0,3}"?[^\n]{0,200}[,;\t]\\{0,3}"?)password\\{0,3}"?(?:\r?\n|(?:\\{1,3}r)?\\{1,3}n)(?<s>(?=[^\n]{1,400}[,;\t])[^]{1,65536}?)(?=\n\s*\n|\\n\\n|$)/diy,
      ],
      true,
    ),
  ];
}

/** `?code=…` grants a login until it is used. Numbers and error names are no such codes. */
const loginCodes = (): readonly SecretRule[] =>
  rulesOf(
    [
      'login-code',
      '?code= &code= #code= ;code= code=4/0 code=4%2f',
      /(?:[?&#;]code|code)=(?<s>(?=[^&\s#"'<>\\]{0,512}\d)(?=[^&\s#"'<>\\]{0,512}[a-z])[\w%./~+-]{10,512})/diy,
    ],
    true,
  );
