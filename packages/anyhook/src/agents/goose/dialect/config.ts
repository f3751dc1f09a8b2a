/** Reads `hooks` of a Goose file: event → groups → actions. Other keys of the file are ignored. */

import { anyText, record, shown, type Spot, spotAt, suggestion } from '../../../events/checker.ts';
import type { ConfigRead, Place } from '../../../events/dialect.ts';
import { type Document, readDocument } from '../../../events/document.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { reportTypos } from '../../../events/typos.ts';
import { readAction } from './action.ts';
import { admitGooseFile, GATE } from './admit.ts';
import type { ActionPlace } from './definition.ts';
import { readMatcher } from './match.ts';
import { GOOSE_EVENTS, isGooseEvent } from './names.ts';
import { places, sortOf } from './places.ts';
import { sayUnknownKeys } from './say-unknown-keys.ts';

export const config = {
  entry: {
    matcher: { key: 'matcher', in: 'group' },
    timeout: { key: 'timeout', unit: 's' },
    failsClosed: '"on_failure": "block"',
  },
  unread: { scripts: ['.goose/hooks'], settings: [] },
  places,
  read,
  admit: admitGooseFile,
} as const;

interface Source {
  readonly document: Document;
  readonly place: Place;
  readonly problems: Problem[];
}

function read(text: string, place: Place): ConfigRead {
  const document = readDocument(text, place.file);
  const problems: Problem[] = [...document.problems];
  const root = spotAt(document, [], problems);
  if (document.value === undefined || record(root) === undefined) return { hooks: [], modules: [], problems };
  if (sortOf(place) === 'settings') {
    reportTypos(root, { known: ['enabledPlugins', 'disabledPlugins'] });
    return { hooks: [], modules: [], problems, settings: pluginsIn(root) };
  }
  reportTypos(root, { known: ['hooks', GATE], events: { words: GOOSE_EVENTS, key: 'hooks' } });
  const hooks = toldApart(eventsIn(root.part('hooks'), { document, place, problems }));
  return { hooks, modules: [], problems, ...gateIn(root, place) };
}

function eventsIn(spot: Spot, source: Source): Hook[] {
  if (spot.value === undefined) return [];
  return Object.keys(record(spot) ?? {}).flatMap((event) => {
    const groups = spot.part(event);
    if (isGooseEvent(event))
      return items(groups, 'groups').flatMap((one, group) => groupAt(one, { event, group }, source));
    groups.report('unknown-event', `unknown event ${shown(event)}`, {
      at: 'key',
      remedy: suggestion(event, GOOSE_EVENTS),
      // A file of another agent may contain events that only that agent has.
      severity: source.place.owner === undefined ? 'error' : 'warning',
    });
    return [];
  });
}

/** A duplicate in one file runs twice. Only duplicates across files are one hook. */
function toldApart(hooks: readonly Hook[]): Hook[] {
  const seen = new Map<string, number>();
  return hooks.map((hook) => {
    const key = JSON.stringify([hook.on, hook.matcher, hook.run]);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? hook : { ...hook, extra: { time: times } };
  });
}

type GroupPlace = Pick<ActionPlace, 'event' | 'group'>;

/** A group with an invalid matcher is dropped, because its target is unknown. */
function groupAt(spot: Spot, entryPlace: GroupPlace, { document, place, problems }: Source): Hook[] {
  if (record(spot) === undefined) return [];
  sayUnknownKeys(spot, ['matcher', 'hooks'], place);
  const actions = spot.part('hooks');
  if (actions.value === undefined) {
    spot.report('bad-value', 'has no hooks', { remedy: 'Write "hooks": [ { "type": "command", … } ].' });
    return [];
  }
  const matcher = matcherAt(spot.part('matcher'), entryPlace, place);
  if (matcher === undefined) return [];
  return items(actions, 'actions').flatMap(({ path }, index) => {
    const actionProblems: Problem[] = [];
    const full: ActionPlace = { ...entryPlace, ...matcher, place, index, ...document.at(path) };
    const hooks = readAction(spotAt(document, path, actionProblems), full, actionProblems);
    problems.push(...actionProblems);
    return hooks;
  });
}

function matcherAt(
  spot: Spot,
  { event }: GroupPlace,
  place: Place,
): Pick<ActionPlace, 'matcher' | 'match'> | undefined {
  const isThere = spot.value !== undefined && spot.value !== null;
  const source = isThere ? anyText(spot) : undefined;
  if (isThere && source === undefined) return undefined;
  try {
    const { matcher, remark } = readMatcher(source, event, place.plugin !== undefined);
    if (remark !== undefined)
      spot.report(remark.code, remark.message, { remedy: remark.remedy, severity: 'warning' });
    return { matcher: source, match: matcher };
  } catch (error) {
    const remedy =
      'Write a tool name, Bash(<glob>) or a regular expression. Its hooks do not run until then.';
    spot.report('bad-matcher', `${shown(source)}: ${(error as Error).message}`, { remedy });
    return undefined;
  }
}

/** Returns the items of a list as spots. */
function items(spot: Spot, what: string): Spot[] {
  if (!Array.isArray(spot.value)) {
    spot.report('wrong-type', `is ${shown(spot.value)}; expected a list of ${what}`);
    return [];
  }
  if (spot.value.length === 0)
    spot.report('empty-list', 'is an empty list', { remedy: 'Nothing runs.', severity: 'warning' });
  return spot.value.map((_, index) => spot.part(index));
}

/** Only the global file can open the gate. A project that tries gets a problem. */
function gateIn(root: Spot, place: Place): Pick<ConfigRead, 'settings'> {
  const spot = root.part(GATE);
  if (spot.value === undefined) return {};
  if (place.layer === 'project' || place.plugin !== undefined) {
    spot.report('bad-value', 'only applies in the global hooks.json', { severity: 'warning', at: 'key' });
    return {};
  }
  if (typeof spot.value !== 'boolean')
    spot.report('wrong-type', `is ${shown(spot.value)}; expected true or false`, {
      remedy: 'Project hooks stay off.',
    });
  return { settings: { [GATE]: spot.value === true } };
}

function pluginsIn(root: Spot): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    ['enabledPlugins', 'disabledPlugins'].flatMap((key) => {
      const { value, report } = root.part(key);
      if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return [[key, value]];
      if (value !== undefined) report('wrong-type', `is ${shown(value)}; expected a list of plugin names`);
      return [];
    }),
  );
}
