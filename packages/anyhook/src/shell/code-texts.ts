/** Extracts the strings from code in any language, and replaces each with a mark, in one pass. */

import { CALLS, type CodeLanguage } from './code-calls.ts';

export interface CodeText {
  readonly value: string;
  /** A shell runs it: backticks, `qx`, `%x`. */
  readonly isShell: boolean;
  /** Part of it is known only at run time. */
  readonly fixed: boolean;
}
export interface CodeReading {
  /** The code, with each string replaced by `\uE001` and a letter whose code is the string's position. */
  readonly skeleton: string;
  readonly texts: readonly CodeText[];
}

const MOST_TEXTS = 500;
/** Letters for private use, which do not occur in code. */
const FIRST = 0xf0000;
export const markOf = (at: number): string => `\uE001${String.fromCodePoint(FIRST + at)}`;
export const MARK = /\uE001([\u{F0000}-\u{FFFFD}])/gu;
export const codePlaceOf = (letter: string): number => (letter.codePointAt(0) ?? 0) - FIRST;

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

export function codeTextsIn(code: string, language: CodeLanguage): CodeReading {
  const { backticks, comment } = CALLS[language];
  const texts: CodeText[] = [];
  let skeleton = '';
  const put = (value: string, isShell: boolean, interpolates: boolean): void => {
    const fixed = !(interpolates && INTERPOLATION[language]?.test(value));
    texts.push({ value, isShell, fixed });
    skeleton += markOf(texts.length - 1);
  };
  for (let at = 0; at < code.length;) {
    const char = code.charAt(at);
    comment.lastIndex = at;
    const quoted = QUOTED_WORDS[language];
    if (quoted !== undefined) quoted.lastIndex = at;
    const word = quoted?.exec(code);
    if (texts.length >= MOST_TEXTS) return { skeleton: skeleton + code.slice(at), texts };
    if (comment.test(code)) at = lineEnd(code, at);
    else if (word != null && !/\w/.test(code.charAt(at - 1))) {
      const open = word[2] ?? '';
      const end = matching(code, at + word[0].length, open, CLOSERS[open] ?? open);
      put(code.slice(at + word[0].length, end), /x/.test(word[1] ?? ''), !/^q$|^%q$/.test(word[1] ?? ''));
      at = end + 1;
    } else if (char === '"' || char === "'" || (char === '`' && language !== 'python')) {
      const triple = language === 'python' && code.startsWith(char.repeat(3), at) ? 3 : 1;
      const { value, end } = quotedAt(code, at + triple, char.repeat(triple));
      put(
        value,
        char === '`' && backticks === true,
        char !== "'" || language === 'js' || language === 'python',
      );
      at = end;
    } else {
      skeleton += char;
      at++;
    }
  }
  return { skeleton, texts };
}

/** Letters that begin a string: `q{…}`, `qx(…)`, `%x[…]`. */
const QUOTED_WORDS: { readonly [L in CodeLanguage]?: RegExp } = {
  perl: /(qx|qq|qw|q)\s*([({[</|!])/y,
  ruby: /(%x|%q|%Q|%w|%)([({[<|!])/y,
};
const INTERPOLATION: { readonly [L in CodeLanguage]?: RegExp } = {
  js: /\$\{/,
  python: /\{[^{}\s]+\}|%[sdr]/,
  perl: /[$@][\w{]/,
  ruby: /#\{/,
  php: /\$[\w{]/,
};

const lineEnd = (code: string, from: number): number => {
  const end = code.indexOf('\n', from);
  return end === -1 ? code.length : end;
};

function matching(code: string, from: number, open: string, close: string): number {
  let depth = 1;
  for (let at = from; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === '\\') at++;
    else if (char === close && --depth === 0) return at;
    else if (char === open && open !== close) depth++;
  }
  return code.length;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };
function quotedAt(
  code: string,
  from: number,
  quote: string,
): { readonly value: string; readonly end: number } {
  let value = '';
  for (let at = from; at < code.length; at++) {
    if (code.startsWith(quote, at)) return { value, end: at + quote.length };
    const char = code.charAt(at);
    if (char !== '\\') {
      value += char;
      continue;
    }
    ESCAPE.lastIndex = at;
    const [whole, hex, wide, octal] = ESCAPE.exec(code) ?? [];
    const next = code.charAt(at + 1);
    if (whole === undefined) value += ESCAPES[next] ?? next;
    else
      value += String.fromCharCode(
        Number.parseInt(octal ?? hex ?? wide ?? '0', octal === undefined ? 16 : 8),
      );
    at += whole === undefined ? 1 : whole.length - 1;
  }
  return { value, end: code.length };
}
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{1,6})\}?|([0-7]{2,3}))/y;
