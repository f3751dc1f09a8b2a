/**
 * Parses JSON and records positions. Stops at the first error, because a partly read document would silently
 * lose the guards at its end.
 */

import { createRequire } from 'node:module';
import type { createScanner } from 'jsonc-parser';

export interface Position {
  readonly line: number;
  readonly column: number;
}
/** Position of a value and of its key, if it has one. */
export interface ValuePosition {
  readonly key: Position;
  readonly value: Position;
}
/** Indexed by object or list, then by key or index. */
export type ValuePositions = Map<object, Map<string | number, ValuePosition>>;

export class ParseError extends Error {
  readonly code: 'syntax' | 'too-deep' | 'duplicate-key' | 'partial';
  readonly at: Position;
  /** Offset up to which the text was read. */
  readonly reached: number;
  constructor(code: ParseError['code'], message: string, at: Position, reached: number) {
    super(message);
    this.code = code;
    this.at = at;
    this.reached = reached;
  }
}

export interface Grammar {
  /** Allows comments and trailing commas. */
  readonly relaxed?: true;
  /** Reads only the first value and ignores what follows it. */
  readonly prefix?: true;
  /** Receives the positions of all values. */
  readonly positions?: ValuePositions;
}
export interface ParsedDocument {
  readonly value: unknown;
  readonly start: Position;
  /** Offset after the value. */
  readonly end: number;
  /** Keys that occur twice in one object. The value has the first. */
  readonly duplicates: readonly ParseError[];
}

export const DEEPEST = 64;

// The package's `SyntaxKind` is a const enum, which isolated modules cannot use.
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, COLON] = [1, 2, 3, 4, 5, 6] as const;
const [NULL, TRUE, FALSE, STRING, NUMBER, LINE_COMMENT, BLOCK_COMMENT] = [7, 8, 9, 10, 11, 12, 13] as const;
const [LAST_TRIVIA, END] = [15, 17] as const;
const SCAN_FAULTS = [
  '',
  'unterminated comment',
  'unterminated string',
  'unterminated number',
  'invalid \\u escape in a string',
  'invalid escape in a string',
  'unescaped control character in a string',
];

/** Throws a `ParseError`. */
export const parseJson = (text: string, grammar: Grammar = {}): ParsedDocument =>
  new JsonReader(text, grammar).read();

/** A recursive-descent parser. Each method starts at the current token and ends at the one after its value. */
class JsonReader {
  readonly #text: string;
  readonly #relaxed: boolean;
  readonly #prefix: boolean;
  readonly #positions: ValuePositions | undefined;
  readonly #scanner: ReturnType<typeof createScanner>;
  readonly #duplicates: ParseError[] = [];
  #token = 0;
  #end = 0;
  #depth = 0;

  constructor(text: string, { relaxed, prefix, positions }: Grammar) {
    this.#text = text;
    this.#relaxed = relaxed === true;
    this.#prefix = prefix === true;
    this.#positions = positions;
    this.#scanner = makeScanner()(text, false);
  }

