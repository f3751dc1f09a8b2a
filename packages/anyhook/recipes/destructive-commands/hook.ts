/** Refuses commands that delete, overwrite or run what was just downloaded; the model is told what to do instead. */
import { defineHook, deny } from 'anyhook';
import { matchesShell } from 'anyhook/bash';

const NEVER: Readonly<Record<string, string>> = {
  'mkfs*': 'No file systems are made here.',
  'dd * of=/dev/*': 'No device is written to.',
  'chmod -R 777*': 'Give the one file that needs it the one right it needs.',
  'git clean -*f*': 'Say which files are in the way; a person removes them.',
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
      const found = Object.entries(NEVER).find(([glob]) => matchesShell(glob, command));
      return found === undefined ? undefined : deny(found[1]);
    },
  }),
];
