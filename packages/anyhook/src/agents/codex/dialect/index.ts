import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { codexAnswers as answers, codexStrictness as strict } from './answers.ts';
import { can } from './can.ts';
import { codexEvents } from './events.ts';
import * as ownFields from './own-fields.ts';
import { contentOf } from './result.ts';
import { packs } from './packs.ts';
import { places, PLUGIN_ROOTS } from './places.ts';
import { otherTools, tools } from './tools.ts';

/** Codex CLI: Claude Code's words, read more strictly. */
export const codex = makeShaped(
  {
    name: 'codex',
    shown: 'Codex',
    events: codexEvents,
    tools,
    otherTools,
    can,
    places,
    entry: {
      keys: [
        'type',
        'command',
        'commandWindows',
        'command_windows',
        'timeout',
        'async',
        'statusMessage',
        'additionalContextLimit',
      ],
      typed: true,
      timeout: { unit: 's', least: 1 },
    },
    hearing: {
      decisions: () => ['block'],
      flat: 'no',
      changes: ['updatedInput'],
      strict,
    },
    // Exit 2 with a reason on stderr is what it has always obeyed.
    voice: { refusal: 'exit', place: 'specific', input: 'updatedInput', replacement: 'alone' },
    answers,
    spelling: {
      callId: 'tool_use_id',
      result: {
        write: (text) => ({ tool_response: text }),
        read: ({ tool_response: said }) => contentOf(said),
      },
      trigger: 'trigger',
      usual: { agentType: 'default' },
    },
    casing: ownFields,
    variables: () => ({}),
    timeoutMs: 600_000,
  },
  { packs, pluginVariables: PLUGIN_ROOTS },
);
