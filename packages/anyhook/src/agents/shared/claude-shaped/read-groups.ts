import { shown, spotAt, pathText, type Spot, suggestion } from '../../../events/checker.ts';
import type { ConfigRead, Place } from '../../../events/dialect.ts';
import type { Position } from '../../../events/document-parse.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { reportTypos } from '../../../events/typos.ts';
import { orMissing } from './or-missing.ts';

export interface GroupedFile {
  readonly words: readonly string[];
  /** Shown if the file does not contain an object. */
  readonly remedy: string;
  /** The key for settings of the whole dialect, if any. */
  readonly settings?: string;
  readonly hookOf: (grouped: GroupedHandler, place: Place, at: Position) => Hook;
}

/** Reads hooks from a file of groups. An invalid entry does not invalidate the file and does not vanish. */
export function readGroups(source: string, place: Place, file: GroupedFile): ConfigRead {
  const document = readDocument(source, place.file);
  if (document.value === undefined) return { hooks: [], modules: [], problems: document.problems };
  const problems: Problem[] = [...document.problems];
  const root = spotAt(document, [], problems);
  if (!isFields(root.value)) {
    root.report('wrong-type', `is ${shown(root.value)}`, { remedy: file.remedy });
    return { hooks: [], modules: [], problems };
  }
  const known = ['hooks', ...(file.settings === undefined ? [] : [file.settings])];
  reportTypos(root, { known, events: { words: file.words, key: 'hooks' } });
  const hooks = groupsIn(root.part('hooks'), file.words).map((grouped) =>
    orMissing(problems, () => file.hookOf(grouped, place, document.at(grouped.handler.path))),
  );
  const settings = file.settings === undefined ? undefined : root.part(file.settings).value;
  return { hooks, modules: [], problems, ...(isFields(settings) && { settings }) };
}

/** `{ "hooks": { "<Event>": [{ "matcher", "hooks": [ … ] }] } }`: the format that several agents share. */
interface GroupedHandler {
  readonly word: string;
  readonly group: Spot;
  readonly matcher: Spot;
  readonly handler: Spot;
  /** Unique within the file. */
  readonly place: string;
}

/** Returns every handler with its group. Invalid values are reported at their location, and the rest is kept. */
function groupsIn(hooks: Spot, words: readonly string[]): GroupedHandler[] {
  if (hooks.value === undefined) return [];
  if (!isFields(hooks.value)) {
    hooks.report('wrong-type', `is ${shown(hooks.value)}`, {
      remedy: `Write "hooks": { "${words[0]}": [ … ] }.`,
    });
    return [];
  }
  return Object.keys(hooks.value).flatMap((word) => {
    if (words.includes(word)) return handlersIn(hooks.part(word), word);
    hooks.part(word).report('unknown-event', `unknown event ${shown(word)}`, {
      at: 'key',
      remedy: `${suggestion(word, words)} Its hooks do not run.`,
    });
    return [];
  });
}

function handlersIn(spot: Spot, word: string): GroupedHandler[] {
  return itemsOf(spot, 'Write a list of { "matcher", "hooks" }.').flatMap((group, nth) => {
    if (!isFields(group.value)) {
      group.report('wrong-type', `is ${shown(group.value)}`, {
        remedy: 'Write { "matcher": …, "hooks": [ … ] }.',
      });
      return [];
    }
    return itemsOf(group.part('hooks'), 'Put the handlers in "hooks": [ … ].').map((handler, index) => ({
      word,
      group,
      matcher: group.part('matcher'),
      handler,
      place: pathText([word, nth, index]),
    }));
  });
}

function itemsOf(spot: Spot, remedy: string): Spot[] {
  if (!Array.isArray(spot.value)) {
    spot.report('wrong-type', `is ${shown(spot.value)}`, { remedy });
    return [];
  }
  return spot.value.map((_, index) => spot.part(index));
}
