/** The data that is stored about one agent session between its events. */

import { isFields } from '../events/fields.ts';
import type { Ruling } from '../events/outcome.ts';
import type { BoundFiles } from '../settings/bound-files.ts';

/** The files and programs of a guard at the time when a session was bound to it. */
export interface BoundGuard {
  /** Display name. */
  readonly label: string;
  /** All settings of its entry that affect how strict it is. */
  readonly entry: string;
  /** True for a guard of the project. Its changes are covered by trust, or are everyday work. */
  readonly isProjects: boolean;
  readonly files: BoundFiles;
  /** Program name → resolved path. */
  readonly programs: Readonly<Record<string, string>>;
}
/** Indexed by hook id. */
export type BoundGuards = Readonly<Record<string, BoundGuard>>;

/** Text of a background hook that waits for an event that can deliver it. */
export type LateText = Ruling['said'][number];

export interface SessionRecord {
  /** The guards that the session is bound to, starting with its first tool call. */
  readonly guards?: BoundGuards;
  /** Size of the log of guard acts when the guards were bound. A later act may accept a change. */
  readonly boundAt?: number;
  /** Size of the log of guard acts up to which the user was notified. */
  readonly announcedActs?: number;
  /** Number of guard changes by reloads that the user was notified of. */
  readonly announcedReloads?: number;
  /** The changes of bound guards that the user was notified of, as JSON. */
  readonly announcedChanges?: string;
  /** True if the user was notified of a call that an untrusted hook did not see. */
  readonly isUnaskedAnnounced?: true;
  /** True if its guards were compared with those of the previous session in the same folder. */
  readonly isComparedWithLast?: true;
  /** Hashes of calls that a hook asked about, with the time of the question in milliseconds since 1970. */
  readonly questions?: Readonly<Record<string, number>>;
  /** Number of consecutive blocked stops, by event and subagent. */
  readonly resumes?: Readonly<Record<string, number>>;
  /** True if a refusal is remembered, so the journal is worth reading. */
  readonly hasRefusals?: true;
  readonly lateTexts?: readonly LateText[];
  /** The beginning of the first prompt, by which the user recognises the session. */
  readonly title?: string;
}

export const EMPTY_RECORD: SessionRecord = Object.freeze({});

/** Returns undefined if the text is not a record. Omits fields of the wrong type. */
export function parseSessionRecord(text: string): SessionRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // truncated, or not written by anyhook
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
  hasRefusals: isTrue,
  title: (value) => typeof value === 'string',
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
