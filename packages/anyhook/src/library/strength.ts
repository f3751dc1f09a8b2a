/** Records what the guards of a reading consist of, so that a later comparison finds changed guards. */

import type { Locations } from '../events/dialect.ts';
import { type Hook, isBuiltIn, label } from '../events/hook.ts';
import type { LeftHooks } from '../gather/left-hooks.ts';
import { resolveOnPath } from '../self-protection/made-of/on-path.ts';
import { scriptsNamed } from '../self-protection/made-of/scripts-named.ts';
import type { BoundGuard, BoundGuards } from '../sessions/record.ts';
import { bindFiles, brokenFile } from '../settings/bound-files.ts';

export type Strengths = BoundGuards;

export interface GuardSources {
  readonly hooks: readonly Hook[];
  /** What the host runs by itself. */
  readonly left: LeftHooks;
  readonly locations: Pick<Required<Locations>, 'cwd' | 'home' | 'env'>;
}

export interface Guard extends Pick<BoundGuard, 'label' | 'entry' | 'isProjects'> {
  readonly id: string;
  /** Null for a module. */
  readonly hook: Hook | null;
  /** Whether its files are compared. Files of a trusted project hook are not: it runs from the trusted bytes. */
  readonly isBound: boolean;
}

export function guardsOf({ hooks, left }: GuardSources): Guard[] {
  const guard = (hook: Hook, id: string, isBound: boolean): Guard => ({
    id,
    hook,
    isBound,
    label: label(hook).split('\n')[0]!,
    entry: entryOf(hook),
    isProjects: hook.origin.layer === 'project',
  });
  return [
    ...hooks.filter(isGuard).map((hook) => guard(hook, hook.id, hook.origin.layer !== 'project')),
    ...left.hooks.filter(isGuard).map((hook) => guard(hook, `left:${hook.id}`, true)),
    ...left.modules.map(({ file, layer }) => ({
      id: `left:${file}`,
      hook: null,
      isBound: true,
      label: file,
      entry: file,
      isProjects: layer === 'project',
    })),
  ];
}

/** Includes only the scripts that commands name directly. Enough to announce a change. */
export const namedStrengths = (sources: GuardSources): Strengths =>
  Object.fromEntries(
    guardsOf(sources).map(({ id, hook, label: name, entry, isProjects }) => {
      const files = hook === null ? [] : scriptsNamed(hook, sources.locations);
      return [id, { label: name, entry, isProjects, files: bindFiles(files, []), programs: {} }];
    }),
  );

/** Functions of the program itself cannot change on disk. */
const isGuard = ({ roles, origin, run }: Hook): boolean =>
  roles.includes('guard') && origin.layer !== 'session' && !isBuiltIn({ origin }) && run.kind !== 'missing';

function entryOf(hook: Hook): string {
  const { on, matcher, run, onFailure, timeoutMs, shadow, sticky, background } = hook;
  return JSON.stringify([
    on,
    matcher,
    run.kind === 'command' ? run.run : run.kind === 'rule' ? run.rule : `${run.kind} ${label(hook)}`,
    onFailure,
    timeoutMs,
    shadow,
    background,
    ...(sticky === false ? ['not sticky'] : []),
  ]);
}

/** What happened to a guard, in words. */
export interface ChangedGuard {
  readonly id: string;
  readonly label: string;
  readonly isProjects: boolean;
  readonly what: string;
}

/** Guards that were changed or removed. New guards are not included. */
export function changedGuards(before: Strengths, sources: GuardSources): ChangedGuard[] {
  const entries = new Map(guardsOf(sources).map(({ id, entry }) => [id, entry]));
  return Object.entries(before).flatMap(([id, guard]) => {
    const what = whatChanged(guard, entries.get(id), sources.locations);
    return what === undefined ? [] : [{ id, label: guard.label, isProjects: guard.isProjects, what }];
  });
}

function whatChanged(
  { entry, files, programs }: BoundGuard,
  now: string | undefined,
  { env, cwd }: GuardSources['locations'],
): string | undefined {
  if (now === undefined) return 'stopped running';
  if (now !== entry) return 'changed in its settings';
  const broken = brokenFile(files);
  if (broken !== undefined) return `changed: ${broken}`;
  const moved = Object.entries(programs).find(
    ([name, path]) => resolveOnPath(name, env['PATH'] ?? '', cwd) !== path,
  );
  return moved === undefined
    ? undefined
    : `changed: ${moved[0]} now is ${resolveOnPath(moved[0], env['PATH'] ?? '', cwd)}`;
}

export const changedLine = ({ label: name, what }: ChangedGuard, since = 'this session began'): string =>
  `anyhook: the guard ${name} ${what}, since ${since}. To look: anyhook list`;
