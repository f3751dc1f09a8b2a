import { dirname, join } from 'node:path';
import { settingsPacks } from '../../../events/pack.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { userAndProject } from '../../shared/command-shaped/places.ts';
import { readLists } from '../../shared/command-shaped/read-lists.ts';
import { cursorAnswers as answers } from './answers.ts';
import { can } from './can.ts';
import { cursorEvents } from './events.ts';
import { cursorSpelling, versionIn } from './spelling.ts';

/** Cursor's tool names, from its documents and published hooks. */
const tools: ToolColumn = {
  shell: { names: ['Shell'], args: { command: ['command'], cwd: ['working_directory'] } },
  read: { names: ['Read'], args: { path: ['file_path'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['Write'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['StrReplace', 'Edit'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['Glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['Grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['WebFetch'], args: { url: ['url'] } },
  task: {
    names: ['Task'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: null,
};

const otherTools = ['Delete', 'SemanticSearch', 'WebSearch'];

const packs = settingsPacks({
  dialect: 'cursor',
  manifest: '.cursor-plugin/plugin.json',
  marketplace: '.cursor-plugin/marketplace.json',
  project: /^\.cursor\/hooks\.json$/,
});

/** Cursor: its own events and answers, from its published documents. */
export const cursor = makeShaped(
  {
    name: 'cursor',
    shown: 'Cursor',
    events: cursorEvents,
    tools,
    otherTools,
    can,
    places: ({ home, cwd }) =>
      userAndProject(join(home, '.cursor', 'hooks.json'), join(cwd, '.cursor', 'hooks.json')),
    // Project hooks run in the project root, user hooks in the folder of their file.
    folder: ({ layer, file }) => (layer === 'user' ? dirname(file) : undefined),
    reading: {
      decisions: (block) => (block === null ? [] : ['block']),
      flat: 'yes',
      changes: ['updatedInput'],
      refusingExit: (code, { block }) => code === 2 && block === 'deny',
    },
    writing: { refusal: 'document', place: 'flat', input: 'updatedInput' },
    answers,
    spelling: {
      callId: 'tool_use_id',
      result: { write: (text) => ({ tool_output: text }), read: ({ tool_output: said }) => said },
      known: { duration: 'duration', interrupt: 'is_interrupt' },
      trigger: 'trigger',
    },
    casing: cursorSpelling,
    projectVariable: 'CURSOR_PROJECT_DIR',
    variables: (cwd, _session, native) => ({
      CURSOR_PROJECT_DIR: cwd,
      CLAUDE_PROJECT_DIR: cwd,
      CURSOR_VERSION: versionIn(native),
    }),
    timeoutMs: 60_000,
  },
  {
    readFile: readLists(Object.keys(cursorEvents)),
    failsClosed: '"failClosed": true',
    packs,
    pluginVariables: ['CURSOR_PLUGIN_ROOT', 'CLAUDE_PLUGIN_ROOT'],
  },
);
