/** Reads `hooks` of Opta's config.json and ignores its other keys. A broken entry does not vanish. */

import { join } from 'node:path';
import {
  anyText,
  checkShape,
  flag,
  object,
  oneOf,
  type Shape,
  shown,
  type Spot,
  spotAt,
  suggestion,
  text,
} from '../../../events/checker.ts';
import type { ConfigRead, Place, Locations } from '../../../events/dialect.ts';
import { type Document, readDocument } from '../../../events/document.ts';
import type { Hook } from '../../../events/hook.ts';
import { compilePattern } from '../../../events/pattern.ts';
import type { Problem } from '../../../events/problems.ts';
import { reportTypos } from '../../../events/typos.ts';
import {
  hookFromEntry,
  OPTA_LONGEST_MS,
  missingEntry,
  neverMatches,
  type OptaEntry,
  SHORTEST_MS,
} from './definition.ts';
import { OPTA_EVENTS, type OptaEvent } from './names.ts';

/** The two documented files, and hooks of plugins: a folder with an `.mcp.json` and a `hooks/hooks.json`. */
function places({ home, cwd, list }: Locations): Place[] {
  const user = join(home, '.config', 'opta');
  const project = join(cwd, '.opta');
  return [
    { layer: 'user', file: join(user, 'config.json') },
    ...plugins(user, 'user', list),
    { layer: 'project', file: join(project, 'config.json'), folder: cwd },
    ...plugins(project, 'project', list),
  ];
}

/** Finds hooks in a folder that is not a plugin because it names no server. */
function unreadPlugins({ home, cwd, list = () => [] }: Locations): { file: string; why: string }[] {
  return [join(home, '.config', 'opta'), join(cwd, '.opta')].flatMap((root) =>
    namesIn(root, list)
      .filter((folder) => !isPlugin(folder, list) && list(join(folder, 'hooks')).includes('hooks.json'))
      .map((folder) => ({
        file: join(folder, 'hooks', 'hooks.json'),
        why: `an Opta plugin needs an .mcp.json: without ${join(folder, '.mcp.json')} its hooks are not read`,
      })),
  );
}

type List = NonNullable<Locations['list']>;
const namesIn = (root: string, list: List): string[] =>
  list(join(root, 'plugins'))
    .toSorted()
    .map((name) => join(root, 'plugins', name));
const isPlugin = (folder: string, list: List): boolean => list(folder).includes('.mcp.json');

function plugins(root: string, layer: Place['layer'], list: Locations['list'] = () => []): Place[] {
  return namesIn(root, list)
    .filter((folder) => isPlugin(folder, list))
    .map((folder) => ({ layer, file: join(folder, 'hooks', 'hooks.json'), folder }));
}

export const config = {
  entry: {
    matcher: { key: 'matcher', in: 'entry' },
    timeout: { key: 'timeout', unit: 'ms' },
    failsClosed: '"onFailure": "block"',
  },
  unread: {
    scripts: ['.opta/hooks'],
    settings: [
      {
        file: '.opta/hooks.json',
        from: ['project'],
        why: 'Opta reads hooks from config.json in this folder',
      },
    ],
    elsewhere: unreadPlugins,
  },
  places,
  read,
} as const;

