/**
 * Splits compound calls into acts and applies a change of one act to the whole call. A patch writes many
 * files, an editor tool reads or writes depending on an argument, and some tools run a shell command under
 * another name. A guard for an act then judges each of them.
 */

import { isPlain } from './changes.ts';
import type { Fields } from './effects.ts';
import { actsInPatch, patchOf, patchWith } from './patch.ts';
import { readingsOf } from './tool-shapes.ts';
import { quotedWord } from './tool-words.ts';
import type { ToolName } from './tools.ts';

/**
 * Tools that start a program or run code, each read as the equivalent shell command so that shell guards
 * judge it. Their names are not aliases of the shell tool: "everything but Bash" still matches them.
 */
interface Launch {
  /** Returns undefined if this call starts nothing. */
  readonly commandIn: (input: Fields) => string | undefined;
  /** Absent if the call cannot express another command. */
  readonly withCommand?: (input: Fields, command: string) => Fields;
}
const monitor: Launch = {
  commandIn: ({ command }) => (typeof command === 'string' ? command : undefined),
  withCommand: (input, command) => ({ ...input, command }),
};
const LAUNCHES: Readonly<Record<string, Launch>> = {
  // Watches the lines that a command prints, in Claude Code, Qwen Code and Grok Build.
  Monitor: monitor,
  monitor,
  // From oh-my-pi: `hub` starts and supervises processes, `eval` keeps an interpreter running.
  hub: {
    commandIn: ({ op, application, args, env }) =>
      op === 'start' && typeof application === 'string'
        ? [...variablesIn(env), application, ...(Array.isArray(args) ? args : [])].map(quotedWord).join(' ')
        : undefined,
  },
  eval: {
    commandIn: ({ language, code }) =>
      typeof code === 'string' && typeof language === 'string'
        ? `${language.startsWith('py') ? 'python3 -c' : 'node -e'} ${quotedWord(code)}`
        : undefined,
  },
};

const variablesIn = (env: unknown): readonly string[] =>
  isPlain(env) && Object.keys(env).length > 0
    ? ['env', ...Object.entries(env).map(([name, value]) => `${name}=${String(value)}`)]
    : [];

export interface Act {
  readonly tool: ToolName;
  readonly input: Fields;
}
interface Compound {
  readonly acts: (input: Fields) => readonly Act[];
  /** Returns the call with one act changed, or null if the call cannot express that. */
  readonly withAct: (input: Fields, at: number, act: Fields) => Fields | null;
  /** Expresses a single act as a call of this tool. */
  readonly around?: (act: Act) => Fields;
}

/** A patch that cannot be parsed is one edit of unknown files. */
const patch: Compound = {
  acts(input) {
    const acts = actsInPatch(String(input[textKey(input)] ?? ''));
    return acts.length > 0 ? acts : [{ tool: 'edit', input }];
  },
  withAct(input, at, act) {
    const key = textKey(input);
    const text = patchWith(String(input[key] ?? ''), at, act);
    return text === null ? null : { ...input, [key]: text };
  },
  around: (act) => ({ patch: patchOf(act) }),
};
/** Agents without a column of their own use other names for the argument. */
const textKey = (input: Fields): string =>
  typeof input['patch'] === 'string'
    ? 'patch'
    : (Object.keys(input).find((key) => isPatch(input[key])) ?? 'patch');

const isPatch = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*\*\*\* Begin Patch/.test(value);

/**
 * Texts beside the list are one more edit, because pi accepts both. A value that is not a list is passed on
 * as a single edit.
 */
const multiEdit: Compound = {
  acts(input) {
    const { edits, ...own } = input;
    if (!Array.isArray(edits)) return [{ tool: 'edit', input }];
    const acts = edits.map((edit: unknown) =>
      editAct({ path: own['path'], ...(isPlain(edit) ? edit : { edit }) }),
    );
    return hasText(own) || acts.length === 0 ? [editAct(own), ...acts] : acts;
  },
  withAct(input, at, act) {
    const { edits, ...own } = input;
    const acts = multiEdit.acts(input);
    if (!Array.isArray(edits) || at >= acts.length) return null;
    const { path, ...edit } = act;
    // All edits share one path, so a single edit cannot move to another file.
    if (path !== own['path'] && acts.length > 1) return null;
    const inList = at - (acts.length - edits.length);
    if (inList < 0) return { ...act, edits };
    return { ...own, path, edits: edits.map((one: unknown, i) => (i === inList ? edit : one)) };
  },
};
const editAct = (input: Fields): Act => ({ tool: 'edit', input });
const hasText = (input: Fields): boolean => Object.hasOwn(input, 'old') || Object.hasOwn(input, 'new');

