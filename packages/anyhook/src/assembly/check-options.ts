/** What a program says to `createHooks`, looked at before anything is opened: a slip names its option and what it wants. */
import type { Capabilities } from '../canon/capabilities.ts';
import {
  anyText,
  flag,
  listOf,
  object,
  oneOf,
  record,
  type Shape,
  type Spot,
  spotAt,
  suggestion,
  text,
  whole,
} from '../canon/checker.ts';
import type { Position } from '../canon/document-parse.ts';
import type { Document } from '../canon/document.ts';
import { EFFECT_KINDS } from '../canon/effects.ts';
import { EVENT_NAMES, type EventName, isEventName, rowOf } from '../canon/events.ts';
import { isGift } from '../canon/gifts.ts';
import { LAYERS } from '../canon/hook.ts';
import { type Problem, sentences } from '../canon/problems.ts';
import type { Options } from './options.ts';

const WHO = 'createHooks';

/** Throws a `TypeError` that names every slip. */
export function checkOptions(options: Options): void {
  const problems: Problem[] = [];
  const spot = spotAt(said(options), [], problems);
  if (options === undefined || options === null)
    spot.say('wrong-type', 'wants an object: { host: { name, can } }');
  else OPTIONS(spot);
  if (problems.length > 0)
    throw new TypeError(
      problems
        .map(({ key, message, remedy }) =>
          [`${WHO}:`, key && `${key}:`, sentences([message, remedy])].filter(Boolean).join(' '),
        )
        .join('\n'),
    );
}

/** What is said about an event or an effect that is none is a problem and no more: the rest of the table counts. */
export function checkCan(can: Capabilities): readonly Problem[] {
  const problems: Problem[] = [];
  const spot = spotAt(said({ host: { can } }), ['host', 'can'], problems);
  object({}, (at, name) => {
    if (isEventName(name)) effectsOf(name)(at);
    else at.say('unknown-event', `no event is called '${name}'`, { remedy: suggestion(name, EVENT_NAMES) });
  })(spot);
  return problems;
}

/** Options have no lines: what is said about them names the option. */
const NOWHERE = {} as Position;
const said = (value: unknown): Document => ({
  file: WHO,
  value,
  problems: [],
  at: () => NOWHERE,
  keyAt: () => NOWHERE,
});

function effectsOf(event: EventName): Shape<unknown> {
  const counting: readonly string[] = rowOf(event).effects;
  return object(Object.fromEntries(counting.map((kind) => [kind, grade])), (at, kind) => {
    const isEffect = (EFFECT_KINDS as readonly string[]).includes(kind);
    at.say('unknown-key', isEffect ? `${kind} does not count on ${event}` : `no effect is called '${kind}'`, {
      remedy: isEffect ? `What counts there: ${counting.join(', ')}.` : suggestion(kind, counting),
    });
  });
}

const isListOfGifts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && isGift(one));

const grade: Shape<unknown> = (spot) => {
  const { value } = spot;
  if (value === 'full') return value;
  const part = (key: string) =>
    typeof value === 'object' && value !== null ? spot.part(key).value : undefined;
  if (part('as') === 'deny' || part('as') === 'notice' || isListOfGifts(part('only'))) return value;
  spot.say('bad-value', `is no grade`, {
    remedy: "Write 'full', { as: 'deny' }, { as: 'notice' } or { only: [gifts] }.",
  });
  return undefined;
};

/** In JavaScript an option may be there and undefined: that is as good as left out. */
const optional =
  <T>(shape: Shape<T>): Shape<T> =>
  (spot) =>
    spot.value === undefined ? undefined : shape(spot);
const group = (fields: Readonly<Record<string, Shape<unknown>>>): Shape<unknown> =>
  object(
    Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, optional(shape)])),
    (spot, key) =>
      spot.say('unknown-key', 'is no option', {
        remedy: placeOf(key) ?? suggestion(key, Object.keys(fields)),
      }),
  );

const wants =
  (what: string, is: (value: unknown) => boolean): Shape<unknown> =>
  (spot) => {
    if (!is(spot.value)) spot.say('wrong-type', `wants ${what}`);
    return spot.value;
  };
const callable = wants('a function', (value) => typeof value === 'function');
const orFalse =
  (shape: Shape<unknown>): Shape<unknown> =>
  (spot) =>
    spot.value === false ? false : shape(spot);
const milliseconds = whole(1, 2 ** 31 - 1);
const time = wants('a time of performance.now()', (value) => typeof value === 'number');
const texts = listOf(text);

const shownAs = oneOf(['plain', 'hashed', 'off']);

const GROUPS = {
  host: {
    name: text,
    version: anyText,
    can: record,
    tools: record,
    mode: oneOf(['long-lived', 'one-shot', 'warm']),
  },
  settings: { layers: listOf(oneOf(LAYERS)), dialects: texts, without: texts, sources: listOf(record) },
  modules: {
    files: texts,
    isolate: oneOf(['foreign', 'project', 'all', 'none']),
    strayErrors: oneOf(['survive']),
    loadMs: milliseconds,
    handlerMs: milliseconds,
    scripts: oneOf(['run']),
  },
  trust: { hashes: texts, folders: texts, selfProtection: flag },
  journal: {
    folder: text,
    required: flag,
    secrets: listOf(anyText),
    keepDays: whole(1, 36_500),
    keepBytes: whole(1, Number.MAX_SAFE_INTEGER),
    origin: group({
      machine: shownAs,
      user: shownAs,
      agent: shownAs,
      policy: oneOf(['plain', 'off']),
    }),
  },
  limits: { budgetMs: milliseconds, until: time, shadow: flag, lost: text, only: texts },
  watch: { onStart: callable, onEnd: callable, onLate: callable },
} as const;

/** An option that stands in the wrong place is told its own. */
function placeOf(key: string): string | undefined {
  const home = Object.entries(GROUPS).find(([, fields]) => Object.hasOwn(fields, key));
  return home && `It belongs into ${home[0]}: ${home[0]}.${key}.`;
}

const FIELDS = {
  hooks: wants(
    'a list of defineHook(…), or functions by event: { "tool.before": (event) => … }',
    (value) => typeof value === 'object' && value !== null,
  ),
  services: record,
  cwd: text,
  home: text,
  managed: group({ folder: text, owner: whole(0, 2 ** 32 - 1) }),
  env: record,
  settings: orFalse(group(GROUPS.settings)),
  modules: group(GROUPS.modules),
  trust: group(GROUPS.trust),
  journal: orFalse(group(GROUPS.journal)),
  limits: group(GROUPS.limits),
  watch: group(GROUPS.watch),
  signal: wants('an AbortSignal', (value) => value instanceof AbortSignal),
} as const satisfies { readonly [K in Exclude<keyof Options, 'host'>]: Shape<unknown> };

const OPTIONS: Shape<unknown> = (spot) => {
  group({ ...FIELDS, host: group(GROUPS.host) })(spot);
  const host = spot.part('host');
  required(spot, 'host', 'it wants { name, can }');
  required(host, 'name', 'it wants a text: who fires');
  required(host, 'can', "it wants what you do with each effect, such as { 'tool.before': { deny: 'full' } }");
  return spot.value;
};
function required(spot: Spot, key: string, what: string): void {
  const isThere = typeof spot.value === 'object' && spot.value !== null;
  if (isThere && spot.part(key).value === undefined) spot.part(key).say('wrong-type', `is missing: ${what}`);
}
