/** A settings file: JSON with comments and trailing commas, and where everything in it stands. Whole or not at all. */
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
  /** Undefined when the file was rejected. Read own keys only: any name can be one. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Where a value stands; the nearest thing around it when it is not there. */
  at(path: Path): Position;
  /** Where its key stands. */
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
    value = (value as Record<string | number, unknown>)[step]; // a position is there, so the key is its own
  }
  return place;
}

const REMEDIES: Record<ParseError['code'], { code: ProblemCode; remedy: string }> = {
  syntax: { code: 'syntax', remedy: 'Nothing of this file is used until it is mended.' },
  partial: { code: 'syntax', remedy: 'The file seems cut off; nothing of it is used until it is whole.' },
  'too-deep': {
    code: 'too-deep',
    remedy: `At most ${DEEPEST} levels are read; nothing of this file is used.`,
  },
  'duplicate-key': {
    code: 'duplicate-key',
    remedy: 'Only one of them can count: remove the other. Nothing of this file is used until then.',
  },
};
function problemOf({ code, message, at }: ParseError, file: string): Problem {
  return { ...REMEDIES[code], file, ...at, message: `${message}.`, severity: 'error' };
}
const tooLarge = (file: string, bytes: number): Problem => ({
  code: 'file-too-large',
  file,
  message: `has ${bytes} bytes, at most ${LARGEST_BYTES} are read.`,
  remedy: 'Nothing of this file is used: split it, or move data out of it.',
  severity: 'error',
});
