import { join } from 'node:path';
import { isFields } from '../../../events/fields.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { jsonFilesIn } from '../../shared/command-shaped/places.ts';
import { can } from './can.ts';
import { grokEvents } from './events.ts';
import { shownIn } from './result.ts';
import { otherTools, tools } from './tools.ts';
import * as twins from './twins.ts';

/** Grok Build: Claude Code's words, in files of its own, with every field in two spellings. */
export const grokBuild = makeShaped({
  name: 'grok-build',
  shown: 'Grok Build',
  events: grokEvents,
  tools,
  otherTools,
  can,
  places: ({ home, cwd, list }) =>
    jsonFilesIn({ user: join(home, '.grok', 'hooks'), project: join(cwd, '.grok', 'hooks') }, list),
  hearing: {
    decisions: (block) => (block === 'deny' ? ['block', 'deny'] : block === null ? [] : ['block']),
    flat: 'no',
    changes: ['updatedInput'],
  },
  voice: { refusal: 'exit', place: 'specific', input: 'updatedInput' },
  spelling: {
    callId: 'tool_use_id',
    result: {
      write: (text) => ({ tool_response: { type: 'Text', output_for_prompt: text } }),
      read: ({ tool_response: said }) => (isFields(said) ? shownIn(said) : said),
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
  // In `-p` a second Stop comes when the program ends: nothing is left that could go on.
  unlike: (word, { reason }) => (word === 'Stop' && reason === 'shutdown' ? 'other' : undefined),
});
