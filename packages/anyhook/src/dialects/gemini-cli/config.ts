/** `hooks` of settings.json: text to hooks. One bad entry does not void the file, and does not vanish. */
import { anyText, mapOf, object, shown, type Spot, text } from '../../canon/checker.ts';
import type { ConfigRead, Place, FileSettings } from '../../canon/dialect.ts';
import type { Position } from '../../canon/document-parse.ts';
import { type Hook, label as labelOf } from '../../canon/hook.ts';
import type { Problem } from '../../canon/problems.ts';
import { rolesOn } from '../../canon/roles.ts';
import type { GroupedHandler } from '../claude-shaped/groups.ts';
import { readGroups } from '../claude-shaped/read-groups.ts';
import { geminiEvent, GEMINI_WORDS, type GeminiWord } from './events.ts';
import { readMatcher } from './matcher.ts';
import { packPlaceFor, withPackPaths } from '../claude-shaped/pack-place.ts';
import { places } from './places.ts';

const USUAL_MS = 60_000;
/** What Gemini takes out of a hook's environment is not documented in full: the rest passes. */
const INHERITED = ['*', '!GEMINI_API_KEY', '!GOOGLE_API_KEY'];

const milliseconds = (spot: Spot): number | undefined => {
  const { value } = spot;
  if (typeof value === 'number' && value >= 1 && Number.isFinite(value)) return Math.round(value);
  spot.say('bad-value', `is ${shown(value)}`, {
    remedy: 'Write milliseconds, 1 or more; the default is used meanwhile.',
    severity: 'warning',
  });
  return undefined;
};
const HANDLER = object(
  {
    type: anyText,
    command: text,
    name: anyText,
    description: anyText,
    timeout: milliseconds,
    env: mapOf(anyText),
  },
  'warning',
);

function hookOf(
  { word, matcher, handler, place: at }: GroupedHandler,
  place: Place,
  position: Position,
): Hook {
  const said = HANDLER(handler) ?? {};
  if (said.type !== 'command')
    handler.say('bad-value', `${shown(said.type)} handlers are not run here`, {
      remedy: 'Write "type": "command", in small letters.',
    });
  else if (said.command === undefined) handler.say('bad-value', 'has no "command"');
  const label = said.name ?? said.command;
  return {
    id: `${place.file}#${at}`,
    dialect: 'gemini-cli',
    on: word,
    origin: { layer: place.layer, file: place.file, ...position },
    roles: rolesOn(geminiEvent(word as GeminiWord).on),
    ...readMatcher(matcher, word as GeminiWord),
    ...(typeof matcher.value === 'string' && { matcher: matcher.value }),
    ...(label !== undefined && { label: label.slice(0, 200) }),
    run: {
      kind: 'command',
      run: { line: said.command ?? '' },
      env: INHERITED,
      ...(place.folder !== undefined && { cwd: place.folder }),
      ...((said.env ?? place.vars) !== undefined && { set: { ...place.vars, ...said.env } }),
    },
    background: false,
    shadow: false,
    timeoutMs: said.timeout ?? USUAL_MS,
    ...(said.name !== undefined && { extra: { name: said.name } }),
  };
}

/** `hooksConfig`: all off, or some by name. A project may switch off its own only. */
function settle(hook: Hook, said: readonly FileSettings[]): { hook?: Hook; problem?: Problem } {
  const isOff = said.some(({ place, settings }) => {
    if (place.layer === 'project' && hook.origin.layer !== 'project') return false;
    const { disabled } = settings;
    return (
      settings['enabled'] === false ||
      (Array.isArray(disabled) &&
        disabled.some((name) => name === hook.extra?.['name'] || name === hook.label))
    );
  });
  if (!isOff) return { hook };
  const { file, line } = hook.origin;
  const message = 'does not run: hooksConfig switches it off.';
  return { problem: { code: 'not-loaded', file, line, message, severity: 'warning' } };
}

export const config = {
  entry: {
    matcher: { key: 'matcher', in: 'group' },
    timeout: { key: 'timeout', unit: 'ms' },
    failsClosed: null,
  },
  ownSwitch: {
    list: ['hooksConfig', 'disabled'],
    nameOf: (hook: Hook) => String(hook.extra?.['name'] ?? labelOf(hook)),
  },
  places,
  packPlace: packPlaceFor({ root: ['extensionPath'] }),
  read: (source: string, place: Place): ConfigRead =>
    readGroups(withPackPaths(source, place), place, {
      words: GEMINI_WORDS,
      remedy: 'Settings of Gemini CLI are a JSON object.',
      settings: 'hooksConfig',
      hookOf,
    }),
  settle,
} as const;
