/** Refuses commands that delete, overwrite or run what was just downloaded; the model is told what to do instead. */

import { defineHook, deny } from 'anyhook';
import { matchShell } from 'anyhook/bash';

const NEVER: Readonly<Record<string, string>> = {
  'mkfs*': 'No file systems are made here.',
  'dd * of=/dev/*': 'No device is written to.',
  'chmod -R 777*': 'Give the one file that needs it the one right it needs.',
};

export default [
  defineHook({
    on: 'tool.before',
    match: ['danger:delete', 'danger:pipe-to-shell'],
    name: 'destructive-commands',
    run: () =>
      deny('Deleting and piping into a shell are for a person: move files aside, or read the script first.'),
  }),
  defineHook({
    on: 'tool.before',
    match: 'shell',
    name: 'destructive-commands: devices and rights',
    run({ payload }) {
      const command = String(payload.input['command'] ?? '');
      // A command that cannot be judged is for the hook above: none of these reasons would fit it.
      const found = Object.entries(NEVER).find(([glob]) => matchShell(glob, command).kind === 'matches');
      return found === undefined ? undefined : deny(found[1]);
    },
  }),
];
