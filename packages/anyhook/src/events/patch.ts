/** Reads and writes the text of `apply_patch`: files added, changed, moved and deleted in one call. */

import type { Act } from './acts.ts';
import type { Fields } from './effects.ts';

interface Section {
  readonly verb: 'Add' | 'Update' | 'Delete';
  readonly path: string;
  readonly to?: string;
  readonly body: readonly string[];
}
interface Patch {
  readonly before: readonly string[];
  readonly sections: readonly Section[];
}

const HEADER = /^\s*\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const MOVE = /^\s*\*\*\* Move to: (.+?)\s*$/;
const END = /^\s*\*\*\* End Patch\s*$/;

/**
 * Parses as leniently as any agent: every line that looks like a file header counts as one, so that guards
 * judge the file.
 */
function read(text: string): Patch {
  const before: string[] = [];
  const sections: { -readonly [K in keyof Section]: Section[K] }[] = [];
  let body: string[] = before;
  for (const line of text.split('\n')) {
    const [, verb, path] = HEADER.exec(line) ?? [];
    const last = sections.at(-1);
    const to = last === undefined ? undefined : MOVE.exec(line)?.[1];
    if (path !== undefined) sections.push({ verb: verb as Section['verb'], path, body: (body = []) });
    else if (to !== undefined) last!.to = to;
    else if (!END.test(line)) body.push(line);
  }
  return { before, sections };
}

const write = ({ before, sections }: Patch): string =>
  [
    ...(before.length > 0 ? before : ['*** Begin Patch']),
    ...sections.flatMap(({ verb, path, to, body }) => [
      `*** ${verb} File: ${path}`,
      ...(to === undefined ? [] : [`*** Move to: ${to}`]),
      ...(body.at(-1) === '' ? body.slice(0, -1) : body), // drops the empty string after the last newline
    ]),
    '*** End Patch',
  ].join('\n');

/** An act, the section it belongs to, and whether it is the section's move. */
interface Spot {
  readonly act: Act;
  readonly section: number;
  readonly isMove: boolean;
}
function spotsIn({ sections }: Patch): Spot[] {
  return sections.flatMap((one, section) => [
    { act: actOf(one), section, isMove: false },
    ...(one.to === undefined
      ? []
      : [{ act: { tool: 'write', input: { path: one.to } } as const, section, isMove: true }]),
  ]);
}

function actOf({ verb, path, body }: Section): Act {
  if (verb === 'Add') return { tool: 'write', input: { path, content: `${side(body, '+').join('\n')}\n` } };
  if (verb === 'Delete') return { tool: 'edit', input: { path } };
  return {
    tool: 'edit',
    input: { path, old: side(body, '-').join('\n'), new: side(body, '+').join('\n') },
  };
}
/** Returns the lines of one side, with the common lines. */
const side = (body: readonly string[], mark: '+' | '-'): string[] =>
  body.filter((line) => line.startsWith(mark) || line.startsWith(' ')).map((line) => line.slice(1));

export const actsInPatch = (text: string): Act[] => spotsIn(read(text)).map(({ act }) => act);

/** Returns the patch with one act changed, or null if a patch of these files cannot express it. */
export function patchWith(text: string, at: number, input: Fields): string | null {
  const patch = read(text);
  const spot = spotsIn(patch)[at];
  if (spot === undefined || typeof input['path'] !== 'string' || !isOneLine(input['path'])) return null;
  const section = changed(patch.sections[spot.section]!, spot, input);
  if (section === null) return null;
  return write({
    ...patch,
    sections: patch.sections.map((one, i) => (i === spot.section ? section : one)),
  });
}

function changed(section: Section, { act, isMove }: Spot, input: Fields): Section | null {
  const { path, ...rest } = input as { path: string };
  const { path: _, ...before } = act.input;
  const isSame = Object.keys({ ...rest, ...before }).every((key) => input[key] === act.input[key]);
  if (isMove) return isSame ? { ...section, to: path } : null;
  if (isSame) return { ...section, path };
  const body = bodyOf(section, rest);
  return body === null ? null : { ...section, path, body };
}

function bodyOf({ verb, body }: Section, input: Fields): readonly string[] | null {
  const { content, old, new: now, ...more } = input;
  if (Object.keys(more).length > 0) return null;
  if (verb === 'Add') return typeof content === 'string' ? added(content) : null;
  // If a file is changed in several places, it is unclear which one was meant.
  const heads = body.filter((line) => line.startsWith('@@'));
  if (verb === 'Delete' || heads.length > 1 || typeof old !== 'string' || typeof now !== 'string')
    return null;
  return [heads[0] ?? '@@', ...marked('-', old), ...marked('+', now)];
}

/** Expresses an act as a patch, for an agent that has no other way to write. */
export function patchOf({ tool, input }: Act): string {
  const path = String(input['path'] ?? '');
  const section: Section =
    tool === 'write'
      ? { verb: 'Add', path, body: added(String(input['content'] ?? '')) }
      : {
          verb: 'Update',
          path,
          body: [
            '@@',
            ...marked('-', String(input['old'] ?? '')),
            ...marked('+', String(input['new'] ?? '')),
          ],
        };
  return write({ before: [], sections: [section] });
}

const marked = (mark: '+' | '-', text: string): string[] => text.split('\n').map((line) => `${mark}${line}`);
const added = (content: string): string[] => marked('+', content.replace(/\n$/, ''));
const isOneLine = (path: string): boolean => path !== '' && !/[\r\n]/.test(path);
