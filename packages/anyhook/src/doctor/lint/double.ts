/** Finds what would run twice for one event. */

import { realpathSync } from 'node:fs';
import { eventHeardBy } from '../../dialects.ts';
import { type Hook, label } from '../../events/hook.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';
import type { Lint } from './lint.ts';

export const double: Lint = (looked) => [...bridges(looked), ...commands(looked)];

const FOR = { managed: 'for this machine', user: 'for you', project: 'for this project' } as const;
const SCOPES = Object.keys(FOR);

/** With one bridge in the user's settings and one in the project's or the machine's, the agent starts us twice. */
function bridges({ installed }: Inspection): DoctorFinding[] {
  return installed.flatMap(({ agent, file, entries, scope }) => {
    const first = installed.find((bridge) => bridge.agent === agent)!;
    if (SCOPES.indexOf(first.scope) >= SCOPES.indexOf(scope)) return [];
    return {
      code: 'bridge-twice',
      severity: 'error',
      file,
      ...(entries[0] && { line: entries[0].line }),
      what: `The bridge to ${agent.shown} is installed ${FOR[first.scope]} and ${FOR[scope]}.`,
      why: 'Every hook would run twice for every event.',
      remedy: `To remove this one: anyhook uninstall ${agent.name}${scope === 'project' ? ' --project' : ''}`,
    } satisfies DoctorFinding;
  });
}

/** The same command for the same event, as a hook of two agents: one runs natively and we run the other. */
function commands({ hooks }: Inspection): DoctorFinding[] {
  const first = new Map<string, Hook>();
  return hooks.flatMap((hook): DoctorFinding[] => {
    if (hook.run.kind !== 'command') return [];
    const key = JSON.stringify([eventHeardBy(hook), label(hook)]);
    const other = first.get(key);
    if (other === undefined) first.set(key, hook);
    if (other === undefined || other.dialect === hook.dialect) return [];
    const { file, line } = other.origin;
    return [
      {
        code: 'runs-twice',
        severity: 'warning',
        file: hook.origin.file,
        line: hook.origin.line,
        hook: hook.id,
        what: isOneFile(file, hook.origin.file)
          ? `${file} is the same file, and is read as ${other.dialect}'s and as ${hook.dialect}'s.`
          : `The same command is in ${file}:${line}, as a hook of ${other.dialect}.`,
        why: 'Where anyhook runs, hooks of all agents run: one event starts it twice.',
        remedy: 'Keep one of them; it counts in every agent that has our bridge.',
      },
    ];
  });
}

function isOneFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return a === b; // the file does not exist
  }
}
