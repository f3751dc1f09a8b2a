import { join } from 'node:path';
import { isFields } from '../../../events/fields.ts';
import type { OnFailure } from '../../../events/hook.ts';
import { settingsPacks } from '../../../events/pack.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { jsonFilesIn } from '../../shared/command-shaped/places.ts';
import { readLists } from '../../shared/command-shaped/read-lists.ts';
import { can } from './can.ts';
import * as casing from './casing.ts';
import { copilotEvents } from './events.ts';
import { otherTools, tools } from './tools.ts';

const packs = settingsPacks({ dialect: 'copilot-cli', project: /^\.github\/hooks\/[^/]+\.json$/ });

const isGate = (word: string): boolean => /^preToolUse$/i.test(word);

/** Copilot CLI: flat answers, and event names in two cases. */
export const copilotCli = makeShaped(
  {
    name: 'copilot-cli',
    shown: 'Copilot CLI',
    events: copilotEvents,
    tools,
    otherTools,
    can,
    places: ({ home, cwd, list }) =>
      jsonFilesIn({ user: join(home, '.copilot', 'hooks'), project: join(cwd, '.github', 'hooks') }, list),
    reading: {
      // Before a tool it ignores `decision`; on other events it reads only `decision`.
      decisions: (block) => (block === null ? [] : ['block']),
      decisionIgnored: ['tool.before'],
      flat: 'yes',
      changes: ['modifiedArgs', 'updatedInput'],
      // Before a tool any failing exit code refuses the call. On other events exit codes are ignored.
      refusingExit: (_, { on }) => on === 'tool.before',
    },
    writing: { refusal: 'document', place: 'flat', input: 'modifiedArgs' },
    spelling: {
      callId: null,
      result: {
        write: (text) => ({ tool_result: { result_type: 'success', text_result_for_llm: text } }),
        read: ({ tool_result: result }) => (isFields(result) ? result['text_result_for_llm'] : result),
        details: 'tool_result',
      },
      known: { instructions: 'custom_instructions' },
      trigger: 'trigger',
    },
    casing,
    projectVariable: 'COPILOT_PROJECT_DIR',
    variables: (cwd) => ({ COPILOT_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd }),
    timeoutMs: 30_000,
  },
  {
    readFile: readLists(Object.keys(copilotEvents)),
    packs,
    // A crash refuses the call. A timeout and broken JSON let it run.
    failure: (word, why): OnFailure =>
      isGate(word) && ['failed', 'killed', 'not-started', 'not-loaded'].includes(why) ? 'block' : 'allow',
  },
);
