/**
 * Reads a settings file: JSON with comments and trailing commas, and the position of every value. A file with
 * an error is rejected as a whole.
 */

import {
  DEEPEST,
  ParseError,
  parseJson,
  type Position,
  type ValuePositions,
  withoutBom,
} from './document-parse.ts';
import type { Problem, ProblemCode } from './problems.ts';

export {
  looksLikeJson,
  readFencedJson,
  readFirstDocument,
  readStrictJson,
  type StrictRead,
} from './document-strict.ts';

export type Path = readonly (string | number)[];

export interface Document {
  readonly file: string;
  /** Undefined if the file was rejected. Read only own keys, because a key can have any name. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Returns the position of a value, or of the nearest parent that exists. */
  at(path: Path): Position;
  /** Returns the position of the value's key. */
  keyAt(path: Path): Position;
}

export const LARGEST_BYTES = 1024 * 1024;

export function readDocument(text: string, file: string): Document {
  const positions: ValuePositions = new Map();
  const rejected = (problems: Problem[]): Document => ({
    file,
    value: undefined,
    problems,
    at: () => ({ line: 1, column: 1 }),
    keyAt: () => ({ line: 1, column: 1 }),
  });
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST_BYTES) return rejected([tooLarge(file, bytes)]);
  try {
    const { value, start, duplicates } = parseJson(withoutBom(text), { relaxed: true, positions });
    if (duplicates.length > 0) return rejected(duplicates.map((fault) => problemOf(fault, file)));
    const position = (path: Path, which: 'key' | 'value') => positionOf(value, path, which, positions, start);
    return {
      file,
      value,
      problems: [],
      at: (path) => position(path, 'value'),
      keyAt: (path) => position(path, 'key'),
    };
  } catch (fault) {
    if (fault instanceof ParseError) return rejected([problemOf(fault, file)]);
    throw fault;
  }
}

function positionOf(
  root: unknown,
  path: Path,
  which: 'key' | 'value',
  positions: ValuePositions,
  start: Position,
): Position {
  let place = start;
  let value = root;
  for (const [depth, step] of path.entries()) {
    if (typeof value !== 'object' || value === null) break;
    const position = positions.get(value)?.get(step);
    if (position === undefined) break;
    place = depth === path.length - 1 ? position[which] : position.value;
    value = (value as Record<string | number, unknown>)[step]; // the step has a position, so it is an own key
  }
  return place;
}

const REMEDIES: Record<ParseError['code'], { code: ProblemCode; remedy: string }> = {
  syntax: { code: 'syntax', remedy: 'No part of this file is used until this is fixed.' },
  partial: {
    code: 'syntax',
    remedy: 'The file seems to be truncated. No part of it is used until this is fixed.',
  },
  'too-deep': {
    code: 'too-deep',
    remedy: `At most ${DEEPEST} levels are allowed. No part of this file is used until this is fixed.`,
  },
  'duplicate-key': {
    code: 'duplicate-key',
    remedy: 'Remove one of them. No part of this file is used until this is fixed.',
  },
};
function problemOf({ code, message, at }: ParseError, file: string): Problem {
  return { ...REMEDIES[code], file, ...at, message: `${message}.`, severity: 'error' };
}
const tooLarge = (file: string, bytes: number): Problem => ({
  code: 'file-too-large',
  file,
  message: `has ${bytes} bytes, the limit is ${LARGEST_BYTES}.`,
  remedy: 'Split it, or move data out of it. No part of this file is used until then.',
  severity: 'error',
});
