import { join } from 'node:path';
import { isFields } from '../../../events/fields.ts';
import { settingsPacks } from '../../../events/pack.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { userAndProject } from '../../shared/command-shaped/places.ts';
import { can } from './can.ts';
import { qwenEvents } from './events.ts';
import * as furtherFields from './further-fields.ts';

/** Qwen Code's tool names (0.24.4): those of Gemini CLI, from which it is derived, with its own `edit` and `agent`. */
const tools: ToolColumn = {
  shell: {
    names: ['run_shell_command'],
    args: {
      command: ['command'],
      description: ['description'],
      cwd: ['directory'],
      background: ['is_background'],
    },
  },
  read: { names: ['read_file'], args: { path: ['file_path'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['write_file'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['edit'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['grep_search'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['web_fetch'], args: { url: ['url'], prompt: ['prompt'] } },
  task: {
    names: ['agent'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: { names: ['todo_write'], args: { todos: ['todos'] } },
};

const otherTools =
  'list_directory read_many_files save_memory skill exit_plan_mode web_search lsp notebook_edit'.split(' ');

const packs = settingsPacks({ dialect: 'qwen-code', project: /^\.qwen\/settings\.json$/ });

/** Qwen Code: the event names of Claude Code and the tools of Gemini CLI. */
export const qwenCode = makeShaped(
  {
    name: 'qwen-code',
    shown: 'Qwen Code',
    events: qwenEvents,
    tools,
    otherTools,
    can,
    places: ({ home, cwd }) =>
      userAndProject(join(home, '.qwen', 'settings.json'), join(cwd, '.qwen', 'settings.json')),
    reading: {
      decisions: (block) => (block === null ? [] : ['block', 'deny']),
      flat: 'no',
      changes: ['updatedInput'],
    },
    writing: { refusal: 'exit', place: 'specific', input: null },
    spelling: {
      callId: 'tool_use_id',
      result: {
        write: (text) => ({ tool_response: { llmContent: text, returnDisplay: text } }),
        read: ({ tool_response: response }) => (isFields(response) ? response['llmContent'] : response),
        details: 'tool_response',
      },
      known: { duration: 'duration_ms', interrupt: 'is_interrupt', instructions: 'custom_instructions' },
      trigger: 'trigger',
    },
    casing: furtherFields,
    projectVariable: 'QWEN_PROJECT_DIR',
    variables: (cwd) => ({ QWEN_PROJECT_DIR: cwd, GEMINI_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd }),
    timeoutMs: 60_000,
    // After each batch of tools it fires the event for an empty prompt that no user wrote.
    unlike: (word, { prompt }) => (word === 'UserPromptSubmit' && prompt === '' ? 'other' : undefined),
  },
  { packs },
);
