/** Finds bridges that an update of their agent may have cut off. */

import { bridgeCallsOf } from '../../gather/bridge-calls.ts';
import { foldersOf } from '../../gather/folders.ts';
import { hasCalled, isNewerThanSeen } from '../look/bridge-proof.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Lint } from './lint.ts';

export const calls: Lint = ({ agents, installed, locations }) =>
  agents.flatMap((found): DoctorFinding[] => {
    const bridge = installed.find(({ agent }) => agent.name === found.agent);
    if (bridge === undefined || found.version === undefined) return [];
    const { name, shown, seen } = bridge.agent;
    if (!isNewerThanSeen(found.version, seen)) return [];
    if (hasCalled(found, bridgeCallsOf(foldersOf(locations).bridgeCalls, name))) return [];
    const tested = seen.map(({ version }) => version).join(', ');
    return [
      {
        code: 'bridge-not-called',
        severity: 'warning',
        file: bridge.file,
        what:
          tested === ''
            ? `No version of ${shown} was tested, and ${found.version} has not called our bridge since it was installed.`
            : `${shown} ${found.version} is newer than any tested version (${tested}) and has not called our bridge since it was installed.`,
        why: 'If the update changed how it loads hooks, no hook runs there, and the agent does not report it.',
        remedy: `Start it and let it use a tool, or try it now: anyhook doctor --probe ${name}`,
      },
    ];
  });
