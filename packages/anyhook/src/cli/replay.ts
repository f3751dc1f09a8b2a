/** Replays recorded events against the current hooks. Guards and mutators run for real; observers are not called. */

import { statSync } from 'node:fs';
import { canOf } from '../console/can-of.ts';
import { journalFolder } from '../console/journal-folder.ts';
import { NOTHING_RECORDED } from '../console/nothing-recorded.ts';
import { paint, print, printJson, screenFor } from '../console/print.ts';
import { withProgress } from '../console/progress.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { isEventName } from '../events/events.ts';
import { onlyWatches, rolesOn } from '../events/roles.ts';
import { last, readFile, readFolder, type ReadRecord } from '../journal/index.ts';
import { createHooksWith } from '../library/create-hooks.ts';
import { recordLine } from '../render/record-lines.ts';
import { brief } from '../render/safe.ts';
import type { Screen } from '../render/screen.ts';
import { RecordedHistory } from '../replay/recorded-history.ts';
import { compared, type Decision, recordedInput, type ReplayResult } from '../replay/result.ts';
import type { Define } from './commands.ts';

interface ReplayOptions {
  readonly cwd?: string;
  readonly json?: boolean;
}
export const define: Define = (command, done) => {
  command
    .argument('[session]', 'Session id or journal file; default: the last session')
    .option('--cwd <folder>', 'Project whose hooks run; default: the recorded one')
    .option('--json', 'Print JSON')
    .action(async (what: string | undefined, options: ReplayOptions) => done(await replay(what, options)));
};

/** Exits with 1 if a decision differs. */
async function replay(what: string | undefined, options: ReplayOptions): Promise<number> {
  checkFolder('replay', options.cwd);
  const { records, damaged } = recordsOf(what, options);
  const decided = records.filter(
    ({ event, late }) => late !== true && isEventName(event) && !onlyWatches(rolesOn(event)),
  );
  const replayed: ReplayResult[] = [];
  await withProgress('Opening the hooks', async (progress) => {
    const count = () => progress.say(`Replaying ${replayed.length + 1} of ${decided.length}`);
    for (const [folder, group] of grouped(decided, folderOf(options)))
      for await (const result of replayIn(folder, { decided: new Set(group), records }, count))
        replayed.push(result);
  });
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

function grouped<T>(list: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of list) groups.set(key(entry), [...(groups.get(key(entry)) ?? []), entry]);
  return groups;
}

function recordsOf(what: string | undefined, options: ReplayOptions) {
  const folder = journalFolder(options.cwd);
  const isFile = what !== undefined && statSync(what, { throwIfNoEntry: false })?.isFile() === true;
  const session = isFile ? undefined : (what ?? last({ folder })?.ids.session);
  if (session === undefined && !isFile)
    throw new UsageError(`replay: nothing was recorded in ${folder}; ${NOTHING_RECORDED}`);
  const entries = [...(isFile ? readFile(what) : readFolder(folder, { session: session! }))];
  const records = entries.flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []));
  if (records.length === 0)
    throw new UsageError(
      `replay: ${JSON.stringify(what)} is neither a recorded session nor a journal file; see anyhook log`,
    );
  return { records, damaged: isFile ? entries.length - records.length : 0 };
}

/** `records` includes those that decide nothing, because rules read what happened earlier. */
async function* replayIn(
  cwd: string,
  {
    decided,
    records,
  }: { readonly decided: ReadonlySet<ReadRecord>; readonly records: readonly ReadRecord[] },
  count: () => void,
): AsyncGenerator<ReplayResult> {
  const { name } = [...decided][0]!.host;
  const history = new RecordedHistory();
  const hooks = await createHooksWith({ host: { name, can: canOf(name) }, cwd, journal: false }, { history });
  for (const record of records) {
    if (decided.has(record)) {
      count();
      history.atMs = Date.parse(record.at);
      yield compared(record, await hooks.fire(recordedInput(record)));
    }
    history.add(record);
  }
  await hooks.close();
}

function report(
  replayed: readonly ReplayResult[],
  passedOver: number,
  damaged: number,
  screen: Screen,
): string[] {
  const differing = replayed.filter(({ isSame }) => !isSame);
  const doubtful = replayed.filter(({ isSame, inexact }) => isSame && inexact.length > 0).length;
  return [
    ...differing.flatMap(({ record, before, now, reasons, inexact }) => [
      ...recordLine({ ...record, reasons: [] }, screen),
      `    ${paint('red', `- ${decisionText(before)}`)}`,
      `    ${paint('green', `+ ${decisionText(now)}`)}${reasons.length === 0 ? '' : `: ${brief(reasons.join('; '), screen.width - 14)}`}`,
      ...inexact.map((why) => `    ${paint('yellow', `not exact: ${why}`)}`),
    ]),
    `${replayed.length} replayed, ${differing.length} decided otherwise${passedOver > 0 ? `, ${passedOver} passed over (nothing to decide)` : ''}${doubtful > 0 ? `, ${doubtful} not exact` : ''}${damaged > 0 ? `, ${damaged} damaged lines` : ''}.`,
  ];
}

const decisionText = ({ verdict, flow, after }: Decision): string =>
  [
    verdict === 'none' ? 'no objection' : verdict,
    ...flow,
    ...(after === undefined ? [] : [`changed to ${brief(JSON.stringify(after), 60)}`]),
  ].join(', ');
