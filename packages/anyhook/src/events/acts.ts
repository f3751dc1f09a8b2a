/**
 * Some calls are several acts in one: a patch writes many files, an editor reads or writes by an argument, and some are an
 * act in other words. How such a call
 * is taken apart, and how a change of one act goes back into it. A guard for an act is asked about each.
 */
import { isPlain } from './changes.ts';
import type { Fields } from './effects.ts';
import { actsInPatch, patchOf, patchWith } from './patch.ts';
import { readingsOf } from './tool-shapes.ts';
import type { ToolName } from './tools.ts';
import { quotedWord } from './tool-words.ts';

/**
 * Tools that start a program or run code in words of their own: each is told as the shell command that does the same, so
 * that a guard of the shell is asked. They are no names of the shell: "everything but Bash" does not mean them.
 */
interface Launch {
  /** Undefined where this call starts nothing. */
  readonly commandIn: (input: Fields) => string | undefined;
  /** Absent: another command has no way back into the call. */
  readonly withCommand?: (input: Fields, command: string) => Fields;
}
const monitor: Launch = {
  commandIn: ({ command }) => (typeof command === 'string' ? command : undefined),
  withCommand: (input, command) => ({ ...input, command }),
};
const LAUNCHES: Readonly<Record<string, Launch>> = {
  // What watches the lines that a command prints, in Claude Code, Qwen Code and Grok Build.
  Monitor: monitor,
  monitor,
  // Of oh-my-pi: the first starts processes that it looks after, the second keeps an interpreter.
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
  /** The call with one act changed; null: it has no way to say that. */
  readonly withAct: (input: Fields, at: number, act: Fields) => Fields | null;
  /** One act said as such a call. */
  readonly around?: (act: Act) => Fields;
}

/** Of a patch that cannot be read one thing is known: it changes files. */
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
/** Agents that we know no column of call the text by other names. */
const textKey = (input: Fields): string =>
  typeof input['patch'] === 'string'
    ? 'patch'
    : (Object.keys(input).find((key) => isPatch(input[key])) ?? 'patch');

const isPatch = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*\*\*\* Begin Patch/.test(value);

/** Texts beside the list are one more edit: pi takes both. What is no list of edits is an edit as it came. */
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
    // One path for all of them: where there are several, another file is another call.
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
/** What an editor does that is neither reading nor writing anew changes a file. */
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

/** A tool that no table knows, read by its arguments. Asked several times per event, so the answer is kept with the input. */
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

/** Called for every event: most are about no tool, and most tools are none of these. */
function compoundOf({ tool, input }: Fields): Compound | undefined {
  if (typeof tool !== 'string' || !isPlain(input)) return undefined;
  return COMPOUNDS.get(tool) ?? shapeOf(tool, input);
}

export const isCompound = (payload: object): boolean => compoundOf(payload as Fields) !== undefined;

/** The acts are only ways to read the call: who is interested in any call gets the call itself. */
export const isReadByShape = (payload: Fields): boolean =>
  isCompound(payload) && !COMPOUNDS.has(String(payload['tool']));

/** Nothing for a call that is one act, as most are. */
export const actsOf = (payload: Fields): readonly Act[] =>
  compoundOf(payload)?.acts(payload['input'] as Fields) ?? [];

export const withAct = (payload: Fields, at: number, act: Fields): Fields | null =>
  compoundOf(payload)?.withAct(payload['input'] as Fields, at, act) ?? null;

/**
 * What a call that is named an edit is by its arguments: some agents have one tool for a replacement, for a list of them
 * (`edits`) and for a patch, which stands under a name that a replacement does not have.
 */
export function editShape(input: Fields, isKnown: (key: string) => boolean): EditShape {
  if (Object.hasOwn(input, 'edits')) return { tool: 'multi-edit' };
  const key = Object.keys(input).find((name) => !isKnown(name) && isPatch(input[name]));
  return key === undefined ? { tool: 'edit' } : { tool: 'patch', key };
}
export type EditShape =
  | { readonly tool: 'edit' | 'multi-edit' }
  /** The argument that holds the patch. */
  | { readonly tool: 'patch'; readonly key: string };

/** An act as a call of a tool that can do it among others. */
export const around = (tool: ToolName, act: Act): Fields => COMPOUNDS.get(tool)?.around?.(act) ?? act.input;
