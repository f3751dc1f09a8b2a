/** Puts proposals into the text of the user's `hooks.json`, without changing anything else in it. */

import { join } from 'node:path';
import type { Locations } from '../events/dialect.ts';
import { isFields } from '../events/fields.ts';
import { foldersOf } from '../gather/folders.ts';
import { targetText } from '../install/target.ts';
import { changedText, type FileChange, type FileEdit, openTarget, valueIn } from '../menu/file-edit.ts';
import { unifiedPatch } from '../settings/trust/diff.ts';
import { visible } from '../settings/trust/visible.ts';
import type { Proposal } from './propose.ts';

type Entries = readonly unknown[];

export const ownHooksFile = (locations: Locations): string => join(foldersOf(locations).config, 'hooks.json');

/** Proposals that the file does not contain yet. Throws `Unreadable` for a file that cannot be parsed. */
export function missingIn(locations: Locations, proposals: readonly Proposal[]): readonly Proposal[] {
  const value = valueIn(openTarget(ownHooksFile(locations), 'user', locations));
  const present = [...listAt(value, ['approvals', 'allow']), ...listAt(value, GUARDS)];
  return proposals.filter(
    (proposal) =>
      !present.some(
        (one) =>
          isFields(one) &&
          (proposal.kind === 'allow'
            ? one['command'] === proposal.entry.command &&
              (one['project'] ?? proposal.entry.project) === proposal.entry.project
            : one['match'] === proposal.entry.match || one['name'] === proposal.entry.name),
      ),
  );
}

const GUARDS = ['hooks', 'tool.before'] as const;

export function proposedEdit(locations: Locations, proposals: readonly Proposal[]): FileEdit {
  const original = openTarget(ownHooksFile(locations), 'user', locations);
  let target = original;
  for (const { kind, entry } of proposals) {
    const value = valueIn(target);
    const text = changedText(
      target,
      kind === 'allow' ? allowed(value, entry) : added(value, GUARDS, entry),
    ).text;
    target = { ...target, bytes: Buffer.from(text ?? '') };
  }
  const text = targetText(target);
  const diff = visible(unifiedPatch(original.file, targetText(original), text)).trimEnd();
  return { target: original, text, diff };
}

/** A mode alone may stand for the whole of `approvals`. */
function allowed(value: object, entry: unknown): FileChange {
  const { approvals } = value as { approvals?: unknown };
  return typeof approvals === 'string'
    ? { path: ['approvals'], to: { mode: approvals, allow: [entry] } }
    : added(value, ['approvals', 'allow'], entry);
}

function added(value: object, path: readonly string[], entry: unknown): FileChange {
  const list = listAt(value, path);
  return list.length === 0 ? { path, to: [entry] } : { path: [...path, list.length], to: entry };
}

function listAt(value: object, path: readonly string[]): Entries {
  let at: unknown = value;
  for (const key of path) at = isFields(at) ? at[key] : undefined;
  return Array.isArray(at) ? at : [];
}
