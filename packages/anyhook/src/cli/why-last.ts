/** Explains from the journal what happened: the last event, or the last of a kind, of a session or of one call. */

import { eventNamed } from '../console/event-named.ts';
import { journalFolder } from '../console/journal-folder.ts';
import { NOTHING_RECORDED } from '../console/nothing-recorded.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import type { EventName } from '../events/events.ts';
import {
  isWantedVerdict,
  last,
  readFolder,
  type ReadRecord,
  recordedText,
  type JournalQuery,
  withEnds,
} from '../journal/index.ts';
import { recordChain } from '../render/record-lines.ts';
import { brief } from '../render/safe.ts';
import type { Screen } from '../render/screen.ts';

export interface LastOptions {
  /** An optional value selects an outcome (`deny`) or an event. */
  readonly last?: boolean | string;
  readonly session?: string;
  readonly call?: string;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Exits with 1 if no hook was called. */
export function whyLast(words: readonly string[], options: LastOptions): number {
  const { session, call, cwd, json } = options;
  checkFolder('why', cwd);
  const folder = journalFolder(cwd);
  const wanted: JournalQuery = {
    ...aimed(words),
    ...(session !== undefined && { session }),
    ...(call !== undefined && { call }),
  };
  const fired = last({ folder }, wanted);
  const isAny = whatFor(wanted) === '';
  if (fired === undefined)
    throw new UsageError(
      `why: nothing was recorded${whatFor(wanted)} in ${folder}${isAny ? `; ${NOTHING_RECORDED}` : ''}`,
    );
  const record = withEnds(fired, folder);
  const became = record.verdict === 'ask' ? whatBecame(record, folder) : undefined;
  if (json === true) printJson(became === undefined ? record : { ...record, became: became.kind });
  else {
    const screen = screenFor(cwd);
    print([...recordChain(record, screen), ...(became === undefined ? [] : [becameLine(became, screen)])]);
  }
  return record.hooks.some(({ skipped, late }) => skipped === undefined || late !== undefined) ? 0 : 1;
}

function aimed(words: readonly string[]): Pick<JournalQuery, 'verdict' | 'event'> {
  const verdicts = words.filter(isWantedVerdict);
  const events = words.filter((word) => !isWantedVerdict(word));
  if (verdicts.length > 1 || events.length > 1)
    throw new UsageError('why: --last is aimed at one outcome and one event, not at several');
  const [verdict] = verdicts;
  const [event] = events;
  return {
    ...(verdict !== undefined && { verdict }),
    ...(event !== undefined && { event: eventNamed('why', event) }),
  };
}

const whatFor = ({ verdict, event, session, call }: JournalQuery): string =>
  [
    verdict === undefined ? '' : ` with the outcome ${verdict}`,
    event === undefined ? '' : ` of ${event}`,
    session === undefined ? '' : ` of the session ${session}`,
    call === undefined ? '' : ` of the call ${call}`,
  ].join('');

/** Events that show whether a call ran. */
const ENDINGS: Readonly<Partial<Record<EventName, 'ran' | 'failed' | 'refused'>>> = {
  'tool.after': 'ran',
  'tool.failed': 'failed',
  'tool.denied': 'refused',
};
interface Became {
  readonly kind: 'ran' | 'failed' | 'refused' | 'not recorded';
  readonly record?: ReadRecord;
}

/** An agent asks the user itself. Later events of the same call show the answer. */
function whatBecame({ ids, at }: ReadRecord, folder: string): Became {
  if (ids.call === undefined) return { kind: 'not recorded' };
  for (const entry of readFolder(folder, { session: ids.session, call: ids.call })) {
    if (entry.kind !== 'record' || entry.record.at < at) continue;
    const kind = ENDINGS[entry.record.event as EventName]; // an event of another version has no line here
    if (kind !== undefined) return { kind, record: entry.record };
  }
  return { kind: 'not recorded' };
}

const TOLD: Readonly<Record<Became['kind'], string>> = {
  ran: 'then it ran: the user approved it',
  failed: 'then it ran and failed: the user approved it',
  refused: 'then it was refused',
  'not recorded': 'how the call ended is not on record: a hook on tool.after would see it',
};

function becameLine({ kind, record }: Became, { paint, width }: Screen): string {
  const { reason } = (record?.before ?? {}) as { reason?: unknown };
  const why = kind === 'refused' && typeof reason === 'string' ? `: ${recordedText(reason)}` : '';
  return `  ${paint('yellow', brief(`${TOLD[kind]}${why}`, width - 2))}`;
}
