/** Reads one entry of a group's `hooks`: its keys by type, and its errors. */

import {
  anyText,
  flag,
  listOf,
  mapOf,
  object,
  oneOf,
  record,
  type Shape,
  type TypeOfShape,
  shown,
  type Spot,
  suggestion,
  text,
} from '../../../events/checker.ts';
import type { HandlerType } from './event-row.ts';

/** Seconds, possibly fractional. */
const seconds: Shape<number> = (spot) => {
  const { value } = spot;
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  spot.report(typeof value === 'number' ? 'bad-value' : 'wrong-type', `is ${shown(value)}`, {
    remedy: 'Write a number of seconds above 0; until then the default is used.',
    severity: 'warning',
  });
  return undefined;
};

const COMMON = { type: text, if: text, timeout: seconds, statusMessage: anyText, once: flag };
const onFailure = oneOf(['continue', 'block']);
const KEYS = {
  command: {
    ...COMMON,
    command: text,
    args: listOf(anyText),
    shell: oneOf(['bash', 'powershell']),
    async: flag,
    asyncRewake: flag,
    rewakeMessage: anyText,
    rewakeSummary: anyText,
    onFailure,
  },
  http: { ...COMMON, url: text, headers: mapOf(anyText), allowedEnvVars: listOf(text), onFailure },
  mcp_tool: { ...COMMON, server: text, tool: text, input: record },
  prompt: { ...COMMON, prompt: text, model: text, continueOnBlock: flag },
  agent: { ...COMMON, prompt: text, model: text },
} as const satisfies Record<HandlerType, unknown>;

const REQUIRED: Readonly<Record<HandlerType, readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
  prompt: ['prompt'],
  agent: ['prompt'],
};

const SHAPES = {
  command: object(KEYS.command, 'warning'),
  http: object(KEYS.http, 'warning'),
  mcp_tool: object(KEYS.mcp_tool, 'warning'),
  prompt: object(KEYS.prompt, 'warning'),
  agent: object(KEYS.agent, 'warning'),
};

/** Keys of all handler types. The type determines which are allowed. */
export type ClaudeHandler = { readonly type: HandlerType } & Omit<
  TypeOfShape<typeof SHAPES.command> &
    TypeOfShape<typeof SHAPES.http> &
    TypeOfShape<typeof SHAPES.mcp_tool> &
    TypeOfShape<typeof SHAPES.prompt>,
  'type'
>;

/** Returns the valid fields; undefined if even the type is invalid. */
export function readDefinition(
  spot: Spot,
  allowed: readonly HandlerType[],
  word: string,
): ClaudeHandler | undefined {
  const value = record(spot);
  if (value === undefined) return undefined;
  const type = typeOf(spot, value);
  if (type === undefined) return undefined;
  if (!allowed.includes(type))
    spot.part('type').report('bad-value', `${word} takes no ${type} hooks`, {
      remedy: `Known: ${allowed.join(', ')}.`,
    });
  const read = SHAPES[type](spot) ?? {};
  for (const key of REQUIRED[type])
    if (!Object.hasOwn(value, key))
      spot.report('bad-value', `has no "${key}"`, { remedy: `A ${type} hook needs it.` });
  if (read.once !== undefined)
    spot.part('once').report('bad-value', 'only applies in the frontmatter of a skill', {
      at: 'key',
      severity: 'warning',
      remedy: 'Remove it; the hook runs every time.',
    });
  return { ...read, type };
}

const TYPES = Object.keys(KEYS) as readonly HandlerType[];

function typeOf(spot: Spot, value: Readonly<Record<string, unknown>>): HandlerType | undefined {
  const typeSpot = spot.part('type');
  if (typeSpot.value === undefined) {
    const guess = TYPES.find((type) => REQUIRED[type].every((key) => Object.hasOwn(value, key)));
    spot.report('bad-value', 'has no "type"', { remedy: `Write "type": "${guess ?? 'command'}".` });
    return guess;
  }
  const known = TYPES.find((type) => type === typeSpot.value);
  if (known === undefined)
    typeSpot.report('bad-value', `unknown type ${shown(typeSpot.value)}`, {
      remedy: suggestion(String(typeSpot.value), TYPES),
    });
  return known;
}
