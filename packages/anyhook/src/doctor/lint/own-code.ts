/** Finds the user's own hooks that would load modules from the project they run in. */

import { loadsFromProject } from '../../settings/own-command.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Lint } from './lint.ts';

export const ownCode: Lint = ({ hooks, locations }) =>
  hooks.flatMap((hook): DoctorFinding[] => {
    const why = loadsFromProject(hook, locations);
    if (why === undefined) return [];
    const { origin, id } = hook;
    return [
      {
        code: 'loads-project-code',
        severity: 'warning',
        file: origin.file,
        line: origin.line,
        hook: id,
        what: 'Code on the command line of this hook may load code of the project.',
        why: `It runs in the project’s folder: ${why}. Code there runs as you, trusted or not.`,
        remedy:
          'Put the code into a script of your own, with what it needs beside it, and run that by its full path.',
      },
    ];
  });
