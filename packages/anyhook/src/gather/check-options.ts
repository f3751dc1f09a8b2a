/** Checks the options of `createHooks` before anything is opened. Each error names the option and what is expected. */

import type { Capabilities } from '../events/capabilities.ts';
import {
  anyText,
  flag,
  listOf,
  mapOf,
  object,
  oneOf,
  record,
  type Shape,
  spotAt,
  suggestion,
  text,
  whole,
} from '../events/checker.ts';
import { EFFECT_KINDS } from '../events/effects.ts';
import { EVENT_NAMES, type EventName, isEventName, rowOf } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import { GIFTS, isGift } from '../events/gifts.ts';
import { LAYERS } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import type { ServiceName, Services } from '../events/services.ts';
import { TOOLS, type ToolName } from '../events/tools.ts';
import { UNDO_FIELDS } from '../events/undo-settings.ts';
import type { McpServerOptions } from './mcp-servers.ts';
import {
  checkOrThrow,
  variables,
  needing,
  objectLike,
  optional,
  orFalse,
  saidBy,
  wants,
} from './option-shapes.ts';
import type { Options } from './options.ts';

const WHO = 'createHooks';

/** Throws a `TypeError` that lists every invalid option. */
export const checkOptions = (options: Options): void =>
  checkOrThrow(WHO, options, 'an object: { host: { name, can } }', OPTIONS);

/** Checks the options of `findMcpServers` in the same way. */
export const checkMcpOptions = (options: McpServerOptions): void =>
  checkOrThrow('findMcpServers', options, 'an object: { cwd, own }', MCP_OPTIONS);

/** An unknown event or effect is only a problem. The rest of the table still applies. */
export function checkCan(can: Capabilities): readonly Problem[] {
  const problems: Problem[] = [];
  const spot = spotAt(saidBy(WHO, { host: { can } }), ['host', 'can'], problems);
  object({}, (at, name) => {
    if (isEventName(name)) optional(effectsOf(name))(at);
    else at.report('unknown-event', `unknown event '${name}'`, { remedy: suggestion(name, EVENT_NAMES) });
  })(spot);
  return problems;
}

function effectsOf(event: EventName): Shape<unknown> {
  const counting: readonly string[] = rowOf(event).effects;
  const grades = Object.fromEntries(counting.map((kind) => [kind, optional(gradeOf(kind))]));
  return objectLike(
    (value) =>
      `{ ${namedIn(value, counting)
        .map((kind) => `${kind}: 'full'`)
        .join(', ')} }`,
    object(grades, (at, kind) => {
      const isEffect = (EFFECT_KINDS as readonly string[]).includes(kind);
      at.report('unknown-key', isEffect ? `${kind} has no effect on ${event}` : `unknown effect '${kind}'`, {
        remedy: isEffect ? `Supported there: ${counting.join(', ')}.` : suggestion(kind, counting),
      });
    }),
  );
}

/** Returns the listed effects that are supported; if none is, the first supported effect. */
function namedIn(value: unknown, counting: readonly string[]): readonly string[] {
  const named = Array.isArray(value) ? counting.filter((kind) => value.includes(kind)) : [];
  return named.length > 0 ? named : counting.slice(0, 1);
}

const gradeOf =
  (kind: string): Shape<unknown> =>
  (spot) => {
    const { value } = spot;
    const [key, ...more] = isFields(value) ? Object.keys(value) : [];
    const part = key === undefined || more.length > 0 ? undefined : spot.part(key);
    if (value === 'full') return value;
    if (key === 'as' && (part?.value === 'deny' || part?.value === 'notice')) return value;
    if (kind === 'give' && key === 'only' && part !== undefined) return listOf(gift)(part);
    spot.report('bad-value', `is not a valid grade`, {
      remedy: `Write 'full', { as: 'deny' }${kind === 'give' ? ", { as: 'notice' } or { only: [gifts] }" : " or { as: 'notice' }"}.`,
    });
    return undefined;
  };
const gift: Shape<string> = (spot) => {
  const what = anyText(spot);
  if (what === undefined || isGift(what)) return what;
  spot.report('bad-value', `unknown gift '${what}'`, { remedy: suggestion(what, Object.keys(GIFTS)) });
  return undefined;
};

const group = (fields: Readonly<Record<string, Shape<unknown>>>): Shape<unknown> =>
  object(
    Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, optional(shape)])),
    (spot, key) =>
      spot.report('unknown-key', 'is not an option', {
        remedy: placeOf(key) ?? suggestion(key, Object.keys(fields)),
      }),
  );

const flagOr =
  (shape: Shape<unknown>): Shape<unknown> =>
  (spot) =>
    typeof spot.value === 'boolean' ? spot.value : shape(spot);

const callable = wants('a function', (value) => typeof value === 'function');
const milliseconds = whole(1, 2 ** 31 - 1);
const texts = listOf(text);

