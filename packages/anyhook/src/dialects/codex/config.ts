/** `hooks.json`: text to hooks. One bad entry does not void the file, as it would in Codex, and does not vanish. */
import { anyText, flag, object, shown, type Spot, text } from '../../canon/checker.ts';
import type { ConfigRead, Place } from '../../canon/dialect.ts';
import type { Position } from '../../canon/document-parse.ts';
import type { Hook } from '../../canon/hook.ts';
import { rolesOn } from '../../canon/roles.ts';
import type { GroupedHandler } from '../claude-shaped/groups.ts';
import { readGroups } from '../claude-shaped/read-groups.ts';
import { CODEX_WORDS, type CodexWord, codexEvent } from './events.ts';
import { readMatcher } from './matcher.ts';
import { packPlaceFor, withPackPaths } from '../claude-shaped/pack-place.ts';
import { PLUGIN_ROOTS, places } from './places.ts';

const USUAL_MS = 600_000;

const seconds = (spot: Spot): number | undefined => {
  const { value } = spot;
  if (typeof value === 'number' && value >= 1 && Number.isFinite(value)) return value;
  spot.say('bad-value', `is ${shown(value)}`, {
    remedy: 'Write seconds, 1 or more; the default is used meanwhile.',
    severity: 'warning',
  });
  return undefined;
};
const HANDLER = object(
  {
    type: anyText,
    command: text,
    commandWindows: text,
    command_windows: text,
    timeout: seconds,
    async: flag,
    statusMessage: anyText,
    additionalContextLimit: (spot: Spot) => spot.value,
  },
  'warning',
);

function hookOf(
  { word, matcher, handler, place: at }: GroupedHandler,
  place: Place,
  position: Position,
): Hook {
  const { on, timeoutMs } = codexEvent(word as CodexWord);
  const said = HANDLER(handler) ?? {};
  if (said.type !== 'command')
    handler.say('bad-value', `${shown(said.type)} handlers are not run here`, {
      remedy: 'Write "type": "command".',
    });
  else if (said.command === undefined) handler.say('bad-value', 'has no "command"');
  const wanted = said.timeout === undefined ? undefined : said.timeout * 1000;
  const isLate = said.async === true && word !== 'SessionEnd';
  return {
    id: `${place.file}#${at}`,
    dialect: 'codex',
    on: word,
    origin: { layer: place.layer, file: place.file, ...position },
    roles: isLate ? ['observer'] : rolesOn(on),
    ...readMatcher(matcher, word as CodexWord),
    ...(typeof matcher.value === 'string' && { matcher: matcher.value }),
    ...(said.command !== undefined && { label: said.command.slice(0, 200) }),
    run: {
      kind: 'command',
      run: { line: said.command ?? '' },
      env: 'inherit',
      ...(place.folder !== undefined && { cwd: place.folder }),
      ...(place.vars !== undefined && { set: place.vars }),
    },
    background: isLate,
    shadow: false,
    timeoutMs: timeoutMs === undefined ? (wanted ?? USUAL_MS) : Math.min(wanted ?? timeoutMs / 3, timeoutMs),
    ...(said.statusMessage !== undefined && { status: said.statusMessage }),
  };
}

export const config = {
  entry: {
    matcher: { key: 'matcher', in: 'group' },
    timeout: { key: 'timeout', unit: 's' },
    failsClosed: null,
  },
  places,
  packPlace: packPlaceFor({ root: PLUGIN_ROOTS }),
  read: (source: string, place: Place): ConfigRead =>
    readGroups(withPackPaths(source, place), place, {
      words: CODEX_WORDS,
      remedy: 'hooks.json is a JSON object.',
      hookOf,
    }),
} as const;
