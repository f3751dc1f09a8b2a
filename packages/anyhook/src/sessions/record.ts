/** What is remembered of one agent session between its events. */
import { isFields } from '../events/fields.ts';
import type { Ruling } from '../events/outcome.ts';
import type { BoundFiles } from '../settings/bound-files.ts';

/** What a guard was made of when a session was bound to it. */
export interface BoundGuard {
  /** As its user knows it. */
  readonly label: string;
  /** All that its entry says about how strict it is. */
  readonly entry: string;
  /** Of the project: a change of it is a question of trust, or everyday work. */
  readonly isProjects: boolean;
  readonly files: BoundFiles;
  /** The path that each program it starts resolved to. */
  readonly programs: Readonly<Record<string, string>>;
}
/** By the id of the hook. */
export type BoundGuards = Readonly<Record<string, BoundGuard>>;

/** Text of a background hook that waits for an event that can carry it. */
export type LateText = Ruling['said'][number];

export interface SessionRecord {
  /** The guards that the session is bound to, from its first tool call on. */
  readonly guards?: BoundGuards;
  /** Size of the file of guard acts when the guards were bound: an act after that may accept a change. */
  readonly boundAt?: number;
  /** Size of the file of guard acts up to which the user has been told of them. */
  readonly announcedActs?: number;
  /** How many changes of guards that came with a reload the user has been told of. */
  readonly announcedReloads?: number;
  /** The changes of bound guards that the user has been told of, as JSON. */
  readonly announcedChanges?: string;
  /** The user has been told of a call that a waiting hook did not see. */
  readonly isUnaskedAnnounced?: true;
  /** Its guards were compared with those of the last session in the same folder. */
  readonly isComparedWithLast?: true;
  /** Hashes of calls that a hook asked about, with the time of the question in milliseconds since 1970. */
  readonly questions?: Readonly<Record<string, number>>;
  /** How many stops in a row were answered with "go on", by event and subagent. */
  readonly resumes?: Readonly<Record<string, number>>;
  readonly lateTexts?: readonly LateText[];
}

export const EMPTY_RECORD: SessionRecord = Object.freeze({});

/** Undefined if the text is not a record. Fields of another type are left out. */
export function parseSessionRecord(text: string): SessionRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // cut off, or not written by us
  }
  if (!isFields(value)) return undefined;
  const fields = Object.entries(value).filter(([key, field]) => FIELDS[key]?.(field) === true);
  return Object.fromEntries(fields);
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isNumbers = (value: unknown): boolean => isFields(value) && Object.values(value).every(isNumber);
const isTrue = (value: unknown): boolean => value === true;

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  guards: (value) => isFields(value) && Object.values(value).every(isBoundGuard),
  boundAt: isNumber,
  announcedActs: isNumber,
  announcedReloads: isNumber,
  announcedChanges: (value) => typeof value === 'string',
  isUnaskedAnnounced: isTrue,
  isComparedWithLast: isTrue,
  questions: isNumbers,
  resumes: isNumbers,
  lateTexts: (value) => Array.isArray(value) && value.every(isLateText),
} satisfies Record<keyof SessionRecord, (value: unknown) => boolean>;

const isBoundGuard = (value: unknown): boolean =>
  isFields(value) &&
  typeof value['label'] === 'string' &&
  typeof value['entry'] === 'string' &&
  typeof value['isProjects'] === 'boolean' &&
  isFields(value['files']) &&
  isFields(value['programs']);

const isLateText = (value: unknown): boolean =>
  isFields(value) &&
  typeof value['by'] === 'string' &&
  typeof value['text'] === 'string' &&
  (value['to'] === 'model' || value['to'] === 'person');