const event: Shape<OptaEvent> = (spot) => {
  const word = anyText(spot);
  if (word === undefined || OPTA_EVENTS.some((known) => known === word)) return word as OptaEvent | undefined;
  spot.report('unknown-event', `unknown event ${shown(word)}`, { remedy: suggestion(word, OPTA_EVENTS) });
  return undefined;
};
const matcher: Shape<string> = (spot) => {
  const source = anyText(spot);
  if (source === undefined) return undefined;
  try {
    return compilePattern(source).source;
  } catch (error) {
    const remedy = 'Write a regular expression for the tool name.';
    spot.report('bad-matcher', `${shown(source)}: ${(error as Error).message}`, { remedy });
    return undefined;
  }
};
/** Accepts fractions within the documented limits. */
const timeout: Shape<number> = (spot) => {
  const { value } = spot;
  if (typeof value === 'number' && value >= SHORTEST_MS && value <= OPTA_LONGEST_MS) return value;
  spot.report(typeof value === 'number' ? 'bad-value' : 'wrong-type', `is ${shown(value)}`, {
    remedy: `Write milliseconds from ${SHORTEST_MS} to ${OPTA_LONGEST_MS}; the default is used meanwhile.`,
    severity: 'warning',
  });
  return undefined;
};
const entryShape = object(
  {
    event,
    command: anyText,
    matcher,
    timeout,
    background: flag,
    type: oneOf(['command', 'prompt']),
    prompt: text,
    protocol: oneOf(['json']),
    statusMessage: anyText,
    onFailure: oneOf(['allow', 'ask', 'block']),
  },
  'warning',
);

function read(source: string, place: Place): ConfigRead {
  const document = readDocument(source, place.file);
  if (document.value === undefined) return { hooks: [], modules: [], problems: document.problems };
  const problems: Problem[] = [...document.problems];
  const count = entriesIn(spotAt(document, [], problems));
  const hooks = Array.from({ length: count }, (_, index) => entryAt(document, place, index, problems)).flat();
  return { hooks, modules: [], problems };
}

function entriesIn(root: Spot): number {
  if (typeof root.value !== 'object' || root.value === null || Array.isArray(root.value)) {
    const remedy = 'Opta settings are a JSON object with a list under "hooks".';
    root.report('wrong-type', `is ${shown(root.value)}`, { remedy });
    return 0;
  }
  reportTypos(root, { known: ['hooks'], events: { words: OPTA_EVENTS, key: 'hooks' } });
  const { value, report } = root.part('hooks');
  if (Array.isArray(value)) return value.length;
  if (value !== undefined) report('wrong-type', `is ${shown(value)}`, { remedy: 'Write "hooks": [ … ].' });
  return 0;
}

/** Returns a hook, or one that fails by its policy; undefined if the event is unknown. */
function entryAt(document: Document, place: Place, index: number, problems: Problem[]): Hook[] {
  const path = ['hooks', index];
  const objectionProblems: Problem[] = [];
  const { value, problems: found } = checkShape(document, path, entryShape);
  if (value !== undefined) objections(value, spotAt(document, path, objectionProblems));
  problems.push(...found, ...objectionProblems);
  if (value?.event === undefined) return [];
  const entry: OptaEntry = { ...value, event: value.event };
  const entryPlace = { ...place, index, ...document.at(path) };
  const fault = [...found, ...objectionProblems].find(({ severity }) => severity === 'error');
  if (fault === undefined) return [hookFromEntry(entry, entryPlace)];
  const detail = [fault.key, fault.message].filter(Boolean).join(': ');
  return [missingEntry(entry, entryPlace, { kind: 'not-loaded', detail })];
}

/** Finds errors that involve several fields. */
function objections(entry: Partial<OptaEntry>, spot: Spot): void {
  const lacks = (key: string) => spot.part(key).value === undefined;
  if (lacks('event'))
    spot.report('bad-value', 'has no event', { remedy: `Name one of ${OPTA_EVENTS.join(', ')}.` });
  if (entry.type === 'prompt' && lacks('prompt'))
    spot.report('bad-value', 'is a prompt hook without a prompt', {
      remedy: 'Write what the model should judge.',
    });
  if (entry.type !== 'prompt' && lacks('command'))
    spot.report('bad-value', 'has no command', { remedy: 'Write the shell command to run.' });
  if (entry.command?.trim() === '')
    spot.part('command').report('bad-value', 'is empty: the hook does nothing', {
      remedy: 'Write the shell command to run, or remove the entry.',
      severity: 'warning',
    });
  const never = entry.event === undefined ? null : neverMatches({ ...entry, event: entry.event });
  if (never !== null)
    spot
      .part('matcher')
      .report('matcher-unused', never, { remedy: 'Leave the matcher out.', severity: 'warning' });
}
