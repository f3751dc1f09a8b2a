/** `anyhook-fleet log`: shows the records of all machines, in the format of `anyhook log`. */

import {
  isWantedVerdict,
  type JournalQuery,
  matchesQuery,
  type ReadRecord,
  WANTED_VERDICTS,
} from 'anyhook/journal';
import { paintFor, recordLine, safe, safeJson, type Screen } from 'anyhook/views';
import { type Command, InvalidArgumentError } from 'commander';
import { readStream } from '../nats/arrivals.ts';
import { openConnection } from '../nats/connection.ts';
import { addServerOptions, msIn, type ServerFlags, serverIn } from '../nats/options.ts';
import { type FleetLine, linesOf } from './lines.ts';

interface LogFlags extends ServerFlags {
  readonly since?: string;
  readonly machine?: string;
  readonly user?: string;
  readonly session?: string;
  readonly verdict?: string;
  readonly event?: string;
  readonly hook?: string;
  readonly last: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

export function defineLog(command: Command): void {
  addServerOptions(command)
    .description('show the records of all machines')
    .option('--since <duration>', 'such as 90s, 15m, 2h or 1d, by the server’s clock')
    .option('--machine <name>', 'of one machine')
    .option('--user <name>', 'of one person')
    .option('--session <id>', 'of one session')
    .option('--verdict <outcome>', WANTED_VERDICTS.join(', '))
    .option('--event <event>', 'such as tool.before')
    .option('--hook <id>', 'that a hook took part in')
    .option('--last <count>', 'maximum number of records, newest first', count, 50)
    .option('--follow', 'keep running and show new records')
    .option('--json', 'Print one record per line, as JSON')
    .action(async (flags: LogFlags) => {
      process.exitCode = await log(flags, command);
    });
}

/** Exits with 1 if a line is damaged, because the output is then incomplete. */
async function log(flags: LogFlags, command: Command): Promise<number> {
  if (flags.nats === undefined) command.error('log: no server given. Add --nats <address>');
  const wanted = queryIn(flags);
  const sinceMs = flags.since === undefined ? undefined : Date.now() - msIn(flags.since);
  const connection = await openConnection(
    serverIn({ ...flags, nats: flags.nats }),
    'anyhook-fleet log',
    'brief',
  );
  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort());
  const show = showing(flags);
  try {
    const { machine, user } = flags;
    const of = { ...(machine !== undefined && { machine }), ...(user !== undefined && { user }) };
    const how = {
      stream: flags.stream,
      of,
      ...(sinceMs !== undefined && { sinceMs }),
      signal: stopped.signal,
    };
    const found: FleetLine[] = [];
    const fits = fitting(wanted, sinceMs);
    let isDamaged = false;
    for await (const line of linesOf(readStream(connection, { ...how, isFollowed: flags.follow === true }))) {
      if (!fits(line)) continue;
      isDamaged ||= line.entry.kind === 'damage';
      if (flags.follow === true) show(line);
      else if (found.push(line) > flags.last) found.shift();
    }
    for (const line of found) show(line);
    if (found.length === 0 && flags.json !== true && flags.follow !== true)
      process.stdout.write('Nothing that arrived fits.\n');
    return isDamaged ? 1 : 0;
  } finally {
    await connection.close();
  }
}

/** Clock difference above which the user is warned. */
const WORTH_SAYING_MS = 60_000;

/** The time of the record, corrected if the clock of the machine differs from the server's. */
export const trueMs = (record: ReadRecord, behindMs: number): number =>
  Date.parse(record.at) + (Math.abs(behindMs) > WORTH_SAYING_MS ? behindMs : 0);

/** A record from two machines is shown once: a journal was copied. */
function fitting(wanted: JournalQuery, sinceMs: number | undefined): (line: FleetLine) => boolean {
  const known = new Map<string, string>();
  return ({ entry, source, behindMs }) => {
    if (entry.kind === 'damage') return true;
    const { record } = entry;
    if (sinceMs !== undefined && trueMs(record, behindMs) < sinceMs) return false;
    if (!matchesQuery(record, wanted)) return false;
    const name = `${source.user}@${source.machine}`;
    const first = known.get(record.hash);
    if (first === undefined) known.set(record.hash, name);
    else if (first !== name)
      process.stderr.write(
        `anyhook-fleet log: a record of ${safe(first)} came from ${safe(name)} as well: a journal was copied. It is shown once.\n`,
      );
    return first === undefined;
  };
}

function showing(flags: LogFlags): (line: FleetLine) => void {
  const paint = paintFor(process.stdout, process.env);
  const width = process.stdout.columns ?? 80;
  // The home folder on the other machine is unknown.
  const screenOf = ({ scene }: ReadRecord): Screen => ({ paint, width, cwd: scene.cwd, home: scene.cwd });
  return ({ entry, source, file, behindMs }) => {
    const name = `${source.user}@${source.machine}`;
    if (flags.json === true) {
      const shown = entry.kind === 'record' ? { record: entry.record } : { damage: entry.why, file };
      process.stdout.write(`${safeJson({ ...source, ...shown })}\n`);
      return;
    }
    const clock = Math.abs(behindMs) > WORTH_SAYING_MS ? `  (its clock: ${clockWords(behindMs)})` : '';
    const lines =
      entry.kind === 'record'
        ? recordLine(entry.record, screenOf(entry.record))
        : [paint('red', `damaged  ${safe(file)}: ${safe(entry.why)}`)];
    process.stdout.write(
      `${paint('cyan', safe(name))}${clock}\n${lines.map((one) => `  ${one}\n`).join('')}`,
    );
  };
}

function clockWords(behindMs: number): string {
  const minutes = Math.round(Math.abs(behindMs) / 60_000);
  return `${minutes} min ${behindMs > 0 ? 'behind, or it was offline while it sent' : 'ahead'}`;
}

function queryIn({ session, verdict, event, hook }: LogFlags): JournalQuery {
  if (verdict !== undefined && !isWantedVerdict(verdict))
    throw new Error(
      `log: unknown outcome ${JSON.stringify(verdict)}; use one of ${WANTED_VERDICTS.join(', ')}`,
    );
  return {
    ...(session !== undefined && { session }),
    ...(verdict !== undefined && { verdict }),
    ...(event !== undefined && { event }),
    ...(hook !== undefined && { hook }),
  };
}

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('must be a whole number above 0');
  return number;
}