  read(): ParsedDocument {
    this.#advance();
    const start = this.#here();
    const value = this.#readValue();
    if (!this.#prefix && !this.#is(END))
      this.#fail(
        this.#is(OPEN) || this.#is(OPEN_LIST)
          ? 'unexpected second document'
          : `unexpected text: ${this.#found()}`,
      );
    return { value, start, end: this.#end, duplicates: this.#duplicates };
  }

  #is(kind: number): boolean {
    return this.#token === kind;
  }
  #here(): Position {
    return {
      line: this.#scanner.getTokenStartLine() + 1,
      column: this.#scanner.getTokenStartCharacter() + 1,
    };
  }
  #fail(message: string, code: ParseError['code'] = 'syntax'): never {
    throw new ParseError(
      this.#is(END) ? 'partial' : code,
      message,
      this.#here(),
      this.#scanner.getPosition(),
    );
  }
  #missing(what: string): never {
    return this.#fail(`expected ${what}, found ${this.#is(END) ? 'the end of the text' : this.#found()}`);
  }
  #found(): string {
    const from = this.#scanner.getTokenOffset();
    const word = this.#text.slice(from, from + this.#scanner.getTokenLength());
    return JSON.stringify(word.length > 30 ? `${word.slice(0, 30)}…` : word);
  }

  #advance(): void {
    this.#end = this.#scanner.getPosition();
    do {
      this.#token = this.#scanner.scan();
      const fault = SCAN_FAULTS[this.#scanner.getTokenError()];
      if (fault)
        throw new ParseError(
          fault.startsWith('unterminated') ? 'partial' : 'syntax',
          fault,
          this.#here(),
          this.#scanner.getPosition(),
        );
      if (!this.#relaxed && (this.#is(LINE_COMMENT) || this.#is(BLOCK_COMMENT)))
        this.#fail('comments are not allowed in JSON');
    } while (this.#token >= LINE_COMMENT && this.#token <= LAST_TRIVIA);
  }
  #take<T>(value: T): T {
    // The text after the only requested value need not be JSON.
    if (this.#prefix && this.#depth === 0) this.#end = this.#scanner.getPosition();
    else this.#advance();
    return value;
  }

  #readValue(): unknown {
    if (this.#is(OPEN)) return this.#inside(() => this.#readObject());
    if (this.#is(OPEN_LIST)) return this.#inside(() => this.#readList());
    if (this.#is(STRING)) return this.#take(this.#scanner.getTokenValue());
    if (this.#is(NUMBER)) return this.#take(this.#readNumber());
    if (this.#is(NULL)) return this.#take(null);
    if (this.#is(TRUE)) return this.#take(true);
    if (this.#is(FALSE)) return this.#take(false);
    return this.#missing('a value');
  }
  #readNumber(): number {
    const number = Number(this.#scanner.getTokenValue());
    if (!this.#relaxed && !Number.isFinite(number)) this.#fail('number out of range');
    return number;
  }
  #inside<T>(read: () => T): T {
    if (++this.#depth > DEEPEST) this.#fail(`nested more than ${DEEPEST} levels deep`, 'too-deep');
    this.#advance();
    const value = read();
    this.#depth--;
    return this.#take(value);
  }
  #readObject(): object {
    const object: Record<string, unknown> = {};
    const places = new Map<string | number, ValuePosition>();
    while (!this.#is(CLOSE)) {
      if (!this.#is(STRING)) this.#missing('a key in double quotes');
      const [name, key] = [this.#scanner.getTokenValue(), this.#here()];
      if (!this.#relaxed && name === '__proto__') this.#fail('the key "__proto__" is not allowed');
      this.#advance();
      if (!this.#is(COLON)) this.#missing('a colon');
      this.#advance();
      const value = this.#here();
      const read = this.#readValue();
      const first = places.get(name);
      if (first)
        this.#duplicates.push(new ParseError('duplicate-key', twice(name, first.key), key, this.#end));
      else {
        put(object, name, read);
        places.set(name, { key, value });
      }
      if (!this.#comma(CLOSE, 'a comma or a closing brace')) break;
    }
    this.#positions?.set(object, places);
    return object;
  }
  #readList(): unknown[] {
    const list: unknown[] = [];
    const places = this.#positions && new Map<string | number, ValuePosition>();
    while (!this.#is(CLOSE_LIST)) {
      const at = places && this.#here();
      if (at) places.set(list.length, { key: at, value: at });
      list.push(this.#readValue());
      if (!this.#comma(CLOSE_LIST, 'a comma or a closing bracket')) break;
    }
    if (places) this.#positions?.set(list, places);
    return list;
  }
  /** Returns false at the end of the object or list. */
  #comma(close: number, what: string): boolean {
    if (this.#is(close)) return false;
    if (!this.#is(COMMA)) this.#missing(what);
    this.#advance();
    if (this.#is(close) && !this.#relaxed) this.#fail('trailing commas are not allowed in JSON');
    return true;
  }
}

/** Removes one byte order mark, which some Windows editors write and most parsers reject. */
export const withoutBom = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

const twice = (name: string, first: Position): string =>
  `duplicate key ${JSON.stringify(name)}, first at ${first.line}:${first.column}`;

/**
 * Defines inherited names instead of assigning them: `__proto__` stays a key, and a frozen prototype does not
 * throw.
 */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key in object)
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

let scanners: typeof createScanner | undefined;
/**
 * Loads only the scanner. The package's entry point also loads a formatter and an editor, which triples the
 * start-up cost.
 */
function makeScanner(): typeof createScanner {
  scanners ??= (
    createRequire(import.meta.url)('jsonc-parser/lib/umd/impl/scanner.js') as {
      createScanner: typeof createScanner;
    }
  ).createScanner;
  return scanners;
}
