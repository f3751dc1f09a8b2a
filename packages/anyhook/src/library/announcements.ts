/** Notifies the user of a session of changes to guards during the session, and of calls that no hook saw. */

import type { Event } from '../events/event.ts';
import type { Ruling } from '../events/outcome.ts';
import type { SessionRecord } from '../sessions/record.ts';
import type { SessionStore } from '../sessions/store.ts';
import { actsSince, extentOf, sentenceOf } from '../settings/acts.ts';
import { polled } from '../settings/polled.ts';
import { guardsBoundTo } from './guard-binding.ts';
import {
  type ChangedGuard,
  changedGuards,
  changedLine,
  type GuardSources,
  type Strengths,
} from './strength.ts';
import { saying } from './what-is-off.ts';

export interface AnnouncementOptions {
  readonly store: SessionStore;
  /** Path of the file of guard acts. */
  readonly acts: string;
  /** Sessions are bound to their guards, so changes are found by comparing. Otherwise only a reload reveals them. */
  readonly bindsGuards: boolean;
  readonly sources: () => GuardSources;
  readonly lookEveryMs: number;
}

export class Announcements {
  readonly #options: AnnouncementOptions;
  readonly #extent: () => number;
  /** A session without a record ignores acts before this offset. */
  readonly #extentAtStart: number;
  /** Changes found by reloads. */
  readonly #reloadLines: string[] = [];

  constructor(options: AnnouncementOptions) {
    this.#options = options;
    const look = () => extentOf(options.acts);
    this.#extentAtStart = look();
    this.#extent = polled(look, options.lookEveryMs);
  }
  /** Adds every line that the user of this session has not seen yet. `unasked` describes a call that no hook saw. */
  join(outcome: Ruling, { ids: { session } }: Pick<Event, 'ids'>, unasked?: string): Ruling {
    const { store } = this.#options;
    if (!store.tracks(session)) return outcome;
    const record = store.read(session);
    const news = [
      ...this.#unaskedNews(record, unasked),
      ...this.#newsSinceLastSession(record),
      ...this.#actNews(record),
      ...this.#reloadNews(record),
      ...this.#changeNews(record),
    ];
    if (news.length === 0) return outcome;
    store.update(
      session,
      (now) => Object.assign({}, now, ...news.map(({ noted }) => noted)) as SessionRecord,
    );
    const lines = news.flatMap((item) => item.lines);
    return lines.length === 0 ? outcome : saying(outcome, lines);
  }
  /** Compares with `before`, the guards in force before the settings were reloaded. */
  afterReload(before: Strengths): void {
    if (this.#options.bindsGuards) return;
    this.#reloadLines.push(
      ...changedGuards(before, this.#options.sources()).map((guard) => changedLine(guard)),
    );
  }

  #unaskedNews(record: SessionRecord, unasked: string | undefined): News[] {
    if (unasked === undefined || record.isUnaskedAnnounced) return [];
    return [{ lines: [unasked], noted: { isUnaskedAnnounced: true, announcedActs: this.#actsOf(record) } }];
  }
  #actNews(record: SessionRecord): News[] {
    const [before, now] = [this.#actsOf(record), this.#extent()];
    if (before === now) return [];
    const lines = actsSince(this.#options.acts, before).map(sentenceOf);
    return [{ lines, noted: { announcedActs: now } }];
  }
  #actsOf({ announcedActs, boundAt }: SessionRecord): number {
    return announcedActs ?? boundAt ?? this.#extentAtStart;
  }
  #reloadNews({ announcedReloads = 0 }: SessionRecord): News[] {
    const lines = this.#reloadLines.slice(announcedReloads);
    return lines.length === 0 ? [] : [{ lines, noted: { announcedReloads: this.#reloadLines.length } }];
  }
  #changeNews(record: SessionRecord): News[] {
    if (record.guards === undefined && record.announcedChanges === undefined) return [];
    const changed = this.#changedIn(record);
    const announcedChanges = JSON.stringify(changed);
    if (announcedChanges === (record.announcedChanges ?? '[]')) return [];
    return [{ lines: changed.map((guard) => changedLine(guard)), noted: { announcedChanges } }];
  }
  #changedIn(record: SessionRecord): readonly ChangedGuard[] {
    return changedGuards(guardsBoundTo(record, this.#options.acts), this.#options.sources());
  }

  /** A guard of the user that existed in the last session of this folder and is now missing or different. */
  #newsSinceLastSession(record: SessionRecord): News[] {
    const { bindsGuards, store, sources } = this.#options;
    if (!bindsGuards || record.isComparedWithLast) return [];
    const last = `the last session in ${sources().locations.cwd}`;
    const { guards: before = {} } = store.read(last);
    const announced = new Set(this.#changedIn(record).map(({ id }) => id));
    const changed = changedGuards(before, sources()).filter(
      ({ id, isProjects }) => !isProjects && !announced.has(id),
    );
    const isBound = record.guards !== undefined && Object.keys(record.guards).length > 0;
    if (!isBound && changed.length === 0) return [];
    store.update(last, () => ({ guards: record.guards ?? {} }));
    const lines = changed.map((guard) => changedLine(guard, 'your last session here'));
    return [{ lines, noted: { isComparedWithLast: true, announcedActs: this.#actsOf(record) } }];
  }
}

/** Lines for the user, and the record to keep once they are shown. */
interface News {
  readonly lines: readonly string[];
  readonly noted: SessionRecord;
}
