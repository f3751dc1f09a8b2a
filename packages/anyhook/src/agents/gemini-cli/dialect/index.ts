import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import {
  geminiAnswers as answers,
  readGeminiExit as readExit,
  geminiStrictness as strict,
} from './answers.ts';
import { can } from './can.ts';
import { geminiEvents } from './events.ts';
import * as ownFields from './own-fields.ts';
import { packs } from './packs.ts';
import { places } from './places.ts';
import { contentIn, errorIn, resultOf } from './result.ts';
import { switches } from './switches.ts';
import { otherTools, tools } from './tools.ts';

/** Gemini CLI: events, tools and answers of its own. */
export const geminiCli = makeShaped(
  {
    name: 'gemini-cli',
    shown: 'Gemini CLI',
    events: geminiEvents,
    tools,
    otherTools,
    can,
    places,
    matchers: { exactFields: true, invalidIsName: true },
    entry: {
      keys: ['type', 'command', 'name', 'description', 'timeout', 'env'],
      typed: true,
      timeout: { unit: 'ms', least: 1 },
      named: true,
      // What Gemini takes out of a hook's environment is not documented in full: the rest passes.
      inherited: ['*', '!GEMINI_API_KEY', '!GOOGLE_API_KEY'],
    },
    hearing: {
      decisions: () => ['block', 'deny'],
      asks: true,
      flat: 'no',
      changes: ['tool_input'],
      readExit,
      strict,
    },
    // A document decides whatever the exit code is.
    voice: { refusal: 'document', place: 'specific', input: 'tool_input', replacement: 'with-context' },
    answers,
    spelling: {
      callId: null,
      result: { write: (text) => resultOf(text), read: contentIn, details: 'tool_response' },
      error: { write: (text) => resultOf(text, text), read: (said) => errorIn(said) ?? '' },
      trigger: 'trigger',
      usual: { notification: 'ToolPermission' },
    },
    casing: ownFields,
    projectVariable: 'GEMINI_PROJECT_DIR',
    variables: (cwd, session) => ({
      GEMINI_PROJECT_DIR: cwd,
      GEMINI_CWD: cwd,
      GEMINI_SESSION_ID: session,
      CLAUDE_PROJECT_DIR: cwd,
    }),
    timeoutMs: 60_000,
    unlike: (word, said) => (word === 'AfterTool' && errorIn(said) !== undefined ? 'tool.failed' : undefined),
  },
  { packs, pluginVariables: ['extensionPath'], switches },
);
