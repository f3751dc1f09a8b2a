/** `anyhook log`: what hooks did, one line per event. */

import { resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventNamed } from '../console/event-named.ts';
import { journalFolder } from '../console/journal-folder.ts';
import { NOTHING_RECORDED } from '../console/nothing-recorded.ts';
import { print, printJsonLine, say, screenFor } from '../console/print.ts';
import { checkFolder, durationMs, UsageError } from '../console/usage.ts';
import {
  type JournalEntry,
  isWantedVerdict,
  readFolder,
  type ReadRecord,
  type JournalQuery,
  WANTED_VERDICTS,
  last,
} from '../journal/index.ts';
import { type LogView, logLines } from '../render/log-line.ts';
import { shortPath } from '../render/screen.ts';
import type { Define } from './commands.ts';

interface LogOptions {
  readonly session?: string;
  readonly hook?: string;
  readonly verdict?: string;
  readonly event?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly since?: string;
  readonly last?: string;
  readonly follow?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .option('--agent <name>', 'Only events of this agent')
    .option('--project <folder>', 'Only events in this folder or below')
    .option('--session <id>', 'Only events of this session')
    .option('--hook <text>', 'Only events that this hook ran for: its id, name or file')
    .option('--verdict <outcome>', 'allow, ask, defer, deny or none; would-deny: refused in shadow')
    .option('--event <event>', 'Only this event, by any agent’s name for it')
    .option('--since <when>', 'A duration such as 2h, a date, today or yesterday')
    .option('--last <count>', 'Show the newest <count> events (default: 50)')
    .option('--follow', 'Keep printing new events')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print one record per line, as JSON')
    .action(async (options: LogOptions) => done(await log(options)));
};

const POLL_MS = 250;

/** Exit 1 if a line of the journal is damaged, because then the output is incomplete. */
async function log(options: LogOptions): Promise<number> {
  checkFolder('log', options.cwd);
  const wanted = wantedIn(options);
  const since = sinceIn(options.since);
  const most = countIn(options.last);
  const folder = journalFolder(options.cwd);
  const isWhole = !process.stdout.isTTY;
  const screen = screenFor(options.cwd);
  const printed = new Set<string>();
  let isDamaged = false;
  const show = (entries: readonly JournalEntry[]) => {
    for (const entry of entries) {
      if (entry.kind === 'damage') isDamaged = true;
      if (options.json === true) printJsonLine(plain(entry));
      else print(linesFor(entry, { screen, isWhole, nowMs: Date.now() }));
    }
  };
  const fits = (entry: JournalEntry) => matches(entry, since, options) && !printed.has(keyOf(entry));
  const found: JournalEntry[] = [];
  for (const entry of readFolder(folder, { ...wanted, order: 'newest-first' })) {
    if (entry.kind === 'record' && entry.record.at < since) break;
    if (found.length >= most) break;
    if (fits(entry)) found.push(entry);
  }
  if (options.follow === true) for (const entry of readFolder(folder, wanted)) printed.add(keyOf(entry));
  for (const entry of found) printed.add(keyOf(entry));
  if (found.length === 0 && options.json !== true && options.follow !== true)
    say([
      isAimed(options) && last({ folder }) !== undefined
        ? 'No recorded event matches. To see all: anyhook log'
        : `Nothing was recorded yet: ${NOTHING_RECORDED}`,
    ]);
  show(found.toReversed());
  while (options.follow === true) {
    await sleep(POLL_MS);
    const fresh = [...readFolder(folder, wanted)].filter(fits);
    for (const entry of fresh) printed.add(keyOf(entry));
    show(fresh);
  }
  return isDamaged ? 1 : 0;
}

const isAimed = ({ agent, project, session, hook, verdict, event, since }: LogOptions): boolean =>
  [agent, project, session, hook, verdict, event, since].some((option) => option !== undefined);

const keyOf = (entry: JournalEntry): string =>
  entry.kind === 'record' ? `${entry.file}\0${entry.record.hash}` : `${entry.file}\0${entry.line}`;

/** A hook matches by a part of its id, its name or its file. Damage is always shown. */
function matches(entry: JournalEntry, since: string, { hook, agent, project }: LogOptions): boolean {
  if (entry.kind === 'damage') return true;
  const { at, host, scene } = entry.record;
  if (at < since || (agent !== undefined && host.name !== agent)) return false;
  if (project !== undefined && !isBelow(scene.cwd, resolve(project))) return false;
  return (
    hook === undefined ||
    entry.record.hooks.some(
      ({ hook: card, skipped }) =>
        skipped === undefined &&
        [card.id, card.what ?? '', card.file ?? ''].some((text) => text.includes(hook)),
    )
  );
}

const isBelow = (folder: string, parent: string): boolean =>
  folder === parent || folder.startsWith(parent.endsWith(sep) ? parent : `${parent}${sep}`);

function linesFor(entry: JournalEntry, view: LogView): string[] {
  if (entry.kind === 'record') return logLines(entry.record, view);
  const { screen } = view;
  return [screen.paint('red', `damaged  ${shortPath(entry.file, screen)}:${entry.line} ${entry.why}`)];
}

const plain = (entry: JournalEntry): ReadRecord | (JournalEntry & { readonly code: string }) =>
  entry.kind === 'record' ? entry.record : { code: 'journal-damaged', ...entry };

function wantedIn({ session, verdict, event }: LogOptions): JournalQuery {
  if (verdict !== undefined && !isWantedVerdict(verdict))
    throw new UsageError(
      `log: unknown verdict ${JSON.stringify(verdict)}; known: ${WANTED_VERDICTS.join(', ')}`,
    );
  return {
    ...(session !== undefined && { session }),
    ...(verdict !== undefined && { verdict }),
    ...(event !== undefined && { event: eventNamed('log', event) }),
  };
}

function sinceIn(text: string | undefined): string {
  if (text === undefined) return '';
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : dayNamed(text);
  if (at !== undefined && !Number.isNaN(at.getTime())) return at.toISOString();
  if (/^[\d.]+[smhd]$/.test(text)) return new Date(Date.now() - durationMs('log', text)).toISOString();
  throw new UsageError(
    `log: --since must be a duration (90s, 15m, 2h, 1d), a date (2026-11-16), today or yesterday, not ${JSON.stringify(text)}`,
  );
}

/** The start of that day in the time zone of this machine. */
function dayNamed(text: string): Date | undefined {
  const back = ['today', 'yesterday'].indexOf(text);
  const now = new Date();
  return back === -1 ? undefined : new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
}

function countIn(text: string | undefined): number {
  if (text === undefined) return 50;
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new UsageError(`log: --last must be a whole number above 0, not ${JSON.stringify(text)}`);
}
