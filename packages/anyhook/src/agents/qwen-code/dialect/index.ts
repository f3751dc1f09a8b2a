import { join } from 'node:path';
import { isFields } from '../../../events/fields.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { userAndProject } from '../../shared/command-shaped/places.ts';
import { can } from './can.ts';
import { qwenEvents } from './events.ts';
import { packs } from './packs.ts';
import { otherTools, tools } from './tools.ts';
import * as furtherFields from './further-fields.ts';

/** Qwen Code: Claude Code's words, Gemini CLI's tools. */
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
    hearing: {
      decisions: (block) => (block === null ? [] : ['block', 'deny']),
      flat: 'no',
      changes: ['updatedInput'],
    },
    voice: { refusal: 'exit', place: 'specific', input: null },
    spelling: {
      callId: 'tool_use_id',
      result: {
        write: (text) => ({ tool_response: { llmContent: text, returnDisplay: text } }),
        read: ({ tool_response: said }) => (isFields(said) ? said['llmContent'] : said),
        details: 'tool_response',
      },
      known: { duration: 'duration_ms', interrupt: 'is_interrupt', instructions: 'custom_instructions' },
      trigger: 'trigger',
    },
    casing: furtherFields,
    projectVariable: 'QWEN_PROJECT_DIR',
    variables: (cwd) => ({ QWEN_PROJECT_DIR: cwd, GEMINI_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd }),
    timeoutMs: 60_000,
    // After each batch of tools it asks about a prompt that nobody has written.
    unlike: (word, { prompt }) => (word === 'UserPromptSubmit' && prompt === '' ? 'other' : undefined),
  },
  { packs },
);
