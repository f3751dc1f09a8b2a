/** The `undo` key of `hooks.json`. */

import { flag, listOf, object, type Shape, text, whole } from './checker.ts';

export interface UndoSettings {
  /** Refuses a call that may change files if the state before it could not be stored. */
  readonly required: boolean;
  /** Also stores what a recognised `rm` or `mv` takes away outside the project. */
  readonly outside: boolean;
  /** A larger file is left out. */
  readonly maxFileBytes: number;
  /** A project with more than this is too large: undo is off there. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Folders that a command can make again (`node_modules`) are left out as a whole beyond these totals. */
  readonly bulkyBytes: number;
  readonly bulkyFiles: number;
  /** The most that is stored of what one call takes away outside the project. */
  readonly outsideBytes: number;
  /** Names of files and folders, or paths below the project, that are left out. */
  readonly skip: readonly string[];
  readonly keepDays: number;
  /** Of all snapshots of one project. The oldest are removed first. */
  readonly keepBytes: number;
}

const MEGABYTE = 1_000_000;
export const DEFAULT_UNDO: UndoSettings = {
  required: false,
  outside: false,
  maxFileBytes: 500 * MEGABYTE,
  maxBytes: 4000 * MEGABYTE,
  maxFiles: 100_000,
  bulkyBytes: 500 * MEGABYTE,
  bulkyFiles: 20_000,
  outsideBytes: 100 * MEGABYTE,
  skip: [],
  keepDays: 14,
  keepBytes: 10_000 * MEGABYTE,
};

const bytes = whole(0, Number.MAX_SAFE_INTEGER);
const count = whole(0, 10_000_000);

export const UNDO_FIELDS = {
  required: flag,
  outside: flag,
  maxFileBytes: bytes,
  maxBytes: bytes,
  maxFiles: count,
  bulkyBytes: bytes,
  bulkyFiles: count,
  outsideBytes: bytes,
  skip: listOf(text),
  keepDays: whole(1, 3650),
  keepBytes: bytes,
} as const satisfies { readonly [K in keyof UndoSettings]: Shape<UndoSettings[K]> };

const FIELDS = object(UNDO_FIELDS);

/** One file or program: on, off, or on with any of the fields. */
export type UndoChoice = boolean | Partial<UndoSettings>;
export const undo: Shape<UndoChoice> = (spot) =>
  typeof spot.value === 'boolean' ? spot.value : FIELDS(spot);

/** Undefined: undo is off. The first that is given wins; the first are those of the administrator. */
export function mergedUndo(choices: readonly UndoChoice[]): UndoSettings | undefined {
  const [first] = choices;
  if (first === undefined || first === false) return undefined;
  const fields = choices.filter((choice) => typeof choice === 'object');
  return Object.assign({}, DEFAULT_UNDO, ...fields.toReversed()) as UndoSettings;
}