const EDITOR_ACTS: ReadonlyMap<unknown, ToolName> = new Map([
  ['view', 'read'],
  ['write', 'write'],
  ['create', 'write'],
]);
/** An editor action that neither reads nor writes a whole file is an edit. */
const editor: Compound = {
  acts: ({ action, ...input }) => [{ tool: EDITOR_ACTS.get(action) ?? 'edit', input }],
  withAct: ({ action }, _at, act) => ({ ...(action !== undefined && { action }), ...act }),
  around: ({ tool, input }) => ({ action: EDITOR_ACTIONS[tool] ?? 'str_replace', ...input }),
};
const EDITOR_ACTIONS: { readonly [T in ToolName]?: string } = { read: 'view', write: 'write' };

const launching = (launch: Launch): Compound => ({
  acts(input) {
    const command = launch.commandIn(input);
    return command === undefined ? [] : [{ tool: 'shell', input: { command } }];
  },
  withAct: (input, _at, { command }) => launch.withCommand?.(input, String(command)) ?? null,
});

const COMPOUNDS: ReadonlyMap<string, Compound> = new Map<string, Compound>([
  ['patch', patch],
  ['multi-edit', multiEdit],
  ['editor', editor],
  ...Object.entries(LAUNCHES).map(([tool, launch]): [string, Compound] => [tool, launching(launch)]),
]);

/**
 * Readings of tools that are in no table, cached per input because they are needed several times per event.
 */
const SHAPES = new WeakMap<Fields, { readonly tool: string; readonly compound: Compound | undefined }>();
function shapeOf(tool: string, input: Fields): Compound | undefined {
  const known = SHAPES.get(input);
  if (known?.tool === tool) return known.compound;
  const readings = readingsOf(tool, input);
  const compound: Compound | undefined = readings && {
    acts: () => readings.map((reading) => ({ tool: reading.tool, input: reading.input })),
    withAct: (_input, at, act) => readings[at]?.withAct?.(act) ?? null,
  };
  SHAPES.set(input, { tool, compound });
  return compound;
}

/** Called for every event. Most events have no tool, and most tools are not compound. */
function compoundOf({ tool, input }: Fields): Compound | undefined {
  if (typeof tool !== 'string' || !isPlain(input)) return undefined;
  return COMPOUNDS.get(tool) ?? shapeOf(tool, input);
}

export const isCompound = (payload: object): boolean => compoundOf(payload as Fields) !== undefined;

/**
 * Returns true if the acts are only guesses from the arguments. A hook without a matcher then gets the call
 * itself.
 */
export const isReadByShape = (payload: Fields): boolean =>
  isCompound(payload) && !COMPOUNDS.has(String(payload['tool']));

/** Returns an empty list for a call that is a single act, as most are. */
export const actsOf = (payload: Fields): readonly Act[] =>
  compoundOf(payload)?.acts(payload['input'] as Fields) ?? [];

export const withAct = (payload: Fields, at: number, act: Fields): Fields | null =>
  compoundOf(payload)?.withAct(payload['input'] as Fields, at, act) ?? null;

/**
 * Decides by the arguments which kind of edit a call is. Some agents use one tool for a replacement, a list
 * of replacements (`edits`) and a patch. The patch has an argument name that a replacement does not use.
 */
export function editShape(input: Fields, isKnown: (key: string) => boolean): EditShape {
  if (Object.hasOwn(input, 'edits')) return { tool: 'multi-edit' };
  const key = Object.keys(input).find((name) => !isKnown(name) && isPatch(input[name]));
  return key === undefined ? { tool: 'edit' } : { tool: 'patch', key };
}
export type EditShape =
  | { readonly tool: 'edit' | 'multi-edit' }
  /** The argument with the patch. */
  | { readonly tool: 'patch'; readonly key: string };

/** Expresses an act as a call of a tool that covers several acts. */
export const around = (tool: ToolName, act: Act): Fields => COMPOUNDS.get(tool)?.around?.(act) ?? act.input;
