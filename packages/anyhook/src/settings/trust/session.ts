import type { Problem } from '../../events/problems.ts';
import type { TrustEntry } from './entry.ts';
import { judgeTrust, type TrustJudgement, type GateOptions } from './gate.ts';
import { canonicalEntry } from './hash.ts';
import { openProject, type Project } from './project.ts';
import { recordOf } from './record.ts';
import { stage, type StageResult } from './stage.ts';
import type { AddResult, TrustStore } from './store.ts';

/**
 * Trust for one session. An entry is read and judged once, and the decision and the bytes stay the same until
 * the session ends, whatever happens to the files. Keep one object per session.
 */
export interface TrustSession {
  judge(entry: TrustEntry): TrustJudgement;
  /**
   * Records the user's consent to what `judge` returned, without reading again. Fails if the user could not
   * be asked.
   */
  grant(entry: TrustEntry): AddResult;
  /** Returns how to run the entry once it is trusted. */
  stage(entry: TrustEntry): StageResult;
}

export interface SessionOptions extends GateOptions {
  readonly project: Project;
  readonly store: TrustStore;
  /** Folder for the private copies, outside of every project. */
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
      // The entry is now trusted together with a folder, so an earlier grant without the folder must no
      // longer apply.
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
      : `trusting ${hash} needs confirmation in a terminal.`,
  remedy:
    trustedFiles.obstacles.length > 0
      ? 'Fix this and try again.'
      : 'Trust it from a terminal, or pass the hash.',
  severity: 'error',
});
