/** Reads everything under `hooks`, and entries that were clearly meant to be there. */

import { checkShape, pathText, shown, spotAt, suggestion } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Document, Path } from '../../../events/document.ts';
import { EVENT_NAMES, type EventName, isEventName } from '../../../events/events.ts';
import type { Hook, Way } from '../../../events/hook.ts';
import type { EventWord } from '../../../events/native-names.ts';
import { nearest, type Problem } from '../../../events/problems.ts';
import { ruleSentence } from '../../../events/rule.ts';
import { type EntryRead, meantToDecide, readOwnEntry } from './config-entry.ts';

interface Group {
  readonly event: EventName;
  readonly path: Path;
  /** Why the value cannot be used at all. */
  readonly broken?: string;
}
interface Reading {
  readonly document: Document;
  readonly place: Place;
  readonly shadow: boolean;
  readonly wordFor: (word: string) => EventWord;
  readonly problems: Problem[];
  readonly ids: Set<string>;
}

export function readOwnHooks(
  document: Document,
  terms: Pick<Reading, 'place' | 'shadow' | 'wordFor'>,
): Pick<Reading, 'problems'> & { hooks: readonly Hook[] } {
  const reading: Reading = { document, ...terms, problems: [], ids: new Set() };
  const groups = [...groupsUnder(['hooks'], reading), ...strayGroups(reading)];
  return { hooks: groups.flatMap((group) => readGroup(group, reading)), problems: reading.problems };
}

function groupsUnder(path: Path, { document, problems, wordFor }: Reading): Group[] {
  const spot = spotAt(document, path, problems);
  if (spot.value === undefined) return [];
  return keysOf(spot.value).flatMap((key): Group[] => {
    if (isEventName(key)) return [{ event: key, path: [...path, key] }];
    const read = wordFor(key);
    if (read.kind === 'event') {
      const remedy = `Write ${shown(read.event)}.`;
      spot
        .part(key)
        .report('foreign-event', `is taken for ${read.event}`, { at: 'key', remedy, severity: 'warning' });
      return [{ event: read.event, path: [...path, key] }];
    }
    const isSeveral = read.kind === 'ambiguous';
    const message = isSeveral
      ? `${shown(key)} can mean ${read.candidates.join(' or ')}`
      : `unknown event ${shown(key)}`;
    const remedy = isSeveral ? 'Name one of them.' : suggestion(key, EVENT_NAMES);
    spot.part(key).report('unknown-event', message, { at: 'key', remedy });
    const meant = isSeveral ? read.candidates : [nearest(key, EVENT_NAMES) as EventName | undefined];
    return meant.flatMap((event) =>
      event === undefined ? [] : [{ event, path: [...path, key], broken: message }],
    );
  });
}

/**
 * Finds events next to `hooks` instead of inside it, or under a misspelt `hooks`. The check of the file format has
 * reported the key itself.
 */
function strayGroups({ document }: Reading): Group[] {
  return keysOf(document.value).flatMap((key): Group[] => {
    const broken = `it is under ${shown(key)}, not under "hooks"`;
    if (isEventName(key)) return [{ event: key, path: [key], broken: 'it is outside "hooks"' }];
    if (key === 'hooks' || nearest(key, ['hooks']) === undefined) return [];
    const inside = keysOf((document.value as Record<string, unknown>)[key]); // its own key
    return inside.filter(isEventName).map((event) => ({ event, path: [key, event], broken }));
  });
}

function readGroup(group: Group, reading: Reading): Hook[] {
  const spot = spotAt(reading.document, group.path, reading.problems);
  if (!Array.isArray(spot.value)) {
    spot.report('wrong-type', `is ${shown(spot.value)}; expected a list of hooks`, {
      remedy: 'Put it in [ ].',
    });
    return readItem({ ...group, broken: group.broken ?? 'it is not in a list' }, 0, reading);
  }
  if (spot.value.length === 0) spot.report('empty-list', 'contains no hook', { severity: 'warning' });
  return spot.value.flatMap((_, index) =>
    readItem({ ...group, path: [...group.path, index] }, index, reading),
  );
}

function readItem({ event, path, broken }: Group, index: number, reading: Reading): Hook[] {
  const { document, place, problems } = reading;
  const checked = checkShape(document, path, (spot) => readOwnEntry(spot, event, place));
  problems.push(...checked.problems);
  const read = checked.value!; // the reader always returns a value
  const fault = broken ?? (checked.sound && read.run ? undefined : detailOf(checked.problems));
  if (fault === undefined) return [hookOf(read, event, path, index, read.run!, reading)];
  if (!meantToDecide(event, read)) return [];
  const run: Way = { kind: 'missing', why: { kind: 'not-loaded', detail: fault } };
  return [{ ...hookOf(read, event, path, index, run, reading), background: false }];
}

function hookOf(
  { entry, match, when, dangers, roles, background, timeoutMs }: EntryRead,
  event: EventName,
  path: Path,
  index: number,
  run: Way,
  reading: Reading,
): Hook {
  const { document, place } = reading;
  const { name, cwd, exit, onFailure, opaque, status } = entry;
  const extra = {
    ...(cwd !== undefined && place.folder === undefined && { cwd }),
    ...(exit !== undefined && { exit }),
  };
  return {
    id: idOf(name, `${event}[${index}]`, path, reading),
    dialect: 'anyhook',
    on: event,
    origin: { layer: place.layer, file: place.file, ...document.at(path) },
    roles,
    match,
    ...(entry.match !== undefined && { matcher: entry.match }),
    ...(when && { when }),
    run,
    background,
    shadow: reading.shadow || (entry.shadow ?? false),
    timeoutMs,
    ...(entry.sticky === false && { sticky: false as const }),
    ...(onFailure && { onFailure }),
    ...(opaque && { opaque }),
    ...(run.kind === 'call' && name === undefined && { label: `refuses ${dangers?.join(', ')}` }),
    ...(run.kind === 'call' && { isFirst: true }),
    ...(run.kind === 'rule' && name === undefined && { label: ruleSentence(run.rule) }),
    ...(status !== undefined && { status }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Uses the name if there is one, so that the id survives reordering of the file. */
function idOf(name: string | undefined, place: string, path: Path, reading: Reading): string {
  const { document, ids, problems } = reading;
  const wanted = `${document.file}#${name ?? place}`;
  const id = ids.has(wanted) ? `${document.file}#${pathText(path)}` : wanted;
  if (id !== wanted)
    spotAt(document, [...path, 'name'], problems).report(
      'duplicate-hook',
      `${shown(name ?? place)} is used twice`,
      {
        remedy: 'Give every hook a unique name.',
        severity: 'warning',
      },
    );
  ids.add(id);
  return id;
}

const detailOf = (problems: readonly Problem[]): string =>
  problems
    .filter(({ severity }) => severity === 'error')
    .map(({ line, column, key, message }) => `line ${line}:${column}: ${key}: ${message}`)
    .join('; ');
const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
