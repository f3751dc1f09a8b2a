/** `[[hooks]]` of config.toml: text to hooks. One bad entry does not void the file, and does not vanish. */
import { parse, TomlError } from 'smol-toml';
import { shown, spotAt, suggestion } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Document, Path } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import { sayMisspelt } from '../../../events/misspelt.ts';
import { nearest, type Problem } from '../../../events/problems.ts';
import { orMissing } from '../../shared/claude-shaped/or-missing.ts';
import type { ReadFile } from '../../shared/command-shaped/make-dialect.ts';
import { kimiEvents } from './events.ts';

const WORDS = Object.keys(kimiEvents);
/** What an entry says: without its head above it, such a key would be the agent's. */
const isOfEntry = (key: string, value: unknown): boolean =>
  typeof value === 'string'
    ? nearest(key, ['event', 'command', 'matcher']) !== undefined
    : typeof value === 'number' && key === 'timeout';

export const readTables: ReadFile = (text, place, make) => {
  const problems: Problem[] = [];
  const document = documentOf(text, place, problems);
  const root = spotAt(document, [], problems);
  sayMisspelt(root, { known: ['hooks'], events: { words: WORDS, key: 'hooks' } });
  for (const key of Object.keys(document.value as object))
    if (isOfEntry(key, root.part(key).value))
      root.part(key).say('unknown-key', 'stands outside [[hooks]]', { remedy: 'Write [[hooks]] above it.' });
  const list = root.part('hooks');
  if (list.value === undefined) return { hooks: [], modules: [], problems };
  if (!Array.isArray(list.value)) {
    list.say('wrong-type', `is ${shown(list.value)}`, { remedy: 'Write a [[hooks]] table for each hook.' });
    return { hooks: [], modules: [], problems };
  }
  const hooks = list.value.flatMap((entry: unknown, index) => {
    const handler = list.part(index);
    const word = isFields(entry) ? entry['event'] : undefined;
    if (typeof word === 'string' && WORDS.includes(word)) {
      const named = { word, matcher: handler.part('matcher'), handler, place: `hooks[${index}]` };
      return orMissing(problems, () => make(named, place, document.at(['hooks', index])));
    }
    handler.say('unknown-event', `unknown event ${shown(word)}`, {
      remedy: `${suggestion(typeof word === 'string' ? word : '', WORDS)} It does not run.`,
    });
    return [];
  });
  return { hooks, modules: [], problems };
};

/** The parser knows no lines: those of the tables are found by their heads. */
function documentOf(text: string, { file }: Place, problems: Problem[]): Document {
  const lines = text.split('\n');
  const heads = lines.flatMap((line, index) => (/^\s*\[\[\s*hooks\s*\]\]/.test(line) ? [index + 1] : []));
  const at = ([key, index]: Path) => ({
    line: (key === 'hooks' ? heads[typeof index === 'number' ? index : 0] : undefined) ?? 1,
    column: 1,
  });
  try {
    return { file, value: parse(text), problems: [], at, keyAt: at };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = `${error.message.split('\n')[0]}.`;
    problems.push({ code: 'syntax', file, line: error.line, message, severity: 'error' });
    return { file, value: {}, problems: [], at, keyAt: at };
  }
}
