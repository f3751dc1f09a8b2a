/**
 * The values of variables, substitutions and files, as far as the text itself says: `X=rm; $X -rf y`, `$(echo rm)`,
 * `echo 'rm y' | sh`. A word with an unknown value keeps its spelling.
 */

import type { Assignment, Command, CommandNode, ParsedScript, Redirection, Word, WordPart } from 'unbash';
import { filtered, type Input, textOf } from './outputs.ts';
import { readWord, type ShellWord } from './word.ts';

/** Marks the unknown part of a word that is partly known. */
export const UNKNOWN = '\uE002';

export interface Open {
  readonly done: readonly string[];
  readonly last: string;
  readonly begun: boolean;
}
/** Words of an expansion. The first one joins the text before it, the last one the text after it. */
export interface WordPiece {
  readonly words: readonly string[];
  /** Whether there is a space before the first word, or after the last. */
  readonly breaks?: { readonly before: boolean; readonly after: boolean };
}

export function join({ done, last, begun }: Open, { words, breaks }: WordPiece): Open {
  const before = breaks?.before === true && begun ? [...done, last] : [...done];
  const start = breaks?.before === true ? '' : last;
  if (words.length === 0) return { done: before, last: start, begun: begun && breaks?.before !== true };
  const all = [`${start}${words[0]}`, ...words.slice(1)];
  return breaks?.after === true
    ? { done: [...before, ...all], last: '', begun: false }
    : { done: [...before, ...all.slice(0, -1)], last: all.at(-1) ?? '', begun: true };
}

export function splitPieces(text: string): WordPiece {
  const words = text.split(/[ \t\n]+/).filter((word) => word !== '');
  return { words, breaks: { before: /^\s/.test(text), after: /\s$/.test(text) } };
}

