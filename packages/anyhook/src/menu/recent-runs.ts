/** Reads recent runs of hooks from the journal. */

import { journalFolderOf } from '../console/journal-folder.ts';
import type { Locations } from '../events/dialect.ts';
import { took } from '../events/took.mjs';
import { type ConsideredHook, readFolder, type ReadRecord, recordedText } from '../journal/index.ts';
import { effectWords } from '../render/effect-words.ts';
import { recordLine, subjectIn } from '../render/record-lines.ts';
import { brief } from '../render/safe.ts';
import type { Screen } from '../render/screen.ts';

const SHOWN = 10;
/** Limited, because the user is waiting. */
const LOOKED_AT = 5000;

/** The last runs of one hook: time, subject, result and duration. */
export function runsOf(id: string, locations: Locations, screen: Screen): string[] {
  const lines: string[] = [];
  for (const record of recent(locations)) {
    if (lines.length >= SHOWN) break;
    for (const run of record.hooks)
      if (run.hook.id === id && run.skipped === undefined && lines.length < SHOWN)
        lines.push(runLine(record, run, screen));
  }
  return lines;
}

/** The last events for which a hook was called. */
export function recentEvents(locations: Locations, screen: Screen): string[] {
  const lines: string[] = [];
  let count = 0;
  for (const record of recent(locations)) {
    if (count >= SHOWN) break;
    if (!record.hooks.some(({ skipped }) => skipped === undefined)) continue;
    count++;
    lines.push(...recordLine(record, screen));
  }
  return lines;
}

function* recent(locations: Locations): Generator<ReadRecord> {
  let looked = 0;
  for (const entry of readFolder(journalFolderOf(locations), { order: 'newest-first' })) {
    if (++looked > LOOKED_AT) return;
    if (entry.kind === 'record') yield entry.record;
  }
}

function runLine(
  record: ReadRecord,
  { ms, effects = [], failed, failedOpen, ignored = [] }: ConsideredHook,
  screen: Screen,
): string {
  const { paint, width } = screen;
  const result =
    failed === undefined
      ? effects.map((effect) => effectWords(effect, ignored, paint)).join(', ') || 'nothing to say'
      : `broke (${failed.kind})${failedOpen === true ? ', let pass' : ''}`;
  const at = record.at.slice(0, 19).replace('T', ' ');
  const text = [record.event, subjectIn(record), recordedText(result), took(ms)].filter(Boolean).join(' · ');
  return `${paint('dim', at)}  ${brief(text, width - 21)}`;
}
