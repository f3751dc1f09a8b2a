/** Recorded events against the hooks as they are now. Guards and mutators run for real; who only watches is not called. */
import { statSync } from 'node:fs';
import { DIALECTS } from '../../assemble.ts';
import { same } from '../../canon/changes.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Moment } from '../../canon/event.ts';
import { isEventName } from '../../canon/events.ts';
import { respell } from '../../canon/lexicon.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { onlyWatches, rolesOn } from '../../canon/roles.ts';
import { last, readFile, readFolder, type ReadRecord } from '../../journal/index.ts';
import { recordLine } from '../../views/record-lines.ts';
import { brief } from '../../views/safe.ts';
import type { Screen } from '../../views/screen.ts';
import { createHooks } from '../library/create-hooks.ts';
import { checkFolder } from './folder.ts';
import { journalFolder } from './journal-folder.ts';
import { paint, print, printJson, screenFor } from './print.ts';
import { UsageError } from './usage-error.ts';

export interface ReplayOptions {
  readonly cwd?: string;
  readonly json?: boolean;
}
interface Decision {
  readonly verdict: Outcome['verdict'];
  readonly flow: readonly string[];
  readonly after?: unknown;
}
interface Replayed {
  readonly record: ReadRecord;
  readonly before: Decision;
  readonly now: Decision;
  readonly reasons: readonly string[];
  readonly isSame: boolean;
  /** Why it cannot be told for certain. */
  readonly inexact: readonly string[];
}

/** Exit 1 when a decision differs. */
export async function replay(what: string | undefined, options: ReplayOptions): Promise<number> {
  checkFolder('replay', options.cwd);
  const { records, damaged } = recordsOf(what, options);
  const decided = records.filter(({ event }) => isEventName(event) && !onlyWatches(rolesOn(event)));
  const replayed: Replayed[] = [];
  for (const [folder, group] of grouped(decided, folderOf(options)))
    replayed.push(...(await replayIn(folder, group)));
  const differing = replayed.filter(({ isSame }) => !isSame);
  if (options.json === true)
    printJson({
      replayed: replayed.length,
      passedOver: records.length - decided.length,
      damaged,
      differences: differing.map(({ record, ...rest }) => ({
        at: record.at,
        seq: record.seq,
        event: record.event,
        ...rest,
      })),
    });
  else print(report(replayed, records.length - decided.length, damaged, screenFor(options.cwd)));
  return differing.length > 0 ? 1 : 0;
}

const folderOf =
  ({ cwd }: ReplayOptions) =>
  ({ scene }: ReadRecord): string =>
    cwd ?? (scene.cwd || process.cwd());

function grouped<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

function recordsOf(what: string | undefined, options: ReplayOptions) {
  const folder = journalFolder(options.cwd);
  const isFile = what !== undefined && statSync(what, { throwIfNoEntry: false })?.isFile() === true;
  const session = isFile ? undefined : (what ?? last({ folder })?.ids.session);
  if (session === undefined && !isFile) throw new UsageError(`replay: nothing was recorded in ${folder}`);
  const entries = [...(isFile ? readFile(what) : readFolder(folder, { session: session! }))];
  const records = entries.flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []));
  if (records.length === 0)
    throw new UsageError(
      `replay: ${JSON.stringify(what)} is neither a recorded session nor a journal file; see anyhook log`,
    );
  return { records, damaged: isFile ? entries.length - records.length : 0 };
}

async function replayIn(cwd: string, records: readonly ReadRecord[]): Promise<Replayed[]> {
  const name = records[0]!.host.name;
  const can = DIALECTS.find((dialect) => dialect.name === name)?.can ?? 'everything';
  const hooks = await createHooks({ host: { name, can }, cwd, mode: 'one-shot', journal: false });
  const replayed: Replayed[] = [];
  for (const record of records) {
    const outcome = await hooks.fire(momentOf(record));
    replayed.push(compared(record, outcome));
  }
  await hooks.close();
  return replayed;
}

/** As the host said it: matchers look at its own spelling. */
function momentOf({ event, before, ids, scene, native }: ReadRecord): Moment {
  const { tool, input } = (before ?? {}) as { tool?: unknown; input?: unknown };
  const said =
    native === undefined || typeof tool !== 'string'
      ? {}
      : { tool: native.tool, input: respell((input ?? {}) as Fields, native) };
  // The journal keeps what was fired; what it shortened is told with the difference.
  return { name: event, payload: { ...(before as object), ...said }, ids, scene } as Moment;
}

function compared(record: ReadRecord, outcome: Outcome): Replayed {
  const before: Decision = {
    verdict: record.verdict,
    flow: Object.keys(record.flow).toSorted(),
    ...(record.after !== undefined && { after: record.after }),
  };
  const now: Decision = {
    verdict: outcome.verdict,
    flow: Object.keys(outcome.flow).toSorted(),
    ...(outcome.changed.length > 0 && { after: inOurWords(record, outcome.payload) }),
  };
  const inexact = [
    ...((record.redacted ?? 0) > 0 ? [`${record.redacted} secrets were taken out of the record`] : []),
    ...((record.cut ?? 0) > 0 ? [`${record.cut} long texts were shortened in the record`] : []),
    ...(record.paused === true ? ['hooks were paused when it was recorded'] : []),
  ];
  return {
    record,
    before,
    now,
    reasons: outcome.reasons.map(({ text }) => text),
    isSame: same(before, now),
    inexact,
  };
}

function inOurWords({ native, before }: ReadRecord, payload: Fields): Fields {
  if (native === undefined) return payload;
  const theirs = new Map(Object.entries(native.args).map(([ours, name]) => [name, ours]));
  const input = Object.fromEntries(
    Object.entries((payload['input'] ?? {}) as Fields).map(([key, value]) => [theirs.get(key) ?? key, value]),
  );
  return { ...payload, tool: (before as Fields)['tool'], input };
}

function report(
  replayed: readonly Replayed[],
  passedOver: number,
  damaged: number,
  screen: Screen,
): string[] {
  const differing = replayed.filter(({ isSame }) => !isSame);
  const doubtful = replayed.filter(({ isSame, inexact }) => isSame && inexact.length > 0).length;
  return [
    ...differing.flatMap(({ record, before, now, reasons, inexact }) => [
      ...recordLine({ ...record, reasons: [] }, screen),
      `    ${paint('red', `- ${said(before)}`)}`,
      `    ${paint('green', `+ ${said(now)}`)}${reasons.length === 0 ? '' : `: ${brief(reasons.join('; '), screen.width - 14)}`}`,
      ...inexact.map((why) => `    ${paint('yellow', `not exact: ${why}`)}`),
    ]),
    `${replayed.length} replayed, ${differing.length} decided otherwise${passedOver > 0 ? `, ${passedOver} passed over (nothing to decide)` : ''}${doubtful > 0 ? `, ${doubtful} not exact` : ''}${damaged > 0 ? `, ${damaged} damaged lines` : ''}.`,
  ];
}

const said = ({ verdict, flow, after }: Decision): string =>
  [
    verdict === 'none' ? 'no objection' : verdict,
    ...flow,
    ...(after === undefined ? [] : [`changed to ${brief(JSON.stringify(after), 60)}`]),
  ].join(', ');
