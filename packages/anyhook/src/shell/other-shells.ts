/**
 * Splits the text of shells with another syntax (fish, nushell, PowerShell, cmd) where all of them end a command. A text that
 * may run more than its words show is in doubt.
 */

import { fixedWord, type ShellWord } from './word.ts';

/** Words before a command: `if test -f x`, `for f in *`, `$x =`, `each { |f|`. */
const BEFORE =
  /^(?:(?:if|else|elseif|elif|while|until|begin|do|end|then|fi|done|and|or|not|try|catch|finally|function|return|let|mut|const|each|par-each|foreach|ForEach-Object|%|where|Where-Object|\?)(?![\w.-])|for\s+\S+\s+in\b|set\s+(?:-\w+\s+)*\w+|\|[\w,\s]*\||\$[\w:.]+\s*=|@|\(|\^)\s*/i;

/** Deletes the files that a pipe lists, runs text as code, or starts another interpreter. */
const RISKY =
  /\|\s*(?:g?rm|del|erase|rd|rmdir|ri|Remove-\w+|Clear-\w+)(?![\w-])|(?<![\w./-])(?:g?rm|del|rd|rmdir|ri|Remove-Item)\s[^;|\n]*\(|(?<![\w./-])(?:eval|source|iex|icm|Invoke-\w+|Start-Process|saps|Add-Type|xargs|sudo|doas|ssh|sh|bash|zsh|cmd|pwsh|powershell)(?![\w-])|::(?:Delete|Move|Write|Start|Create|Invoke|Load)|\.(?:Delete|Invoke)\b|(?:^|[;|{(\n])\s*[&.]\s/i;

/** Its commands, word by word. */
export function commandsOfOther(text: string): readonly (readonly ShellWord[])[] {
  return piecesOf(text)
    .map((piece) => wordsOf(withoutLead(piece)))
    .filter((words) => words.length > 0);
}

/** Whether the text may do more than its words show. Quoted text is data. */
export const isInDoubt = (text: string): boolean =>
  RISKY.test(text.replaceAll(/'[^']*'|"[^"$]*"/g, "''")) ||
  piecesOf(text).some((piece) => !VALUE.test(piece) && isComputed(withoutLead(piece)));

/** The name of the command is a pattern, a variable or put together from parts, so it may be any command. */
const isComputed = (piece: string): boolean => {
  const [name = ''] = /^\S+/.exec(piece) ?? [];
  return !/^[-\w./\\:+@%=,<>!#]*$/.test(name) && !FIELD.test(name);
};
/** In PowerShell, reading a variable, a field or a class runs nothing. */
const FIELD = /^(?:\$(?:_|\w+(?=[.:[]))[\w.:[\]]*|\[[\w.]+\].*)$/;
/** A value rather than a command follows. A variable alone is a value too. */
const VALUE = /^(?:for\s+\S+\s+in\b|set\s|\$[\w:.]+\s*=|\$\w+$)/i;

function piecesOf(text: string): string[] {
  const pieces: string[] = [''];
  let quote = '';
  for (const char of text) {
    if (quote === '' && /[;\n{}()]|[|&]/.test(char)) pieces.push('');
    else pieces.push(`${pieces.pop() ?? ''}${char}`);
    if (quote === char) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
  }
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function withoutLead(piece: string): string {
  let rest = piece;
  for (let lead = BEFORE.exec(rest); lead !== null && lead[0] !== ''; lead = BEFORE.exec(rest))
    rest = rest.slice(lead[0].length);
  return rest;
}

const wordsOf = (piece: string): ShellWord[] =>
  [...piece.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(([, single, double, plain]) =>
    fixedWord(single ?? double ?? plain ?? ''),
  );
