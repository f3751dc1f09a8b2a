/** Reads `{ "version": 1, "hooks": { "<event>": [ … ] } }`: one flat list per event. */

import { shown, type Spot, spotAt, suggestion } from '../../../events/checker.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import type { Problem } from '../../../events/problems.ts';
import { reportTypos } from '../../../events/typos.ts';
import { orMissing } from '../claude-shaped/or-missing.ts';
import type { ReadFile } from './make-dialect.ts';

export const readLists =
  (words: readonly string[]): ReadFile =>
  (text, place, make) => {
    const document = readDocument(text, place.file);
    const problems: Problem[] = [...document.problems];
    if (document.value === undefined) return { hooks: [], modules: [], problems };
    const root = spotAt(document, [], problems);
    if (!isFields(root.value)) {
      root.report('wrong-type', `is ${shown(root.value)}`, {
        remedy: 'Write { "version": 1, "hooks": { … } }.',
      });
      return { hooks: [], modules: [], problems };
    }
    reportTypos(root, { known: ['hooks', 'version'], events: { words, key: 'hooks' } });
    const version = root.part('version');
    // An object here contains misplaced hooks, which are already reported above.
    if (version.value !== undefined && version.value !== 1 && !isFields(version.value))
      version.report('bad-value', `is ${shown(version.value)}; its hooks are read as version 1`, {
        severity: 'warning',
      });
    const hooks = entriesIn(root.part('hooks'), words).map((entry) =>
      orMissing(problems, () => make(entry, place, document.at(entry.handler.path))),
    );
    return { hooks, modules: [], problems };
  };

function entriesIn(hooks: Spot, words: readonly string[]) {
  if (hooks.value === undefined) return [];
  if (!isFields(hooks.value)) {
    hooks.report('wrong-type', `is ${shown(hooks.value)}`, {
      remedy: `Write "hooks": { "preToolUse": [ … ] }.`,
    });
    return [];
  }
  return Object.entries(hooks.value).flatMap(([word, list]) => {
    const spot = hooks.part(word);
    if (!words.includes(word)) {
      spot.report('unknown-event', `unknown event ${shown(word)}`, {
        at: 'key',
        remedy: `${suggestion(word, words)} Its hooks do not run.`,
      });
      return [];
    }
    if (!Array.isArray(list)) {
      spot.report('wrong-type', `is ${shown(list)}`, { remedy: 'Write a list of handlers.' });
      return [];
    }
    return list.map((_, index) => {
      const handler = spot.part(index);
      return { word, handler, matcher: handler.part('matcher'), place: `${word}[${index}]` };
    });
  });
}
