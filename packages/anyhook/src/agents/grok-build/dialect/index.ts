import { join } from 'node:path';
import type { Fields } from '../../../events/effects.ts';
import { isFields } from '../../../events/fields.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { jsonFilesIn } from '../../shared/command-shaped/places.ts';
import { can } from './can.ts';
import { grokEvents } from './events.ts';
import * as twins from './twins.ts';

/** Grok Build's tool names (1.0.41). */
const tools: ToolColumn = {
  shell: {
    names: ['run_terminal_command'],
    args: { command: ['command'], description: ['description'], background: ['background'] },
  },
  read: { names: ['read_file'], args: { path: ['target_file'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['write'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['search_replace'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: null,
  grep: { names: ['grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: null,
  task: {
    names: ['spawn_subagent'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: { names: ['todo_write'], args: { todos: ['todos'] } },
  mcp: { prefix: '', between: '__' },
};

const otherTools = 'list_dir web_search web_fetch get_command_output kill_command'.split(' ');

/** Grok Build: the names of Claude Code in its own files, with every field in two spellings. */
export const grokBuild = makeShaped({
  name: 'grok-build',
  shown: 'Grok Build',
  events: grokEvents,
  tools,
  otherTools,
  can,
  places: ({ home, cwd, list }) =>
    jsonFilesIn({ user: join(home, '.grok', 'hooks'), project: join(cwd, '.grok', 'hooks') }, list),
  reading: {
    decisions: (block) => (block === 'deny' ? ['block', 'deny'] : block === null ? [] : ['block']),
    flat: 'no',
    changes: ['updatedInput'],
  },
  writing: { refusal: 'exit', place: 'specific', input: 'updatedInput' },
  spelling: {
    callId: 'tool_use_id',
    result: {
      write: (text) => ({ tool_response: { type: 'Text', output_for_prompt: text } }),
      read: ({ tool_response: response }) => (isFields(response) ? shownIn(response) : response),
      details: 'tool_response',
    },
    known: { duration: 'duration_ms' },
    trigger: 'source',
  },
  casing: twins,
  projectVariable: 'GROK_WORKSPACE_ROOT',
  variables: (cwd, session) => ({
    GROK_WORKSPACE_ROOT: cwd,
    GROK_SESSION_ID: session,
    CLAUDE_PROJECT_DIR: cwd,
  }),
  timeoutMs: 5_000,
  // With `-p` a second Stop fires when the program ends and can no longer be resumed.
  unlike: (word, { reason }) => (word === 'Stop' && reason === 'shutdown' ? 'other' : undefined),
});

/** Returns what the model sees of a result. Each tool stores it in another field. */
function shownIn(native: Fields): unknown {
  const { output_for_prompt: plain, EditsApplied: edits, output } = native;
  if (typeof plain === 'string') return plain;
  if (isFields(edits) && typeof edits['tool_output_for_prompt'] === 'string')
    return edits['tool_output_for_prompt'];
  if (typeof output === 'string') return output;
  return Object.entries(native)
    .filter(([key, value]) => key !== 'type' && typeof value === 'string')
    .map(([, value]) => value)[0];
}
