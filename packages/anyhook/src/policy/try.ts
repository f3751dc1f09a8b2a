/** Tries a policy that is not in force: its problems, and what it would have refused in recorded sessions. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canOf } from '../console/can-of.ts';
import type { ManagedFolder } from '../events/dialect.ts';
import { isEventName } from '../events/events.ts';
import { type Hook, isOrganisations, label } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import { onlyWatches, rolesOn } from '../events/roles.ts';
import { wouldHave } from '../events/would-have.ts';
import { readFile, type ReadRecord } from '../journal/index.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';
import { compared, recordedInput } from '../replay/result.ts';
import { readPolicy } from '../settings/policy.ts';

export interface PolicyRefusal {
  readonly record: ReadRecord;
  readonly verdict: 'ask' | 'defer' | 'deny';
  /** Names and reasons of the hooks. */
  readonly reasons: readonly { readonly hook: string; readonly text: string }[];
  /** Why the result is uncertain. */
  readonly inexact: readonly string[];
}
export interface PolicyTrial {
  readonly version: number;
  /** By display name. */
  readonly hooks: readonly string[];
  readonly problems: readonly Problem[];
  readonly replayed: number;
  readonly refusals: readonly PolicyRefusal[];
}

/** `journals` are files of recorded sessions. Guards of the policy really run, in the folder of each event if it exists. */
export async function tryPolicy(folder: string, journals: readonly string[] = []): Promise<PolicyTrial> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-policy-')));
  try {
    // Others may have written to a working copy. Once deployed, the policy is in a folder of root's.
    const managed: ManagedFolder = { folder: join(root, 'policy'), owner: process.getuid?.() ?? 0 };
    cpSync(folder, managed.folder, { recursive: true, verbatimSymlinks: true });
    for (const name of ['home', 'project']) mkdirSync(join(root, name));
    return inOriginalPaths(await tryIn(root, managed, journals), managed.folder, realpathSync(folder));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function tryIn(
  root: string,
  managed: ManagedFolder,
  journals: readonly string[],
): Promise<PolicyTrial> {
  const { policy } = readPolicy(managed);
  const open = (host: string) =>
    createHooks({
      host: { name: host, can: canOf(host) },
      cwd: join(root, 'project'),
      home: join(root, 'home'),
      managed,
      settings: { layers: ['managed'] },
      trust: { selfProtection: false },
      journal: false,
    });
  const opened = new Map<string, Hooks>();
  const hooksFor = async (host: string) => {
    const known = opened.get(host) ?? (await open(host));
    opened.set(host, known);
    return known;
  };
  const first = await hooksFor('anyhook');
  const refusals: PolicyRefusal[] = [];
  let replayed = 0;
  for (const record of journals.flatMap(decisionsIn)) {
    const hooks = await hooksFor(record.host.name);
    const refusal = await refusalOf(record, hooks, join(root, 'project'));
    replayed++;
    if (refusal !== undefined) refusals.push(refusal);
  }
  for (const hooks of opened.values()) await hooks.close();
  return {
    version: policy.version,
    hooks: first.hooks.filter(isOrganisations).map(label),
    problems: first.problems,
    replayed,
    refusals,
  };
}

/** Events that a hook can refuse and that were not refused. */
const decisionsIn = (file: string): readonly ReadRecord[] =>
  [...readFile(file)].flatMap((entry) => {
    if (entry.kind !== 'record') return [];
    const { event, late, verdict } = entry.record;
    const isOpen = late !== true && isEventName(event) && !onlyWatches(rolesOn(event));
    return isOpen && (verdict === 'none' || verdict === 'allow') ? [entry.record] : [];
  });

async function refusalOf(
  record: ReadRecord,
  hooks: Hooks,
  elsewhere: string,
): Promise<PolicyRefusal | undefined> {
  const isHere = existsSync(record.scene.cwd);
  const input = recordedInput(record);
  const outcome = await hooks.fire(isHere ? input : { ...input, scene: { ...input.scene, cwd: elsewhere } });
  const isLetGo = outcome.verdict === 'none' || outcome.verdict === 'allow';
  const decision = isLetGo ? wouldHave(outcome.runs) : outcome;
  if (decision === undefined) return undefined;
  const nameOf = (id: string) => labelled(hooks.hooks.find((hook) => hook.id === id)) ?? id;
  return {
    record,
    verdict: decision.verdict as PolicyRefusal['verdict'],
    reasons: decision.reasons.map(({ by, text }) => ({ hook: nameOf(by), text })),
    inexact: [
      ...compared(record, outcome).inexact,
      ...(isHere ? [] : [`its folder, ${record.scene.cwd}, is not on this machine`]),
    ],
  };
}
const labelled = (hook: Hook | undefined): string | undefined => hook && label(hook);

/** Replaces paths of the copy with paths of the original. */
const inOriginalPaths = (trial: PolicyTrial, copy: string, original: string): PolicyTrial => {
  const back = (text: string) => text.replaceAll(copy, original);
  return {
    ...trial,
    hooks: trial.hooks.map(back),
    problems: trial.problems.map((problem) => ({
      ...problem,
      file: back(problem.file),
      message: back(problem.message),
    })),
    refusals: trial.refusals.map((refusal) => ({
      ...refusal,
      reasons: refusal.reasons.map(({ hook, text }) => ({ hook: back(hook), text: back(text) })),
    })),
  };
};
