/**
 * What a call does to which target, independent of its tool and spelling: `write /p/.env` for the write tool, `echo x > .env` and
 * a script that does the same.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { actsOf, isCompound } from '../events/acts.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { isFields } from '../events/fields.ts';
import type { ScriptFiles } from '../events/script-files.ts';
import { NOTEBOOK_EDITS } from '../events/tools.ts';
import { type CallAct, fetched, resolvedPath } from './act-targets.ts';
import { type ActScene, shellPieces } from './shell-acts.ts';

/** A part of a call that a matcher may select on its own. */
export interface CallPiece {
  readonly payload: Fields;
  readonly acts: readonly CallAct[];
}

const WRITERS: ReadonlySet<unknown> = new Set(['write', 'edit', 'multi-edit', 'editor', ...NOTEBOOK_EDITS]);
const READERS: ReadonlySet<unknown> = new Set(['read', 'grep']);

export function callPieces(
  { payload, scene }: Event,
  home: string,
  files?: ScriptFiles,
): readonly CallPiece[] {
  const { tool, input } = payload as { readonly tool: unknown; readonly input: unknown };
  if (typeof tool !== 'string' || !isFields(input)) return [];
  const place: ActScene = { cwd: scene.cwd, home, ...(files && { files }) };
  const views = isCompound(payload) ? actsOf(payload as Fields) : [];
  return (views.length > 0 ? views : [{ tool, input }]).flatMap((view) => piecesOf(view, place));
}

function piecesOf(
  view: { readonly tool: string; readonly input: Fields },
  place: ActScene,
): readonly CallPiece[] {
  const { tool, input } = view;
  const { command, path, url, notebook_path: notebook } = input;
  if (tool === 'shell' && typeof command === 'string') {
    const { cwd } = input;
    return shellPieces(command, typeof cwd === 'string' ? { ...place, cwd: resolve(place.cwd, cwd) } : place);
  }
  const one = (does: CallAct['does'], ...targets: string[]) => [
    { payload: { tool, input }, acts: [{ does, targets }] },
  ];
  const file = path ?? notebook;
  if (typeof file === 'string' && WRITERS.has(tool))
    return one('write', resolvedPath(resolve(place.cwd, file)));
  if (typeof file === 'string' && READERS.has(tool))
    return one('read', resolvedPath(resolve(place.cwd, file)));
  if (tool === 'fetch' && typeof url === 'string') return one('fetch', fetched(url));
  return one('call', `${tool} ${canonical(input)}`);
}

/** Identifies exactly this call. */
export const exactCall = ({ payload }: Pick<Event, 'payload'>): string => {
  const { tool, input } = payload as { readonly tool?: unknown; readonly input?: unknown };
  return createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex')
    .slice(0, 16);
};

/** JSON whose keys are sorted, because models write arguments in any order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isFields(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? '';
