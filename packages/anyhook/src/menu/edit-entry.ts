/** Changes the matcher or timeout of one hook in its file. */

import { findDialect } from '../dialects.ts';
import type { EntryFields, Locations } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import { type Problem, sentences } from '../events/problems.ts';
import { Unreadable } from '../install/json-text.ts';
import { targetText } from '../install/target.ts';
import { type EntryAt, entryAt } from './entry-at.ts';
import { type FileChange, changedText, type FileEdit, openTarget } from './file-edit.ts';

export type WantedEdit =
  /** Undefined matches everything. */
  | { readonly what: 'matcher'; readonly to: string | undefined }
  | { readonly what: 'timeout'; readonly ms: number };

/** Why a hook cannot be edited in a file; undefined if it can. */
export function whyNotEditable({ dialect, run, origin }: Hook): string | undefined {
  if (origin.file.startsWith('(') || origin.layer === 'session') return 'the program itself provides it';
  if (run.kind === 'call' || run.kind === 'isolated') return 'it is code';
  if (findDialect(dialect)?.config.entry === undefined)
    return `a file of ${dialect} holds neither a matcher nor a timeout for it`;
  return origin.column === undefined ? 'its place in the file is not known' : undefined;
}

export interface EntryEdit extends FileEdit {
  /** Other hooks of the same list that the new matcher applies to. */
  readonly others: number;
}

/** Throws `Unreadable`, with a message for the user, if the edit is impossible. */
export function editEntry(hook: Hook, wanted: WantedEdit, locations: Locations): EntryEdit {
  const { origin, dialect } = hook;
  const fields = findDialect(dialect)?.config.entry;
  const why = whyNotEditable(hook);
  if (why !== undefined || fields === undefined)
    throw new Unreadable(`${origin.file}:${origin.line} is not edited here: ${why}.`);
  const target = openTarget(origin.file, origin.layer, locations);
  const entry = entryAt(targetText(target), origin);
  if (entry === undefined)
    throw new Unreadable(
      `${origin.file}:${origin.line} no longer contains this hook. Go back and open it again.`,
    );
  const edit = changedText(target, changeOf(wanted, entry, fields));
  refuseFaults(hook, targetText(target), edit.text ?? '', locations);
  const isShared = wanted.what === 'matcher' && fields.matcher.in === 'group';
  const list = isShared ? entry.group()?.['hooks'] : undefined;
  return { ...edit, others: Array.isArray(list) ? list.length - 1 : 0 };
}

function changeOf(wanted: WantedEdit, { path }: EntryAt, { matcher, timeout }: EntryFields): FileChange {
  if (wanted.what === 'timeout')
    return { path: [...path, timeout.key], to: timeout.unit === 's' ? wanted.ms / 1000 : wanted.ms };
  return { path: [...(matcher.in === 'group' ? path.slice(0, -2) : path), matcher.key], to: wanted.to };
}

/** Rejects edits that the dialect would report as a problem. */
function refuseFaults(
  { dialect: name, origin }: Hook,
  before: string,
  after: string,
  locations: Locations,
): void {
  const dialect = findDialect(name);
  const place = dialect?.config.places(locations).find(({ file }) => file === origin.file);
  if (dialect === undefined || place === undefined) return;
  const problemsIn = (text: string) => dialect.config.read(text, place).problems;
  const old = new Set(problemsIn(before).map(keyOf));
  const fault = problemsIn(after).find((problem) => !old.has(keyOf(problem)));
  if (fault === undefined) return;
  const { key, message, remedy } = fault;
  const what = [key, message].filter(Boolean).join(' ');
  throw new Unreadable(sentences([what, remedy, 'Nothing was written.']));
}
const keyOf = ({ code, key, message }: Problem): string => JSON.stringify([code, key, message]);
