/** Commands of editors, debuggers and database clients, which mark the text for a shell with a sign such as `!`. */

import { codeIn } from './code-in.ts';
import { type Inner, runsText, combine } from './inner.ts';
import { fixedWord } from './word.ts';

const SIGN =
  /^[\s:"'\d,$%.]*(?:silent!?\s+)?(?:[rw]\s*)?(?:!+|\\!|\.(?:shell|system|sh|sys)\s|(?:shell|system|sh|exec|spawn|pipe|!)\s)\s*(.*)$/;

export function looseIn(text: string, name: string): Inner {
  const lines = text.replaceAll('\\\n', '').split('\n').slice(0, 500);
  const behind = lines.flatMap((line) => {
    const [, command = ''] = SIGN.exec(line) ?? [];
    const later = line.includes('!') ? line.slice(line.indexOf('!') + 1) : '';
    return [command, later === command ? '' : later].filter((found) => found.trim() !== '');
  });
  const clean = behind.map((found) => found.replace(/["')]*\s*$/, ''));
  return combine(codeIn(text, 'other', name), ...clean.map((found) => runsText(fixedWord(found))));
}