const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];
const HOST_TOOL = group({ is: oneOf(TOOL_NAMES), args: mapOf(text) });
const hostTool: Shape<unknown> = (spot) => {
  needing({ is: "it needs the common tool name, such as 'shell'" }, HOST_TOOL)(spot);
  const is = spot.part('is').value as ToolName;
  if (!TOOL_NAMES.includes(is) || !isFields(spot.part('args').value)) return spot.value;
  const known: readonly string[] = TOOLS[is].args;
  for (const name of Object.keys(spot.part('args').value as object))
    if (!known.includes(name))
      spot
        .part('args')
        .part(name)
        .report('unknown-key', `${is} has no such argument`, {
          remedy: suggestion(name, known),
        });
  return spot.value;
};

/** Services may be class instances, so methods are also looked up on the prototype chain. */
const methods =
  <K extends ServiceName>() =>
  (...names: readonly (string & keyof NonNullable<Services[K]>)[]): Shape<unknown> =>
    wants(
      `an object with ${names.length === 1 ? 'the function' : 'the functions'} ${names.join(', ')}`,
      (value) => isFields(value) && names.every((name) => typeof value[name] === 'function'),
    );
const SERVICES = {
  ui: methods<'ui'>()('select', 'confirm', 'input', 'notify'),
  session: methods<'session'>()('entries'),
  sessions: methods<'sessions'>()('open', 'list', 'entries', 'prompt', 'abort', 'rename', 'remove'),
  messages: methods<'messages'>()('send'),
  commands: methods<'commands'>()('register'),
  tools: methods<'tools'>()('register'),
  log: callable,
  model: methods<'model'>()('current'),
  config: callable,
  exec: callable,
  history: callable,
  permit: callable,
  judge: callable,
} as const satisfies { readonly [K in ServiceName]: Shape<unknown> };

const shownAs = oneOf(['plain', 'hashed', 'off']);

const CAN_EXAMPLE = "{ 'tool.before': { deny: 'full' } }";

const place = needing(
  {
    layer: `expected one of ${LAYERS.join(', ')}`,
    file: 'it needs a string: the name of the settings',
  },
  object({ layer: optional(oneOf(LAYERS)), file: optional(text) }, () => {}), // and options added by dialects
);
const source = needing(
  {
    dialect: "it needs the dialect, such as 'anyhook'",
    text: 'it needs the settings',
    place: 'it needs { layer, file }',
  },
  group({ dialect: text, text: anyText, place }),
);

const GROUPS = {
  host: {
    name: text,
    version: anyText,
    can: objectLike(() => CAN_EXAMPLE, record),
    tools: mapOf(hostTool),
  },
  settings: { layers: listOf(oneOf(LAYERS)), dialects: texts, without: texts, sources: listOf(source) },
  modules: {
    files: texts,
    isolate: oneOf(['foreign', 'project', 'all', 'none']),
    refuseImports: flag,
    strayErrors: oneOf(['survive']),
    loadMs: milliseconds,
    handlerMs: milliseconds,
    scripts: oneOf(['run']),
    seedStrict: flag,
  },
  trust: { hashes: texts, folders: texts, approvers: texts, selfProtection: flag },
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
  limits: { budgetMs: milliseconds, openMs: milliseconds, shadow: flag, only: texts },
  watch: { onStart: callable, onEnd: callable, onLate: callable },
} as const;

/** Suggests the correct location of a misplaced option. */
function placeOf(key: string): string | undefined {
  const home = Object.entries(GROUPS).find(([, fields]) => Object.hasOwn(fields, key));
  return home && `Move it to ${home[0]}: ${home[0]}.${key}.`;
}

const FIELDS = {
  hooks: wants(
    'a list of defineHook(…), or functions by event: { "tool.before": (event) => … }',
    (value) => Array.isArray(value) || (isFields(value) && !(Symbol.iterator in value) && !('then' in value)),
  ),
  services: group(SERVICES),
  cwd: text,
  home: text,
  managed: needing({ folder: 'it needs a path' }, group({ folder: text, owner: whole(0, 2 ** 32 - 1) })),
  env: variables,
  settings: orFalse(group(GROUPS.settings)),
  modules: group(GROUPS.modules),
  trust: group(GROUPS.trust),
  journal: orFalse(group(GROUPS.journal)),
  limits: group(GROUPS.limits),
  watch: group(GROUPS.watch),
  sessionStore: oneOf(['memory', 'file']),
  approvals: flagOr(group({ mostMs: milliseconds })),
  undo: flagOr(group(UNDO_FIELDS)),
  signal: wants('an AbortSignal', (value) => value instanceof AbortSignal),
} as const satisfies { readonly [K in Exclude<keyof Options, 'host'>]: Shape<unknown> };

const OPTIONS = needing(
  { host: 'it needs { name, can }' },
  group({
    ...FIELDS,
    host: needing(
      {
        name: 'it needs a string: the name of the host',
        can: `it needs how the host applies each effect, such as ${CAN_EXAMPLE}`,
      },
      group(GROUPS.host),
    ),
  }),
);
const { cwd, home, env, trust } = FIELDS;
const MCP_OPTIONS = group({ cwd, home, env, trust, own: texts } satisfies {
  readonly [K in keyof McpServerOptions]-?: Shape<unknown>;
});
