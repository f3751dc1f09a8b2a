/** Runs proposals against recorded calls, alone and in a folder of their own, so that no other hook runs. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAllowed } from '../approvals/allowed.ts';
import { canOf } from '../console/can-of.ts';
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';
import type { ReadRecord } from '../journal/index.ts';
import { createHooksWith } from '../library/create-hooks.ts';
import { RecordedHistory } from '../replay/recorded-history.ts';
import { compared, recordedInput } from '../replay/result.ts';
import { removeTree } from '../settings/remove-tree.ts';
import type { GuardEntry, Proposal } from './propose.ts';

/** What a proposal would have changed in the recorded sessions. */
export interface TrialChange {
  /** Recorded calls that it concerns and that would go on as they did; of a question, those that it would ask about. */
  readonly same: number;
  /** Calls that ran and would be refused. */
  readonly newlyRefused: number;
  /** Questions that would not be asked. */
  readonly unasked: number;
}
export interface TriedProposal {
  readonly proposal: Proposal;
  readonly change: TrialChange;
}

const isShellCall = ({ event, late, before }: ReadRecord): boolean =>
  event === 'tool.before' && late !== true && isFields(before) && before['tool'] === 'shell';

/** Leaves out proposals that do not do what they are meant to do. */
export async function tried(
  proposals: readonly Proposal[],
  records: readonly ReadRecord[],
): Promise<readonly TriedProposal[]> {
  const calls = records.filter(isShellCall);
  const guards = proposals.flatMap((proposal) => (proposal.kind === 'allow' ? [] : [proposal.entry]));
  const refused = await refusedBy(guards, calls);
  return proposals
    .map((proposal) => ({
      proposal,
      change:
        proposal.kind === 'allow'
          ? changeByAllow(proposal.entry, calls)
          : changeByGuard(proposal.kind, refused.get(proposal.entry.name) ?? []),
    }))
    .filter(({ proposal, change }) =>
      proposal.kind === 'allow'
        ? change.unasked >= proposal.evidence.count
        : change.newlyRefused === 0 && change.same >= proposal.evidence.count,
    );
}

function changeByAllow(
  entry: Parameters<typeof isAllowed>[0][number],
  calls: readonly ReadRecord[],
): TrialChange {
  const concerned = calls.filter(({ before, after, scene }) =>
    isAllowed([entry], (after ?? before) as Fields, scene.cwd),
  );
  const unasked = concerned.filter(({ verdict, approval }) => verdict === 'ask' || approval !== undefined);
  return { same: concerned.length - unasked.length, newlyRefused: 0, unasked: unasked.length };
}

function changeByGuard(
  kind: 'guard' | 'question',
  results: readonly { readonly wasRefused: boolean }[],
): TrialChange {
  // The proposal was made only because every recorded call of this shape was undone, refused or left open.
  if (kind === 'question') return { same: results.length, newlyRefused: 0, unasked: 0 };
  const same = results.filter(({ wasRefused }) => wasRefused).length;
  return { same, newlyRefused: results.length - same, unasked: 0 };
}

/** The calls that each guard refuses, by the name of the guard. */
async function refusedBy(guards: readonly GuardEntry[], calls: readonly ReadRecord[]) {
  const refused = new Map<string, { wasRefused: boolean }[]>();
  if (guards.length === 0) return refused;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-suggest-')));
  try {
    const config = join(root, 'home/.config/anyhook');
    mkdirSync(config, { recursive: true });
    for (const guard of guards) {
      writeFileSync(join(config, 'hooks.json'), JSON.stringify({ hooks: { 'tool.before': [guard] } }));
      refused.set(guard.name, await refusedIn(root, calls));
    }
    return refused;
  } finally {
    removeTree(root);
  }
}

async function refusedIn(root: string, calls: readonly ReadRecord[]): Promise<{ wasRefused: boolean }[]> {
  const hooks = await createHooksWith(
    {
      host: { name: 'anyhook', can: canOf('anyhook') },
      home: join(root, 'home'),
      cwd: root,
      settings: { layers: ['user'] },
      trust: { selfProtection: false },
      journal: false,
    },
    { history: new RecordedHistory() },
  );
  try {
    const results: { wasRefused: boolean }[] = [];
    for (const record of calls) {
      const { before, now } = compared(record, await hooks.fire(recordedInput(record)));
      if (now.verdict !== 'none')
        results.push({ wasRefused: before.verdict === 'deny' || isRefusedLater(record) });
    }
    return results;
  } finally {
    await hooks.close();
  }
}
/** A question of the agent that its user answered with no, or that nothing shows an answer to. */
const isRefusedLater = ({ verdict, approval }: ReadRecord): boolean =>
  verdict === 'ask' && approval === undefined;
