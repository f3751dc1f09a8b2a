/** Finds hooks that no agent on this machine runs, and prompt hooks without a model that could answer them. */

import { type Hook, label } from '../../events/hook.ts';
import { firedElsewhere } from '../../library/fired-elsewhere.ts';
import type { DoctorFinding } from '../look/finding.ts';
import type { Inspection } from '../look/inspection.ts';
import { type HostSheet, whereItRuns } from '../look/where-it-runs.ts';
import type { Lint } from './lint.ts';

/** Without any agent there is nothing to compare with; the list of agents already says that none was found. */
export const reach: Lint = (looked) => {
  const hosts = whereItRuns(looked);
  if (hosts.length === 0) return [];
  const hooks = looked.hooks.filter(({ run }) => run.kind !== 'missing');
  const unreached = hooks.filter(({ id }) => !hosts.some((host) => reaches(host, id)));
  const isAskedInVain = ({ id }: Hook) => hosts.some(({ withoutJudge }) => withoutJudge.includes(id));
  return [
    ...unreached.filter(isAskedInVain).map(noJudge),
    ...withoutBridge(
      unreached.filter((hook) => !isAskedInVain(hook)),
      hosts,
    ),
    ...hooks.flatMap((hook) => neverFired(hook, hosts, looked)),
  ];
};

const reaches = ({ natively, bridged }: HostSheet, id: string): boolean =>
  natively.includes(id) || bridged.includes(id);

const about = ({ id, origin }: Hook): Pick<DoctorFinding, 'file' | 'line' | 'hook'> => ({
  file: origin.file,
  line: origin.line,
  hook: id,
});

const noJudge = (hook: Hook): DoctorFinding => ({
  code: 'no-judge',
  severity: 'warning',
  ...about(hook),
  what: 'This prompt hook has no model that could answer it.',
  why: 'Installed agents give anyhook no model, so the hook fails each time.',
  remedy: 'Use a command or a module instead, or keep the hook in an agent that runs it by itself.',
});

/** One finding per file, because one command helps all its hooks. */
function withoutBridge(hooks: readonly Hook[], hosts: readonly HostSheet[]): DoctorFinding[] {
  const names = hosts.flatMap(({ agent, bridge }) => (agent === undefined || bridge.length > 0 ? [] : agent));
  const files = [...new Set(hooks.map(({ origin }) => origin.file))];
  return files.map((file) => {
    const [first, ...more] = hooks.filter(({ origin }) => origin.file === file);
    const named = `${first!.on}: ${label(first!)}`;
    return {
      code: 'reaches-no-agent',
      severity: 'warning',
      file,
      line: first!.origin.line,
      what: `No agent here runs ${more.length === 0 ? 'this hook' : `these ${more.length + 1} hooks`} (${named}${more.length === 0 ? '' : ', …'}).`,
      why: 'Agents run hooks of other agents only through anyhook.',
      ...(names.length > 0 && { remedy: `To let them run: anyhook install ${names.join(' ')}` }),
    };
  });
}

/** The hook is loaded in every agent that it reaches, and none of them has its event. */
function neverFired(hook: Hook, hosts: readonly HostSheet[], { known }: Inspection): DoctorFinding[] {
  const reached = hosts.filter((host) => reaches(host, hook.id));
  const isNever = ({ agent, natively }: HostSheet): boolean => {
    const can = known.find(({ name }) => name === agent)?.can;
    if (can === undefined || natively.includes(hook.id)) return false;
    const moved = firedElsewhere(can, hook);
    return moved !== undefined && moved.to.length === 0 && moved.instead === undefined;
  };
  if (reached.length === 0 || !reached.every(isNever)) return [];
  return [
    {
      code: 'reaches-no-agent',
      severity: 'warning',
      ...about(hook),
      what: `No agent here has the event ${hook.on}.`,
      why: 'The hook is loaded and never runs.',
      remedy: 'Use an event that one of them has: see the tables in docs/agents.',
    },
  ];
}
