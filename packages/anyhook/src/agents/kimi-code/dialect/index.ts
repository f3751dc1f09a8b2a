import { isAbsolute, join } from 'node:path';
import { contentText } from '../../../events/content.ts';
import { isFields } from '../../../events/fields.ts';
import { textOr } from '../../shared/claude-shaped/translation.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { can } from './can.ts';
import { kimiEvents } from './events.ts';
import * as ownFields from './own-fields.ts';
import { readTables } from './read-tables.ts';
import { otherTools, tools } from './tools.ts';

/** Kimi Code: Claude Code's words, in a list of `[[hooks]]`. */
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
    hearing: {
      decisions: () => [], // it reads none
      flat: 'no',
      changes: [],
    },
    voice: { refusal: 'exit', place: 'text', input: null },
    spelling: {
      callId: 'tool_call_id',
      result: { write: (text) => ({ tool_output: text }), read: ({ tool_output: said }) => said },
      prompt: {
        write: (text) => [{ type: 'text', text }],
        read: (said) => contentText(said, '\n'),
      },
      trigger: 'trigger',
      error: {
        write: (text) => ({ error: { code: 'internal', message: text, retryable: false } }),
        read: ({ error: said }) => (isFields(said) ? textOr(said['message']) : textOr(said)),
      },
    },
    casing: ownFields,
    variables: () => ({}),
    timeoutMs: 30_000,
  },
  { readFile: readTables },
);
