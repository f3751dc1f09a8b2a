import { isAbsolute, join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { shown, spotAt, suggestion } from '../../../events/checker.ts';
import { contentText } from '../../../events/content.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Document, Path } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import { nearest, type Problem } from '../../../events/problems.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import { reportTypos } from '../../../events/typos.ts';
import { orMissing } from '../../shared/claude-shaped/or-missing.ts';
import { textOr } from '../../shared/claude-shaped/translation.ts';
import { makeShaped, type ReadFile } from '../../shared/command-shaped/make-dialect.ts';
import { can } from './can.ts';
import { kimiEvents } from './events.ts';
import * as ownFields from './own-fields.ts';

/**
 * Reads hooks from `[[hooks]]` tables of config.toml. An invalid entry does not invalidate the file and does not
 * vanish.
 */
const WORDS = Object.keys(kimiEvents);
/** Keys of a hook entry. Without a `[[hooks]]` header they would be settings of the agent. */
const isOfEntry = (key: string, value: unknown): boolean =>
  typeof value === 'string'
    ? nearest(key, ['event', 'command', 'matcher']) !== undefined
    : typeof value === 'number' && key === 'timeout';

const readTables: ReadFile = (text, place, make) => {
  const problems: Problem[] = [];
  const document = documentOf(text, place, problems);
  const root = spotAt(document, [], problems);
  reportTypos(root, { known: ['hooks'], events: { words: WORDS, key: 'hooks' } });
  for (const key of Object.keys(document.value as object))
    if (isOfEntry(key, root.part(key).value))
      root.part(key).report('unknown-key', 'is outside [[hooks]]', { remedy: 'Write [[hooks]] above it.' });
  const list = root.part('hooks');
  if (list.value === undefined) return { hooks: [], modules: [], problems };
  if (!Array.isArray(list.value)) {
    list.report('wrong-type', `is ${shown(list.value)}`, {
      remedy: 'Write a [[hooks]] table for each hook.',
    });
    return { hooks: [], modules: [], problems };
  }
  const hooks = list.value.flatMap((entry: unknown, index) => {
    const handler = list.part(index);
    const word = isFields(entry) ? entry['event'] : undefined;
    if (typeof word === 'string' && WORDS.includes(word)) {
      const named = { word, matcher: handler.part('matcher'), handler, place: `hooks[${index}]` };
      return orMissing(problems, () => make(named, place, document.at(['hooks', index])));
    }
    handler.report('unknown-event', `unknown event ${shown(word)}`, {
      remedy: `${suggestion(typeof word === 'string' ? word : '', WORDS)} It does not run.`,
    });
    return [];
  });
  return { hooks, modules: [], problems };
};

/** The parser has no line numbers, so the lines of tables are found by their headers. */
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

/** Kimi Code's tool names (2.1.0). */
const tools: ToolColumn = {
  shell: {
    names: ['Bash'],
    args: { command: ['command'], description: ['description'], background: ['run_in_background'] },
  },
  read: { names: ['Read'], args: { path: ['path'], offset: ['line_offset'], limit: ['n_lines'] } },
  write: { names: ['Write'], args: { path: ['path'], content: ['content'] } },
  edit: {
    names: ['Edit'],
    args: { path: ['path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['Glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['Grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['FetchURL'], args: { url: ['url'] } },
  task: {
    names: ['Agent'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: { names: ['TodoList'], args: { todos: ['todos'] } },
};

const otherTools = 'WebSearch AskUserQuestion Skill TaskOutput TaskStop'.split(' ');

/** Kimi Code: the names of Claude Code, in a list of `[[hooks]]`. */
export const kimiCode = makeShaped(
  {
    name: 'kimi-code',
    shown: 'Kimi Code',
    events: kimiEvents,
    tools,
    otherTools,
    can,
    places: ({ home }) =>
      isAbsolute(home) ? [{ layer: 'user', file: join(home, '.kimi-code', 'config.toml') }] : [],
    reading: {
      decisions: () => [], // it ignores decisions
      flat: 'no',
      changes: [],
    },
    writing: { refusal: 'exit', place: 'text', input: null },
    spelling: {
      callId: 'tool_call_id',
      result: { write: (text) => ({ tool_output: text }), read: ({ tool_output: said }) => said },
      prompt: {
        write: (text) => [{ type: 'text', text }],
        read: (output) => contentText(output, '\n'),
      },
      trigger: 'trigger',
      error: {
        write: (text) => ({ error: { code: 'internal', message: text, retryable: false } }),
        read: ({ error }) => (isFields(error) ? textOr(error['message']) : textOr(error)),
      },
    },
    casing: ownFields,
    variables: () => ({}),
    timeoutMs: 30_000,
  },
  { readFile: readTables },
);
