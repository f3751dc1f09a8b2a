import { shown, spotAt } from '../../../events/checker.ts';
import type { ConfigRead, Place } from '../../../events/dialect.ts';
import type { Position } from '../../../events/document-parse.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import type { Hook } from '../../../events/hook.ts';
import { sayMisspelt } from '../../../events/misspelt.ts';
import type { Problem } from '../../../events/problems.ts';
import { type GroupedHandler, groupsIn } from './groups.ts';
import { orMissing } from './or-missing.ts';

export interface GroupedFile {
  readonly words: readonly string[];
  /** For a file that holds something else than an object. */
  readonly remedy: string;
  /** The key of settings for the whole dialect, where it has one. */
  readonly settings?: string;
  readonly hookOf: (grouped: GroupedHandler, place: Place, at: Position) => Hook;
}

/** A file of groups: text to hooks. One bad entry does not void the file, and does not vanish. */
export function readGroups(source: string, place: Place, file: GroupedFile): ConfigRead {
  const document = readDocument(source, place.file);
  if (document.value === undefined) return { hooks: [], modules: [], problems: document.problems };
  const problems: Problem[] = [...document.problems];
  const root = spotAt(document, [], problems);
  if (!isFields(root.value)) {
    root.say('wrong-type', `is ${shown(root.value)}`, { remedy: file.remedy });
    return { hooks: [], modules: [], problems };
  }
  const known = ['hooks', ...(file.settings === undefined ? [] : [file.settings])];
  sayMisspelt(root, { known, events: { words: file.words, key: 'hooks' } });
  const hooks = groupsIn(root.part('hooks'), file.words).map((grouped) =>
    orMissing(problems, () => file.hookOf(grouped, place, document.at(grouped.handler.path))),
  );
  const settings = file.settings === undefined ? undefined : root.part(file.settings).value;
  return { hooks, modules: [], problems, ...(isFields(settings) && { settings }) };
}
