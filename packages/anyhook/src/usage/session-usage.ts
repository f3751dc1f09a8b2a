/** Reads the usage of sessions from the transcripts of their agents, for as long as this process answers their events. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { UsageReader, UsageSource } from '../agents/shared/usage/source.ts';
import { addTotals } from '../agents/shared/usage/tally.ts';
import type { Locations } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import { isFields } from '../events/fields.ts';
import { isAmount, type SessionTotals, type Usage, usageFault } from '../events/usage.ts';
import { makeFolder } from '../settings/make-folder.ts';
import { readOwn, writeOwn } from '../settings/own-file.ts';
import { STEP_BYTES, Transcript, type TranscriptState } from './transcript.ts';

const MOST_TRANSCRIPTS = 100;
const MAX_STATE_BYTES = 64 * 1024;

interface Followed {
  readonly transcript: Transcript;
  /** Offset of the stored state. */
  storedAt: number;
}

export class SessionUsage {
  readonly #followed = new Map<string, Followed>();
  #isCatchingUp = false;

  /** `folder` keeps how far transcripts were read. Returns undefined if the agent does not reveal usage in a transcript. */
  async of(
    source: UsageSource | null,
    event: Pick<Event, 'ids' | 'scene'>,
    { where, folder }: { readonly where: Required<Locations>; readonly folder: string },
  ): Promise<Usage | undefined> {
    const reader = await source?.reader?.();
    if (reader === undefined) return undefined;
    const files = reader.files(event, where);
    if (files === undefined) return { fault: 'the event does not show where the transcript is' };
    const main = this.#read(files.main, reader, folder);
    let { session } = main;
    for (const file of (files.subagents ?? []).slice(-MOST_TRANSCRIPTS)) {
      const { session: more } = this.#read(file, reader, folder);
      if (more !== undefined) session = addTotals(session, more);
    }
    if ([...this.#followed.values()].some(({ transcript }) => !transcript.isComplete)) this.#catchUp(folder);
    return session === undefined ? main : { ...main, session: rounded(session) };
  }

  #read(file: string, reader: UsageReader, folder: string): Usage {
    let followed = this.#followed.get(file);
    if (followed === undefined) {
      const state = storedState(folder, file);
      followed = { transcript: new Transcript(file, reader, state), storedAt: state?.offset ?? 0 };
    }
    this.#followed.delete(file); // keeps the map in order of use
    this.#followed.set(file, followed);
    const [oldest] = this.#followed.keys();
    if (this.#followed.size > 2 * MOST_TRANSCRIPTS && oldest !== undefined) this.#followed.delete(oldest);
    followed.transcript.read();
    storeIfFar(followed, folder);
    return followed.transcript.usage;
  }

  /** Reads long transcripts to their end between events. Does not keep the process alive. */
  #catchUp(folder: string): void {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    const step = (): void => {
      const next = [...this.#followed.values()].find(({ transcript }) => !transcript.isComplete);
      if (next !== undefined) {
        next.transcript.read();
        storeIfFar(next, folder);
      }
      if (next === undefined || next.transcript.usage.fault !== undefined) this.#isCatchingUp = false;
      else setImmediate(step).unref();
    };
    setImmediate(step).unref();
  }
}

/** Sums of costs have rounding errors far below a cent. */
const rounded = (totals: SessionTotals): SessionTotals =>
  totals.costUsd === undefined ? totals : { ...totals, costUsd: Math.round(totals.costUsd * 1e6) / 1e6 };

const stateFile = (folder: string, file: string): string =>
  join(folder, `${createHash('sha256').update(file).digest('hex').slice(0, 32)}.json`);

/** Another process then has to read only a little again. */
function storeIfFar(followed: Followed, folder: string): void {
  const { state, file } = followed.transcript;
  if (Math.abs(state.offset - followed.storedAt) < STEP_BYTES / 2) return;
  followed.storedAt = state.offset;
  try {
    makeFolder(folder);
    writeOwn(stateFile(folder, file), JSON.stringify(state));
  } catch {
    // A full or read-only disk: the next process reads from the start.
  }
}

function storedState(folder: string, file: string): TranscriptState | undefined {
  const bytes = readOwn(stateFile(folder, file), MAX_STATE_BYTES);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isState(value) ? value : undefined;
  } catch {
    return undefined; // truncated: the transcript is read from the start
  }
}
function isState(value: unknown): value is TranscriptState {
  if (!isFields(value) || !isFields(value['tally'])) return false;
  const { offset, inode, anchor, tally, floor } = value;
  const { recent = [], ...usage } = tally as Record<string, unknown>;
  return (
    isAmount(offset) &&
    isAmount(inode) &&
    typeof anchor === 'string' &&
    Array.isArray(recent) &&
    usageFault(usage) === undefined &&
    usageFault(floor === undefined ? {} : { session: floor }) === undefined
  );
}
