/** One word of a command after quote removal, and how much of it is known before it runs. */

import type { Assignment, Word, WordPart } from 'unbash';
import type { Input } from './outputs.ts';

export interface ShellWord {
  /** Without quotes. Expansions that only run time knows keep their spelling. */
  readonly value: string;
  /** As written. */
  readonly text: string;
  /** The value is what the program receives, because run time expands nothing in it. */
  readonly fixed: boolean;
  /** The word stays one word, whatever it expands to. */
  readonly single: boolean;
  /** The part before the first expansion. */
  readonly lead: string;
  /** The parts outside expansions, joined. */
  readonly literal: string;
  /** The part after the last expansion. */
  readonly trail: string;
  /** The contents of the file, if the word is a `<(…)`. */
  readonly content?: Input;
}

export function readWord(node: Word | Assignment): ShellWord {
  if (node.type === 'Word') return shape(node.text, node.value, node.parts);
  const start = `${node.name}${node.append === true ? '+' : ''}=`;
  const known = node.index === undefined && node.value.type === 'Word' ? readWord(node.value) : undefined;
  if (known === undefined) {
    const words = node.value.type === 'Word' ? [node.value] : node.value.elements;
    const literal = words.map((word) => readWord(word).literal).join(' ');
    return {
      value: node.text,
      text: node.text,
      fixed: false,
      single: true,
      lead: node.name,
      literal,
      trail: '',
    };
  }
  return { ...known, value: start + known.value, text: node.text, single: true, lead: start + known.lead };
}

export const fixedWord = (value: string): ShellWord => ({
  value,
  text: value,
  fixed: true,
  single: true,
  lead: value,
  literal: value,
  trail: value,
});
/** The word as the program receives it, with its spelling in the text. */
export const knownWord = (value: string, text: string): ShellWord => ({ ...fixedWord(value), text });

/** A word that another program (`xargs`, `find`) adds at run time. */
export const HOLE: ShellWord = {
  value: '{}',
  text: '{}',
  fixed: false,
  single: true,
  lead: '',
  literal: '',
  trail: '',
};

/** `NAME=value` before a command. */
export const isSetting = (word: ShellWord): boolean => /^[A-Za-z_]\w*(?:%%)?\+?=/.test(word.lead);

/** `$(cat .env)`, `$(grep -v '^#' .env.local | xargs)`: the assignments in a file. */
export const readsSettings = ({ text }: ShellWord): boolean =>
  /^(?:\$\(|`)\s*(?:cat|e?grep|sed|awk)\s[^;&<>]*\.env(?:\.[\w.-]+)?\b[^;&<>]*[)`]$/.test(text);

/** The word, if run time replaces `token` in it. */
export const withHole = (word: ShellWord, token: string): ShellWord =>
  token !== '' && word.value.includes(token)
    ? { ...word, fixed: false, lead: word.value.slice(0, word.value.indexOf(token)) }
    : word;

function shape(text: string, value: string, parts: readonly WordPart[] | undefined): ShellWord {
  const state = { fixed: true, single: true, lead: '', literal: '', trail: '' };
  if (parts === undefined) add(state, value);
  else for (const part of parts) readPart(part, state);
  // Bash drops NUL bytes, so the program receives another word.
  if (value.includes('\0')) state.fixed = false;
  return { value, text, ...state };
}

interface WordState {
  fixed: boolean;
  single: boolean;
  lead: string;
  literal: string;
  trail: string;
}

function add(state: WordState, literal: string): void {
  if (state.fixed) state.lead += literal;
  state.literal += literal;
  state.trail += literal;
}

function readPart(part: WordPart, state: WordState): void {
  if (part.type === 'Literal' || part.type === 'SingleQuoted') return add(state, part.value);
  if (part.type === 'AnsiCQuoted' && PLAIN_ANSI_C.test(part.text)) return add(state, part.value);
  if (part.type === 'DoubleQuoted') {
    for (const child of part.parts) {
      if (child.type === 'Literal') add(state, child.value);
      else {
        state.fixed = false;
        state.trail = '';
        if (isMany(child)) state.single = false;
      }
    }
    return;
  }
  state.fixed = false;
  state.trail = '';
  if (!ALWAYS_SINGLE.has(part.type)) state.single = false;
}

/** The escapes that the parser and bash read alike. `\x{72}` and bytes outside ASCII are not among them. */
const PLAIN_ANSI_C =
  /^\$'(?:[^\\]|\\(?:[abeEfnrtv\\'"?]|[01][0-7]{2}|[0-7]{1,2}(?![0-7])|x[0-7][0-9a-fA-F]|x[0-9a-fA-F](?![0-9a-fA-F])|u00[0-7][0-9a-fA-F]|U000000[0-7][0-9a-fA-F]))*'$/s;
const ALWAYS_SINGLE = new Set<WordPart['type']>([
  'AnsiCQuoted',
  'LocaleString',
  'ProcessSubstitution',
  'ArithmeticExpansion',
]);

/** `"$@"` and `"${list[@]}"` become several words even in quotes. */
const isMany = (part: WordPart): boolean =>
  (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion') && /@/.test(part.text);

/** The program that a name starts: `/usr/bin/Git.exe` starts `Git`. */
export const programName = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\.(?:exe|cmd|bat|com)$/i, '');

/** Shortens a text for a message. */
export const clip = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text);

/** `$HOME/bin/tool`: the program is `tool`, whatever the folder is. */
export function baseBehind({ trail }: ShellWord): string | undefined {
  const base = trail.slice(trail.lastIndexOf('/') + 1);
  return trail.includes('/') && base !== '' ? base : undefined;
}

/** `~` and `~name` are home folders, and zsh reads `=name` as a path, so none of them names a command. */
export const isKnownName = (name: ShellWord): boolean =>
  name.fixed && !/^~[^/]*$/.test(name.text) && !name.text.startsWith('=');
