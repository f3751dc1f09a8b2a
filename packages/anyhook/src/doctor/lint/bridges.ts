/** Checks our entries in the files of agents: complete, trusted, and with enough time. */

import { findDialect } from '../../dialects.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';
import type { InstalledBridge } from '../look/installed.ts';
import type { Lint } from './lint.ts';

export const bridges: Lint = (looked) => [
  ...looked.unreadable.map(({ file, why }): DoctorFinding => ({
    code: 'bridge-unknown',
    severity: 'warning',
    file,
    what: why,
  })),
  ...looked.gone.map(gone),
  ...looked.installed.flatMap((bridge) => [...broken(bridge), ...skipped(bridge), ...tooShort(bridge)]),
  ...tooLong(looked),
];

const again = ({ agent, scope }: Pick<InstalledBridge, 'agent' | 'scope'>): string =>
  `anyhook install ${agent.name}${scope === 'project' ? ' --project' : ''}`;

/** Agents rewrite their settings during updates, and users restore older copies. */
const gone = ({ agent, scope, file }: Inspection['gone'][number]): DoctorFinding => ({
  code: 'bridge-gone',
  severity: 'error',
  file,
  what: `The bridge to ${agent.name} was installed here and is now missing.`,
  why: 'No hook runs there, and the agent does not report it. An update or a user rewrote the file.',
  remedy: `To leave it out, uninstall ${agent.name}. To install it again: ${again({ agent, scope })}`,
});

function broken({ agent, file, scope, missing, isCurrent }: InstalledBridge): DoctorFinding[] {
  if (missing.length > 0)
    return [
      {
        code: 'bridge-broken',
        severity: 'error',
        file,
        what: `The bridge to ${agent.name} leads to ${missing.join(', ')}, which is not there.`,
        why: 'Tool calls are refused until then, or pass unseen if it was installed with --open.',
        remedy: `To install it again: ${again({ agent, scope })}`,
      },
    ];
  if (isCurrent) return [];
  return [
    {
      code: 'bridge-changed',
      severity: 'warning',
      file,
      what: `The bridge to ${agent.name}, or the client it starts, is not what this version of anyhook installs.`,
      why: 'It was changed by hand or comes from another version: events may be missing, or slow.',
      remedy: `To install it again: ${again({ agent, scope })}`,
    },
  ];
}

/** The agent silently skips entries that it does not trust, so their hooks never run. */
function skipped({ agent, file, entries, skipped: passed }: InstalledBridge): DoctorFinding[] {
  const reasons = [...new Set(passed.map(({ why }) => why))];
  return reasons.map((why): DoctorFinding => {
    const words = passed.filter((entry) => entry.why === why).map(({ word }) => word);
    const line = entries.find(({ word }) => word === words[0])?.line;
    return {
      code: 'bridge-skipped',
      severity: 'error',
      file,
      ...(line !== undefined && { line }),
      what: `${agent.shown} will skip ${words.length} of the ${entries.length} entries of our bridge (${words.join(', ')}): ${why}.`,
      why: 'No hook runs for these events, and the agent does not report it.',
      ...(agent.trust !== null && { remedy: agent.trust.remedy }),
    };
  });
}

/** If the agent times out first, it lets the call run. */
const tooShort = ({ agent, file, entries }: InstalledBridge): DoctorFinding[] =>
  entries
    .filter(({ hostMs, oursMs }) => hostMs !== undefined && hostMs <= oursMs)
    .map(({ word, line, hostMs, oursMs }) => ({
      code: 'host-timeout',
      severity: 'error',
      file,
      line,
      what: `${agent.name} waits ${hostMs! / 1000} s for us on ${word}; we wait ${oursMs / 1000} s for hooks.`,
      why: 'If a hook is slow the agent gives up first, and the call runs unjudged.',
      remedy: `Raise the timeout above ${oursMs / 1000} s, or install again: anyhook install ${agent.name}`,
    }));

/** An explicit timeout that is longer than any agent waits for a hook. */
function tooLong({ installed, hooks, entryOf }: Inspection): DoctorFinding[] {
  const limits = installed.flatMap(({ agent, entries }) =>
    entries.map(({ oursMs }) => ({ agent: agent.name, oursMs })),
  );
  const most = limits.toSorted((a, b) => b.oursMs - a.oursMs)[0];
  if (most === undefined) return [];
  return hooks.flatMap((hook): DoctorFinding[] => {
    const key = findDialect(hook.dialect)?.config.entry?.timeout.key;
    if (key === undefined || hook.timeoutMs <= most.oursMs || hook.background) return [];
    const entry = entryOf(hook);
    if (typeof entry?.value[key] !== 'number') return [];
    return [
      {
        code: 'host-timeout',
        severity: 'warning',
        file: hook.origin.file,
        ...entry.at(key),
        hook: hook.id,
        what: `This hook may take ${hook.timeoutMs / 1000} s; ${most.agent} gives us ${most.oursMs / 1000} s.`,
        why: 'It is stopped there and counts as failed.',
        remedy: `Write a timeout below ${most.oursMs / 1000} s.`,
      },
    ];
  });
}
