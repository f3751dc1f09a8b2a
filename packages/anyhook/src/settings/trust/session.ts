import type { Problem } from '../../events/problems.ts';
import type { TrustEntry } from './entry.ts';
import { judgeTrust, type TrustJudgement, type GateOptions } from './gate.ts';
import { canonicalEntry } from './hash.ts';
import { openProject, type Project } from './project.ts';
import { recordOf } from './record.ts';
import { stage, type StageResult } from './stage.ts';
import type { AddResult, TrustStore } from './store.ts';

/**
 * Trust for the length of one session, frozen: an entry is read and judged once, and that answer and those bytes hold
 * until the session ends, whatever becomes of the files. Keep one object per session.
 */
export interface TrustSession {
  judge(entry: TrustEntry): TrustJudgement;
  /** The person said yes to what `judge` showed; nothing is read again. Refused where nobody could be asked. */
  grant(entry: TrustEntry): AddResult;
  /** How to run it, once it is trusted. */
  stage(entry: TrustEntry): StageResult;
}

export interface SessionOptions extends GateOptions {
  readonly project: Project;
  readonly store: TrustStore;
  /** Where the private copies go; outside every project. */
  readonly copies: string;
}

export function openTrustSession(options: SessionOptions): TrustSession {
  const { project, store, copies } = options;
  const judged = new Map<string, TrustJudgement>();
  const staged = new Map<string, StageResult>();
  const home = ({ root }: TrustEntry): Project => (root === undefined ? project : openProject(root));
  const judge = (entry: TrustEntry): TrustJudgement => {
    const key = sameAs(entry, project);
    const known = judged.get(key) ?? judgeTrust(entry, home(entry), store, options);
    judged.set(key, known);
    return known;
  };
  return {
    judge,
    grant(entry) {
      const judgement = judge(entry);
      if (judgement.state !== 'trusted' && !judgement.mayAsk)
        return { kind: 'failed', problem: refusal(judgement) };
      const added = store.add(recordOf(judgement.trustedFiles, new Date()));
      // It is trusted together with a folder now: an earlier grant without the folder must not let it run.
      if (added.kind !== 'failed' && judgement.trustedFiles.asked.length > 0)
        store.revoke(judgeTrust(entry, home(entry), store, { ...options, folders: [] }).hash);
      if (added.kind !== 'failed') {
        const { diff: _, ...rest } = judgement;
        judged.set(sameAs(entry, project), { ...rest, state: 'trusted' });
      }
      return added;
    },
    stage(entry) {
      const key = sameAs(entry, project);
      const { state, trustedFiles, hash } = judge(entry);
      if (state !== 'trusted') return { kind: 'unstaged', why: `${hash} is not trusted (${state})` };
      const known = staged.get(key) ?? stage(trustedFiles, hash, copies);
      staged.set(key, known);
      return known;
    },
  };
}

const sameAs = (entry: TrustEntry, project: Project): string =>
  JSON.stringify([entry.file, entry.named, canonicalEntry(entry, project.root)]);

const refusal = ({ trustedFiles, hash }: TrustJudgement): Problem => ({
  code: 'not-trusted',
  file: trustedFiles.entry.file,
  message:
    trustedFiles.obstacles.length > 0
      ? `cannot be trusted: ${trustedFiles.obstacles.join('; ')}.`
      : `nobody can be asked whether to trust ${hash}.`,
  remedy:
    trustedFiles.obstacles.length > 0
      ? 'Mend what is named and try again.'
      : 'Trust it from a terminal, or name the hash.',
  severity: 'error',
});
