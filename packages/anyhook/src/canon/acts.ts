/**
 * Some calls are several acts in one: a patch writes many files, an editor reads or writes by an argument. How such a call
 * is taken apart, and how a change of one act goes back into it. A guard for an act is asked about each.
 */
import { isPlain } from './changes.ts';
import type { Fields } from './effects.ts';
import { actsInPatch, patchOf, patchWith } from './patch.ts';
import type { ToolName } from './tools.ts';

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
    : (Object.keys(input).find((key) => /^\s*\*\*\* Begin Patch/.test(String(input[key]))) ?? 'patch');

const multiEdit: Compound = {
  acts: ({ path, edits }) =>
    Array.isArray(edits) && edits.length > 0
      ? edits.map((edit: unknown) => ({ tool: 'edit', input: { path, ...(isPlain(edit) && edit) } }))
      : [{ tool: 'edit', input: { path } }],
  withAct(input, at, { path, ...edit }) {
    const edits: readonly unknown[] = Array.isArray(input['edits']) ? input['edits'] : [];
    // One path for all of them: another file is another call.
    if (path !== input['path'] || at >= edits.length) return null;
    return { ...input, edits: edits.map((one, i) => (i === at ? edit : one)) };
  },
};

const EDITOR_ACTS: ReadonlyMap<unknown, ToolName> = new Map([
  ['view', 'read'],
  ['write', 'write'],
  ['create', 'write'],
]);
/** What an editor does that is neither reading nor writing anew changes a file. */
const editor: Compound = {
  acts: ({ action, ...input }) => [{ tool: EDITOR_ACTS.get(action) ?? 'edit', input }],
  withAct: ({ action }, _at, act) => ({ ...(action !== undefined && { action }), ...act }),
};

const COMPOUNDS: ReadonlyMap<unknown, Compound> = new Map<ToolName, Compound>([
  ['patch', patch],
  ['multi-edit', multiEdit],
  ['editor', editor],
]);

const compoundOf = ({ tool, input }: Fields): Compound | undefined =>
  isPlain(input) ? COMPOUNDS.get(tool) : undefined;

export const isCompound = (payload: object): boolean => compoundOf(payload as Fields) !== undefined;

/** Nothing for a call that is one act, as most are. */
export const actsOf = (payload: Fields): readonly Act[] =>
  compoundOf(payload)?.acts(payload['input'] as Fields) ?? [];

export const withAct = (payload: Fields, at: number, act: Fields): Fields | null =>
  compoundOf(payload)?.withAct(payload['input'] as Fields, at, act) ?? null;

/** An act as a call of a tool that can do it among others. */
export const around = (tool: ToolName, act: Act): Fields => COMPOUNDS.get(tool)?.around?.(act) ?? act.input;
