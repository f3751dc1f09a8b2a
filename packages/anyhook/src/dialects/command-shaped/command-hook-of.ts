/** One entry of a settings file, as a hook. */
import { anyText, flag, mapOf, object, shown, type Spot, text } from '../../canon/checker.ts';
import type { Place } from '../../canon/dialect.ts';
import type { Position } from '../../canon/document-parse.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Hook } from '../../canon/hook.ts';
import { rolesOn } from '../../canon/roles.ts';
import { readMatcher } from './matcher.ts';
import type { ShapedTerms } from './terms.ts';

/** An entry, wherever such a file keeps it. */
export interface ShapedEntry {
  readonly word: string;
  readonly matcher: Spot;
  readonly handler: Spot;
  /** Unlike any other of the file. */
  readonly place: string;
}

/** Less is no time at all: every hook would have failed before it began. */
const LEAST_S = 0.001;
const seconds = (spot: Spot): number | undefined => {
  const { value } = spot;
  if (typeof value === 'number' && value >= LEAST_S && Number.isFinite(value)) return value;
  spot.say('bad-value', `is ${shown(value)}`, {
    remedy: 'Write seconds, a thousandth or more; the default is used meanwhile.',
    severity: 'warning',
  });
  return undefined;
};
/** How often a stop may be answered is the agent's own affair: we have a limit of ours. */
const anything = ({ value }: Spot): unknown => value;
const HANDLER = object(
  {
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
  },
  'warning',
);

export const commandHookOf =
  ({ name, events, timeoutMs, folder }: ShapedTerms<string>, fieldsOf: (event: Event) => Fields) =>
  ({ word, matcher, handler, place: at }: ShapedEntry, place: Place, position: Position): Hook => {
    const row = events[word]!; // the file's words were looked up there
    const said = HANDLER(handler) ?? {};
    const line = said.command ?? said.bash;
    if (said.type !== undefined && said.type !== 'command')
      handler.say('bad-value', `${shown(said.type)} handlers are not run here`, {
        remedy: 'Write "type": "command".',
      });
    else if (line === undefined) handler.say('bad-value', 'has no "command"');
    const wanted = said.timeout ?? said.timeoutSec;
    const label = said.name ?? line;
    const cwd = place.plugin === undefined ? folder?.(place) : place.folder;
    return {
      id: `${place.file}#${at}`,
      dialect: name,
      on: word,
      origin: { layer: place.layer, file: place.file, ...position },
      roles: said.async === true ? ['observer'] : rolesOn(row.on),
      ...readMatcher(matcher, word, row, fieldsOf),
      ...(typeof matcher.value === 'string' && { matcher: matcher.value }),
      ...(label !== undefined && { label: label.slice(0, 200) }),
      run: {
        kind: 'command',
        run: { line: line ?? '' },
        env: 'inherit',
        ...(cwd !== undefined && { cwd }),
        ...((said.env ?? place.vars) !== undefined && { set: { ...place.vars, ...said.env } }),
      },
      background: said.async === true,
      ...(said.failClosed === true && { onFailure: 'block' }),
      shadow: false,
      timeoutMs: wanted === undefined ? timeoutMs : Math.round(wanted * 1000),
      ...(said.statusMessage !== undefined && { status: said.statusMessage }),
    };
  };
