/** Converts one settings entry to a hook. */

import { anyText, flag, mapOf, object, shown, type Spot, text } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Position } from '../../../events/document-parse.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Hook } from '../../../events/hook.ts';
import { rolesOn } from '../../../events/roles.ts';
import { readMatcher } from './matcher.ts';
import type { EntryTerms, ShapedEvent, ShapedTerms } from './terms.ts';

/** An entry, wherever the file stores it. */
export interface ShapedEntry {
  readonly word: string;
  readonly matcher: Spot;
  readonly handler: Spot;
  /** Unique within the file. */
  readonly place: string;
}

/** With a shorter timeout every hook would fail before it starts. */
const SECONDS = { unit: 's', least: 0.001 } as const;
const time =
  ({ unit, least }: NonNullable<EntryTerms['timeout']>) =>
  (spot: Spot): number | undefined => {
    const { value } = spot;
    if (typeof value === 'number' && value >= least && Number.isFinite(value)) return value;
    const units = unit === 's' ? 'seconds' : 'milliseconds';
    spot.report('bad-value', `is ${shown(value)}`, {
      remedy: `Write ${units}, ${least < 1 ? 'a thousandth' : least} or more; the default is used meanwhile.`,
      severity: 'warning',
    });
    return undefined;
  };
/** For keys of some agents that have no effect here. Our own limit applies to repeated stops. */
const anything = ({ value }: Spot): unknown => value;
const entryOf = (seconds: (spot: Spot) => number | undefined) => ({
  type: anyText,
  event: anyText,
  matcher: anyText,
  command: text,
  bash: text,
  powershell: anyText,
  cwd: text,
  name: anyText,
  description: anyText,
  comment: anyText,
  timeout: seconds,
  timeoutSec: seconds,
  async: flag,
  env: mapOf(anyText),
  statusMessage: anyText,
  failClosed: flag,
  loop_limit: anything,
});
const RARE_KEYS = { commandWindows: text, command_windows: text, additionalContextLimit: anything };
type Entry = ReturnType<typeof entryOf>;
export type EntryKey = keyof Entry | keyof typeof RARE_KEYS;

/** Reads the agent's keys and reports unknown ones. */
function entryReader({ keys, timeout = SECONDS }: EntryTerms) {
  const all = entryOf(time(timeout));
  if (keys === undefined) return object(all, 'warning');
  const known = keys.map((key) => [key, { ...all, ...RARE_KEYS }[key]]);
  return object(Object.fromEntries(known) as Partial<Entry> as Entry, 'warning');
}

export function commandHookOf(
  { name, events, timeoutMs, folder, matchers, entry = {} }: ShapedTerms<string>,
  fieldsOf: (event: Event) => Fields,
) {
  const read = entryReader(entry);
  const unit = entry.timeout?.unit === 'ms' ? 1 : 1000;
  return ({ word, matcher, handler, place: at }: ShapedEntry, place: Place, position: Position): Hook => {
    const row: ShapedEvent = events[word]!; // the event name was looked up in this table before
    const fields = read(handler) ?? {};
    const line = fields.command ?? fields.bash;
    if ((fields.type !== undefined || entry.typed === true) && fields.type !== 'command')
      handler.report('bad-value', `${shown(fields.type)} handlers are not supported here`, {
        remedy: `Write "type": "command"${fields.type?.toLowerCase() === 'command' ? ', in lower case' : ''}.`,
      });
    else if (line === undefined) handler.report('bad-value', 'has no "command"');
    const wanted = fields.timeout ?? fields.timeoutSec;
    const { usual, longest } = row.timeouts ?? { usual: timeoutMs, longest: Infinity };
    const isLate = fields.async === true && row.waits !== true;
    const label = fields.name ?? line;
    const cwd = place.plugin === undefined ? folder?.(place) : place.folder;
    return {
      id: `${place.file}#${at}`,
      dialect: name,
      on: word,
      origin: { layer: place.layer, file: place.file, ...position },
      roles: isLate ? ['observer'] : rolesOn(row.on),
      ...readMatcher(matcher, word, row, fieldsOf, matchers),
      ...(typeof matcher.value === 'string' && { matcher: matcher.value }),
      ...(label !== undefined && { label: label.slice(0, 200) }),
      run: {
        kind: 'command',
        run: { line: line ?? '' },
        env: entry.inherited ?? 'inherit',
        ...(cwd !== undefined && { cwd }),
        ...((fields.env ?? place.vars) !== undefined && { set: { ...place.vars, ...fields.env } }),
      },
      background: isLate,
      ...(fields.failClosed === true && { onFailure: 'block' }),
      shadow: false,
      timeoutMs: wanted === undefined ? usual : Math.min(Math.round(wanted * unit), longest),
      ...(fields.statusMessage !== undefined && { status: fields.statusMessage }),
      ...(entry.named === true && fields.name !== undefined && { extra: { name: fields.name } }),
    };
  };
}
