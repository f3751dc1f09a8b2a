/**
 * `anyhook-fleet report`: counts per hook what shadow hooks would have refused, for a trial before a policy is
 * enforced.
 */

import { type HookCard, journalPlaces, type ReadRecord, readFolder } from 'anyhook/journal';
import { VERSIONS } from 'anyhook/policy';
import { safe, safeJson } from 'anyhook/views';
import type { Command } from 'commander';
import { readStream } from './nats/arrivals.ts';
import { openConnection } from './nats/connection.ts';
import { addServerOptions, msIn, type ServerFlags, serverIn } from './nats/options.ts';
import { linesOf } from './read/lines.ts';

/** A hook on trial. */
export interface TrialCount {
  /** A managed hook is the same on all machines and in all policy versions. */
  readonly hook: string;
  readonly file: string;
  /** Number of runs in shadow mode. */
  readonly asked: number;
  readonly deny: number;
  readonly ask: number;
  /** Number of failures. An enforced hook might have refused instead. */
  readonly failed: number;
  readonly sessions: number;
  readonly machines: number;
  readonly users: number;
  /** Reasons, most frequent first. */
  readonly reasons: readonly { readonly text: string; readonly count: number }[];
}

interface Tally {
  readonly file: string;
  asked: number;
  deny: number;
  ask: number;
  failed: number;
  readonly sessions: Set<string>;
  readonly machines: Set<string>;
  readonly users: Set<string>;
  readonly reasons: Map<string, number>;
}

const REFUSALS: ReadonlySet<string> = new Set(['deny', 'halt', 'cancel']);

export async function countTrials(
  records: Iterable<ReadRecord> | AsyncIterable<ReadRecord>,
): Promise<readonly TrialCount[]> {
  const tallies = new Map<string, Tally>();
  for await (const { hooks, ids, origin, late } of records) {
    if (late === true) continue;
    for (const { hook, ignored = [], effects = [], failed, skipped } of hooks) {
      if (hook.shadow !== true || skipped !== undefined) continue;
      const name = sharedName(hook);
      const tally = tallies.get(name) ?? newTally(hook.file ?? '');
      tallies.set(name, tally);
      tally.asked++;
      tally.sessions.add(ids.session);
      if (origin?.machine !== undefined) tally.machines.add(origin.machine);
      if (origin?.user !== undefined) tally.users.add(origin.user);
      if (failed !== undefined) tally.failed++;
      // A shadow hook has its effects in `ignored`. If all of anyhook is in shadow mode, they are in `effects`.
      const considered = [
        ...ignored.filter(({ why }) => why === 'shadow').map(({ effect }) => effect),
        ...effects,
      ];
      const refusal =
        considered.find(({ kind }) => REFUSALS.has(kind)) ??
        considered.find(({ kind }) => kind === 'ask' || kind === 'defer');
      if (refusal === undefined) continue;
      tally[REFUSALS.has(refusal.kind) ? 'deny' : 'ask']++;
      const text = 'reason' in refusal && typeof refusal.reason === 'string' ? refusal.reason : '';
      tally.reasons.set(text, (tally.reasons.get(text) ?? 0) + 1);
    }
  }
  return [...tallies]
    .map(([hook, { sessions, machines, users, reasons, ...rest }]) => ({
      hook,
      ...rest,
      sessions: sessions.size,
      machines: machines.size,
      users: users.size,
      reasons: [...reasons].map(([text, count]) => ({ text, count })).toSorted((a, b) => b.count - a.count),
    }))
    .toSorted((a, b) => b.deny - a.deny || b.ask - a.ask);
}

const VERSIONED = new RegExp(`^.*/${VERSIONS}/\\d+/`);
const sharedName = ({ id, layer }: HookCard): string =>
  layer === 'managed' ? id.replace(VERSIONED, '') : id;

const newTally = (file: string): Tally => ({
  file,
  asked: 0,
  deny: 0,
  ask: 0,
  failed: 0,
  sessions: new Set(),
  machines: new Set(),
  users: new Set(),
  reasons: new Map(),
});

interface ReportFlags extends ServerFlags {
  readonly journal?: readonly string[];
  readonly since?: string;
  readonly json?: boolean;
}

export function defineReport(command: Command): void {
  addServerOptions(command)
    .description('what hooks in shadow would have refused, per hook: the trial before a policy is enforced')
    .option(
      '--journal <folder...>',
      'journal folders, also of other users; default, without --nats: your own',
    )
    .option('--since <duration>', 'such as 12h or 7d')
    .option('--json', 'Print JSON')
    .action(async (flags: ReportFlags) => {
      if (flags.journal !== undefined && flags.nats !== undefined)
        command.error('report: --journal or --nats, not both');
      const trials = await countTrials(
        flags.nats === undefined ? inFolders(flags) : inStream(flags, flags.nats),
      );
      process.stdout.write(flags.json === true ? `${safeJson(trials, 2)}\n` : safe(reportText(trials)));
    });
}

const sinceIn = ({ since }: ReportFlags): number => (since === undefined ? 0 : Date.now() - msIn(since));

function* inFolders(flags: ReportFlags): Generator<ReadRecord> {
  const { journal = [journalPlaces().folder] } = flags;
  const sinceMs = sinceIn(flags);
  for (const folder of journal)
    for (const entry of readFolder(folder))
      if (entry.kind === 'record' && Date.parse(entry.record.at) >= sinceMs) yield entry.record;
}

/** A record that arrived twice because its journal was copied counts once. */
async function* inStream(flags: ReportFlags, nats: string): AsyncGenerator<ReadRecord> {
  const connection = await openConnection(serverIn({ ...flags, nats }), 'anyhook-fleet report', 'brief');
  const known = new Set<string>();
  try {
    const how = { stream: flags.stream, of: {}, isFollowed: false, signal: new AbortController().signal };
    const sinceMs = sinceIn(flags);
    for await (const { entry, source } of linesOf(
      readStream(connection, { ...how, ...(sinceMs > 0 && { sinceMs }) }),
    )) {
      if (entry.kind !== 'record' || known.has(entry.record.hash)) continue;
      known.add(entry.record.hash);
      yield { ...entry.record, origin: { ...source, ...entry.record.origin } };
    }
  } finally {
    await connection.close();
  }
}

export function reportText(trials: readonly TrialCount[]): string {
  if (trials.length === 0) return 'No hook in shadow was asked.\n';
  return trials
    .map(({ hook, file, asked, deny, ask, failed, sessions, machines, users, reasons }) =>
      [
        hook.startsWith(file) ? hook : `${hook}  (${file})`,
        `  would have refused ${deny} of ${asked}, asked a person about ${ask}, failed ${failed} times`,
        `  in ${[
          [sessions, 'sessions'],
          [users, 'users'],
          [machines, 'machines'],
        ]
          .filter(([count]) => count !== 0)
          .map(([count, what]) => `${count} ${what}`)
          .join(', ')}`,
        ...reasons
          .slice(0, 5)
          .map(({ text, count }) => `  ${String(count).padStart(6)} × ${text.split('\n')[0]!.slice(0, 100)}`),
      ].join('\n'),
    )
    .join('\n')
    .concat('\n');
}
