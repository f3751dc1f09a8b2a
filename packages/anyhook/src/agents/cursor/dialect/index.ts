import { dirname, join } from 'node:path';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { userAndProject } from '../../shared/command-shaped/places.ts';
import { readLists } from '../../shared/command-shaped/read-lists.ts';
import { cursorAnswers as answers } from './answers.ts';
import { can } from './can.ts';
import { cursorEvents } from './events.ts';
import { packs } from './packs.ts';
import { cursorSpelling, versionIn } from './spelling.ts';
import { otherTools, tools } from './tools.ts';

/** Cursor: words and answers of its own, by its published documents. */
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
    // Those of a project run at its root, the person's beside their file.
    folder: ({ layer, file }) => (layer === 'user' ? dirname(file) : undefined),
    hearing: {
      decisions: (block) => (block === null ? [] : ['block']),
      flat: 'yes',
      changes: ['updatedInput'],
      refusingExit: (code, { block }) => code === 2 && block === 'deny',
    },
    voice: { refusal: 'document', place: 'flat', input: 'updatedInput' },
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
