/**
 * Translates a JavaScript pattern to re2 with the same meaning, or returns null if that is impossible. The
 * two differ in more than look-around: `\s` and `.` match other characters, and `\p`, `\Q`, `\z`, `\a` and
 * `[[:alpha:]]` have other meanings.
 */
export function linearForm(source: string): string | null {
  if (/[\ud800-\udfff]/.test(source)) return null;
  let form = '';
  let inClass = false;
  for (let i = 0; i < source.length;) {
    const [token] = TOKEN.exec(source.slice(i)) ?? [source[i]!];
    const translated = inClass ? wordInClass(token) : word(token);
    if (translated === null) return null;
    if (token.startsWith('[') && !inClass) inClass = true;
    else if (token === ']') inClass = false;
    form += translated;
    i += token.length;
  }
  return form;
}

/** Matches an escape, the start of a class or group, or a single character. */
const TOKEN = /^(?:\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^])|\[\^?\]?|\(\?(?:<[=!]|[^])|[^])/;
/** Everything that `\s` matches in JavaScript. */
const SPACE =
  '\\t\\n\\x0b\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

function word(token: string): string | null {
  if (token === '.') return '[^\\n\\r\\x{2028}\\x{2029}]';
  if (token === '\\s') return `[${SPACE}]`;
  if (token === '\\S') return `[^${SPACE}]`;
  if (token === '\\b' || token === '\\B') return token;
  if (token.startsWith('\\')) return escaped(token);
  if (token.startsWith('(?')) return token === '(?:' || token === '(?<' ? token : null;
  if (token.startsWith('[')) return token.endsWith(']') ? null : token; // `[]` and `[^]` exist only in JavaScript
  return token;
}

function wordInClass(token: string): string | null {
  if (token === '\\s') return SPACE;
  if (token.startsWith('\\')) return token === '\\b' ? '\\x08' : escaped(token);
  if (token.startsWith('[')) return token === '[' ? '\\[' : null;
  return token.length === 1 ? token : null;
}

function escaped(token: string): string | null {
  if (/^\\(?:[dDwWnrtf]|x[\da-fA-F]{2}|[^\w\s])$/.test(token)) return token;
  if (token === '\\v') return '\\x0b';
  if (/^\\u[\da-f]{4}$/i.test(token) && !/^\\ud[89a-f]/i.test(token)) return `\\x{${token.slice(2)}}`;
  return null;
}