/** The words of `{a,,b}` without nested lists and without unknown parts. */
export const braceElements = (text: string): string[] | undefined =>
  /^\{([^{}'"\\`$]*,[^{}'"\\`$]*)\}$/.exec(text)?.[1]?.split(',');

/** The words of `{rm,-rf,y}`, a list without nested lists. */
export function braceWords(text: string, known: 'all' | 'around'): WordPiece[] | undefined {
  const inside = /^\{([^{}'"\\`]*,[^{}'"\\`]*)\}$/.exec(text)?.[1];
  if (inside === undefined || (inside.includes('$') && known === 'all')) return undefined;
  const words = inside.split(',').filter((word) => word !== '');
  return [{ words: words.map((word) => (word.includes('$') ? `${UNKNOWN}${word}${UNKNOWN}` : word)) }];
}

export function element(values: readonly (readonly string[])[] | undefined, index: string) {
  if (index === '@' || index === '*') return values;
  const at = Number(index);
  const found = values?.map((words) => words.at(at));
  return found?.every((word) => word !== undefined) ? found.map((word) => [word]) : undefined;
}

const MOST_ALTERNATIVES = 8;
const LONGEST_VALUE = 16 * 1024;
/** How many words and commands may be read to find the values of others. */
const MOST_STEPS = 1_000;

/** Variables that usually name programs, unless the text sets them. */
const CUSTOMARY: Readonly<Record<string, string>> = {
  SHELL: 'sh',
  BASH: 'bash',
  '0': 'bash',
  MAKE: 'make',
  PYTHON: 'python3',
  PYTHON3: 'python3',
  NODE: 'node',
  NPM: 'npm',
  CC: 'cc',
  CXX: 'c++',
  EDITOR: 'vi',
  VISUAL: 'vi',
  PAGER: 'less',
  SUDO: 'sudo',
};

export class Values {
  readonly #variables = new Map<string, string[][]>();
  readonly #files = new Map<string, string>();
  #steps = 0;
  #around = false;
  readonly #aliases = new Map<string, string>();

  /** Adds a value that the variable may have; several words for an array. */
  add(name: string, value: readonly string[]): void {
    const known = this.#variables.get(name) ?? [];
    if (known.length < MOST_ALTERNATIVES && value.join(' ').length <= LONGEST_VALUE)
      this.#variables.set(name, [...known, [...value]]);
  }

  /** The value, as far as the text says; after `+=`, the whole value. */
  assign(node: Assignment): readonly string[] | undefined {
    if (node.index !== undefined) return undefined;
    const words = node.value.type === 'Word' ? [node.value] : node.value.elements;
    const values = words.map((word) => this.expand(word, 'value')?.[0]);
    if (!values.every((value) => value !== undefined)) return undefined;
    const flat = node.value.type === 'Word' ? [values.flat().join(' ')] : values.flat();
    const before = node.append === true ? (this.#variables.get(node.name)?.at(-1) ?? []) : [];
    const joined =
      node.value.type === 'Word' ? [`${before.join(' ')}${flat.join('')}`] : [...before, ...flat];
    this.add(node.name, joined);
    return joined;
  }

  /** `alias q=rm`, `ln -s /bin/rm q`: another name of a command. */
  rename(name: string, command: string): void {
    this.#aliases.set(plainPath(name), command);
  }
  otherName(name: string): string | undefined {
    return this.#aliases.get(plainPath(name));
  }

  /** `echo 'rm y' > f; sh f`: the contents of a file that the text itself writes. */
  write(target: ShellWord, text: string): void {
    if (target.fixed && text.length <= LONGEST_VALUE) this.#files.set(plainPath(target.value), text);
  }
  fileText(path: string): string | undefined {
    return this.#files.get(plainPath(path));
  }

  /** Expands a word with unknown parts, which stay between marks. */
  expandAround(word: Word): readonly (readonly string[])[] | undefined {
    this.#around = true;
    try {
      return this.expand(word);
    } finally {
      this.#around = false;
    }
  }

  /** The words that a word may become, one list per possibility; undefined if the text does not say. */
  expand(word: Word, use: 'word' | 'value' = 'word'): readonly (readonly string[])[] | undefined {
    const parts = word.parts ?? [];
    if (this.#steps++ > MOST_STEPS) return undefined;
    if (parts.length === 0) return [[word.value]];
    const list = use === 'word' && parts.length > 1 ? parts.findIndex(isBraces) : -1;
    if (list !== -1) return this.#spread(word, parts, list);
    let open: Open[] = [{ done: [], last: '', begun: false }];
    for (const part of parts) {
      const pieces = this.#piecesOf(part, use);
      if (pieces === undefined) return undefined;
      open = open.flatMap((state) => pieces.map((piece) => join(state, piece)));
      if (open.length > MOST_ALTERNATIVES) open = open.slice(0, MOST_ALTERNATIVES);
    }
    return open.map(({ done, last, begun }) => (begun ? [...done, last] : done));
  }

  /** `a{,.bak}` becomes `a a.bak`: the text around a list is added to each of its words. */
  #spread(word: Word, parts: readonly WordPart[], at: number): readonly (readonly string[])[] | undefined {
    let lists: readonly (readonly string[])[] = [[]];
    const { text, pos, end } = parts[at]!;
    const values = braceElements(text);
    if (values === undefined) return undefined;
    for (const value of values) {
      const own: WordPart = { type: 'Literal', value, text: value, pos, end };
      const found = this.expand({ ...word, parts: [...parts.slice(0, at), own, ...parts.slice(at + 1)] });
      if (found === undefined) return undefined;
      lists = lists
        .flatMap((before) => found.map((words) => [...before, ...words]))
        .slice(0, MOST_ALTERNATIVES);
    }
    return lists;
  }

  #piecesOf(part: WordPart, use: 'word' | 'value'): WordPiece[] | undefined {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
        return [{ words: [part.value] }];
      case 'AnsiCQuoted':
        return readWord({ type: 'Word', text: part.text, value: part.value, pos: 0, end: 0, parts: [part] })
          .fixed
          ? [{ words: [part.value] }]
          : undefined;
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#quoted(part.parts);
      case 'BraceExpansion':
        return use === 'value'
          ? [{ words: [part.text] }]
          : braceWords(part.text, this.#around ? 'around' : 'all');
      case 'SimpleExpansion':
      case 'ParameterExpansion':
      case 'CommandExpansion': {
        const values = this.#valuesOf(part);
        if (use === 'value' || values === undefined)
          return values?.map((words) => ({ words: [words.join(' ')] }));
        // An unknown part keeps the spaces of its spelling.
        return values
          .map((words) => words.join(' '))
          .map((text) => (text.startsWith(UNKNOWN) ? { words: [text] } : splitPieces(text)));
      }
      default:
        return undefined;
    }
  }

  /** Values in double quotes are not split, except that `"${list[@]}"` becomes one word per element. */
  #quoted(parts: readonly WordPart[]): WordPiece[] | undefined {
    let pieces: WordPiece[] = [{ words: [''] }];
    for (const part of parts) {
      const values = part.type === 'Literal' ? [[part.value]] : this.#valuesOf(part);
      if (values === undefined) return undefined;
      const isMany = parts.length === 1 && /[@]/.test(part.text) && part.type !== 'CommandExpansion';
      pieces = isMany
        ? values.map((words) => ({ words }))
        : pieces.flatMap(({ words }) =>
            values.map((value) => ({ words: [`${words[0]}${value.join(' ')}`] })),
          );
      if (pieces.length > MOST_ALTERNATIVES) pieces = pieces.slice(0, MOST_ALTERNATIVES);
    }
    return pieces;
  }

  #valuesOf(part: WordPart): readonly (readonly string[])[] | undefined {
    const values = this.#knownValues(part);
    return values === undefined && this.#around ? [[`${UNKNOWN}${part.text}${UNKNOWN}`]] : values;
  }

  #knownValues(part: WordPart): readonly (readonly string[])[] | undefined {
    if (part.type === 'CommandExpansion') {
      const text = part.script === undefined ? undefined : this.outputOf(part.script);
      return text === undefined ? undefined : [[text.replace(/\n+$/, '')]];
    }
    if (part.type === 'SimpleExpansion') return this.#lookUp(part.text.slice(1));
    if (part.type !== 'ParameterExpansion' || part.prefix !== undefined) return undefined;
    const { operation, index } = part;
    const own = this.#lookUp(part.parameter);
    if (operation === undefined) return index === undefined ? own : element(own, index.value);
    if (operation.type !== 'Default' || index !== undefined) return undefined;
    if (operation.operator.includes('?')) return own;
    const other = this.expand(operation.operand, 'value');
    if (operation.operator.includes('+')) return other;
    return other === undefined ? own : [...(own ?? []), ...other];
  }

  #lookUp(name: string): readonly (readonly string[])[] | undefined {
    if (name === 'IFS') return [[' ']];
    const all = name === '*' ? '@' : name;
    const set = this.#variables.get(all);
    if (set !== undefined) return set;
    const position = /^[1-9]$/.test(name)
      ? this.#variables.get('@')?.map((words) => words[Number(name) - 1])
      : [];
    if (position?.every((word) => word !== undefined) && position.length > 0)
      return position.map((word) => [word]);
    const customary = Object.hasOwn(CUSTOMARY, name) ? CUSTOMARY[name] : undefined;
    return customary === undefined ? undefined : [[customary]];
  }

  /** The output of a substitution whose program only prints its arguments or input. */
  outputOf(script: ParsedScript): string | undefined {
    const [statement, ...more] = script.commands;
    if (statement === undefined || more.length > 0) return undefined;
    const around = this.#around;
    this.#around = false; // half-known text is no text
    const input = this.streamOf(statement.command as CommandNode);
    this.#around = around;
    return input?.kind === 'text' ? input.text : undefined;
  }

  /** The output of a command or a pipeline. */
  streamOf(
    node: CommandNode | { readonly type: 'Pipeline'; readonly commands: readonly CommandNode[] },
  ): Input {
    if (node.type !== 'Pipeline') return this.printed(node, undefined);
    let input: Input | undefined;
    for (const command of node.commands) input = this.printed(command, input);
    return input ?? { kind: 'elsewhere' };
  }

  /** The output of a command with this input. */
  printed(node: CommandNode, piped: Input | undefined): Input {
    if (this.#steps++ > MOST_STEPS || node.type !== 'Command' || node.name === undefined)
      return { kind: 'made', by: 'a group of commands' };
    const words = [node.name, ...node.args].map((word) =>
      word.type === 'Word' ? this.expand(word)?.[0] : [readWord(word).value],
    );
    const name = words[0]?.[0];
    if (name === undefined) return { kind: 'made', by: readWord(node.name).text };
    const input = this.inputOf(node, piped);
    const known = words.every((word) => word !== undefined) ? words.flat() : undefined;
    const texts = [node.name, ...node.args].map((word) => readWord(word).value);
    const printed = known === undefined ? undefined : textOf(known);
    return printed ?? filtered(name, known?.slice(1), input, texts.slice(1));
  }

  inputOf(node: Pick<Command, 'redirects'>, piped: Input | undefined): Input | undefined {
    return node.redirects.reduce<Input | undefined>(
      (input, redirect) => this.#redirected(redirect) ?? input,
      piped,
    );
  }

  #redirected(redirect: Redirection): Input | undefined {
    if (redirect.type === 'HereDoc') {
      const { body, delimiter } = redirect;
      const text = redirect.operator === '<<-' ? body.text.replaceAll(/^\t+/gm, '') : body.text;
      if (delimiter?.quoted === true || !/[$`\\]/.test(text)) return { kind: 'text', text };
      const word: Word = { type: 'Word', text, value: text, pos: 0, end: 0, parts: body.parts };
      return { kind: 'text', text: this.expand(word, 'value')?.[0]?.join(' ') ?? text };
    }
    if (redirect.target === undefined) return undefined;
    if (redirect.type === 'HereString') {
      const text = this.expand(redirect.target, 'value')?.[0]?.join(' ') ?? readWord(redirect.target).value;
      return { kind: 'text', text: `${text}\n` };
    }
    if (redirect.operator !== '<' && redirect.operator !== '<>') return undefined;
    return this.contentOf(redirect.target);
  }

  /** The output that replaces a word which is only a substitution: `$(…)`, `"$(…)"`, `<(…)`. */
  substituted(word: Word): Input | undefined {
    const [outer, ...more] = word.parts ?? [];
    const [part, ...rest] = outer?.type === 'DoubleQuoted' ? outer.parts : [outer];
    if (part === undefined || more.length > 0 || rest.length > 0) return undefined;
    if (part.type !== 'CommandExpansion' && part.type !== 'ProcessSubstitution') return undefined;
    const [statement, ...others] = part.script?.commands ?? [];
    if (statement === undefined || others.length > 0) return { kind: 'made', by: 'a group of commands' };
    return this.streamOf(statement.command as CommandNode);
  }

  /** The contents of the file that a word names, such as `<(…)`. */
  contentOf(word: Word): Input {
    const made = this.substituted(word);
    if (made !== undefined && /^[<>]\(/.test(word.text)) return made;
    const path = this.expand(word, 'value')?.[0]?.[0];
    const text = path === undefined ? undefined : this.fileText(path);
    if (text !== undefined) return { kind: 'text', text };
    return path === undefined ? { kind: 'elsewhere' } : { kind: 'elsewhere', paths: [path] };
  }
}

const isBraces = ({ type }: WordPart): boolean => type === 'BraceExpansion';
const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '');
