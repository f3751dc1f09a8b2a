/**
 * Writes one record per fire to the journal of its session. Opens the journal with the first record, so no hooks means no disk
 * access.
 */

import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { Ruling, Run } from '../events/outcome.ts';
import { decides } from '../events/roles.ts';
import type { Folders } from '../gather/folders.ts';
import type { HostOptions, JournalOptions } from '../gather/options.ts';
import {
  hostShown,
  type Journal,
  type KnownOrigin,
  makeLateRecord,
  makeRecord,
  openJournal,
  originOf,
} from '../journal/index.ts';
import { saying } from './what-is-off.ts';

/** Maximum number of open files: a program may live long and serve many sessions. */
const OPEN_AT_ONCE = 32;

export interface Records {
  /** Returns the outcome, refused if the journal is required and could not be written. */
  keep(event: Event, outcome: Ruling, tookMs: number): Ruling;
  /** Records the end of a background hook whose event was recorded earlier. */
  keepLate(event: Event, run: Run): void;
  close(): void;
}

export interface RecordsOptions {
  readonly journal: JournalOptions;
  readonly folders: Folders;
  readonly host: Pick<HostOptions, 'name' | 'version'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hookOf: (id: string) => Hook | undefined;
  readonly origin: KnownOrigin;
  readonly warn: (message: string) => void;
  /** Called after each attempt to write a record. */
  readonly onWrite?: (session: string, isInFile: boolean) => void;
}

export function openRecords(options: RecordsOptions): Records {
  const { journal: wanted, folders, host, env, hookOf, warn } = options;
  const origin = originOf(options.origin, wanted.origin);
  const journals = new Map<string, Journal>();
  /** A pending notice for the user. A full disk must not suppress it. */
  let news: string | undefined;
  const name = hostShown(
    { name: host.name, ...(host.version !== undefined && { version: host.version }) },
    wanted.origin?.agent,
  );
  const journalOf = (session: string): Journal => {
    let journal = journals.get(session);
    if (journal === undefined) {
      if (journals.size >= OPEN_AT_ONCE) closeOldest(journals);
      journal = openJournal({
        folder: wanted.folder ?? folders.journal,
        heads: folders.heads,
        session,
        env,
        ...(wanted.required !== undefined && { required: wanted.required }),
        ...(wanted.secrets !== undefined && { secrets: wanted.secrets }),
        ...((wanted.keepDays ?? wanted.keepBytes) !== undefined && { keep: wanted }),
        onTrouble({ kind, message }) {
          warn(message);
          if (kind === 'not-written') news = `anyhook: ${message} See: anyhook log`;
        },
      });
      journals.set(session, journal);
    }
    return journal;
  };
  return {
    keep(event, outcome, tookMs) {
      const result = journalOf(event.ids.session).write(
        makeRecord({ event, outcome, hookOf, host: name, origin, tookMs }),
      );
      options.onWrite?.(event.ids.session, result.written);
      const notified = news === undefined ? outcome : saying(outcome, [news]);
      news = undefined;
      return result.ok ? notified : unrecorded(notified, event, result.why);
    },
    keepLate(event, run) {
      journalOf(event.ids.session).write(makeLateRecord({ event, run, hookOf, host: name, origin }));
    },
    close() {
      for (const journal of journals.values()) journal.close();
      journals.clear();
    },
  };
}

function closeOldest(journals: Map<string, Journal>): void {
  const [oldest] = journals;
  if (oldest === undefined) return;
  oldest[1].close();
  journals.delete(oldest[0]);
}

function unrecorded(outcome: Ruling, event: Event, why: string): Ruling {
  const text = `not recorded, and a record is required: ${why}`;
  if (!decides(event.name)) return { ...outcome, lost: [...outcome.lost, text] };
  return {
    ...outcome,
    verdict: 'deny',
    reasons: [...outcome.reasons, { by: 'journal', text, broken: true }],
  };
}
