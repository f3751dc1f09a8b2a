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
export function parseJson(text: string, { relaxed, prefix, positions }: Grammar = {}): ParsedDocument {
  const scanner = makeScanner()(text, false);
  const duplicates: ParseError[] = [];
  let token: number = 0;
  let end = 0;

  const is = (kind: number): boolean => token === kind;
  const here = (): Position => ({
    line: scanner.getTokenStartLine() + 1,
    column: scanner.getTokenStartCharacter() + 1,
  });
  function fail(message: string, code: ParseError['code'] = 'syntax'): never {
    throw new ParseError(is(END) ? 'partial' : code, message, here(), scanner.getPosition());
  }
  const missing = (what: string): never =>
    fail(`expected ${what}, found ${is(END) ? 'the end of the text' : found()}`);
  const found = (): string => {
    const word = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    return JSON.stringify(word.length > 30 ? `${word.slice(0, 30)}…` : word);
  };

  function advance(): void {
    end = scanner.getPosition();
    do {
      token = scanner.scan();
      const fault = SCAN_FAULTS[scanner.getTokenError()];
      if (fault)
        throw new ParseError(
          fault.startsWith('unterminated') ? 'partial' : 'syntax',
          fault,
          here(),
          scanner.getPosition(),
        );
      if (!relaxed && (is(LINE_COMMENT) || is(BLOCK_COMMENT))) fail('comments are not allowed in JSON');
    } while (token >= LINE_COMMENT && token <= LAST_TRIVIA);
  }
  function take<T>(value: T): T {
    // The text after the only requested value need not be JSON.
    if (prefix && depth === 0) end = scanner.getPosition();
    else advance();
    return value;
  }

  let depth = 0;
  function readValue(): unknown {
    if (is(OPEN)) return inside(readObject);
    if (is(OPEN_LIST)) return inside(readList);
    if (is(STRING)) return take(scanner.getTokenValue());
    if (is(NUMBER)) return take(readNumber());
    if (is(NULL)) return take(null);
    if (is(TRUE)) return take(true);
    if (is(FALSE)) return take(false);
    return missing('a value');
  }
  function readNumber(): number {
    const number = Number(scanner.getTokenValue());
    if (!relaxed && !Number.isFinite(number)) fail('number out of range');
    return number;
  }
  function inside<T>(read: () => T): T {
    if (++depth > DEEPEST) fail(`nested more than ${DEEPEST} levels deep`, 'too-deep');
    advance();
    const value = read();
    depth--;
    return take(value);
  }
  function readObject(): object {
    const object: Record<string, unknown> = {};
    const places = new Map<string | number, ValuePosition>();
    while (!is(CLOSE)) {
      if (!is(STRING)) missing('a key in double quotes');
      const [name, key] = [scanner.getTokenValue(), here()];
      if (!relaxed && name === '__proto__') fail('the key "__proto__" is not allowed');
      advance();
      if (!is(COLON)) missing('a colon');
      advance();
      const value = here();
      const read = readValue();
      const first = places.get(name);
      if (first) duplicates.push(new ParseError('duplicate-key', twice(name, first.key), key, end));
      else {
        put(object, name, read);
        places.set(name, { key, value });
      }
      if (!comma(CLOSE, 'a comma or a closing brace')) break;
    }
    positions?.set(object, places);
    return object;
  }
  function readList(): unknown[] {
    const list: unknown[] = [];
    const places = positions && new Map<string | number, ValuePosition>();
    while (!is(CLOSE_LIST)) {
      const at = places && here();
      if (at) places.set(list.length, { key: at, value: at });
      list.push(readValue());
      if (!comma(CLOSE_LIST, 'a comma or a closing bracket')) break;
    }
    if (places) positions.set(list, places);
    return list;
  }
  /** Returns false at the end of the object or list. */
  function comma(close: number, what: string): boolean {
    if (is(close)) return false;
    if (!is(COMMA)) missing(what);
    advance();
    if (is(close) && !relaxed) fail('trailing commas are not allowed in JSON');
    return true;
  }

  advance();
  const start = here();
  const value = readValue();
  if (!prefix && !is(END))
    fail(is(OPEN) || is(OPEN_LIST) ? 'unexpected second document' : `unexpected text: ${found()}`);
  return { value, start, end, duplicates };
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
