/** Hooks that stay open between events, and are opened again whenever a file they were read from has changed. */

import { sep } from 'node:path';
import type { Locations } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import { type Folders, foldersOf } from '../gather/folders.ts';
import type { Hooks } from '../library/hooks.ts';
import { filesNamed } from '../self-protection/made-of/scripts-named.ts';
import type { DiskRecord } from '../settings/disk-record.ts';
import { moduleFilesOf } from './module-files.ts';
import { PROGRAM_FOLDER } from './program-mark.ts';
import { recordReads } from './recorded-reads.ts';

export interface HooksSource {
  readonly open: () => Promise<Hooks>;
  /** Where `open` looks for settings. */
  readonly locations: Required<Locations>;
}

export class FreshHooks {
  readonly #checksFiles: boolean;
  #opened: Promise<OpenedHooks> | undefined;
  #timesOpened = 0;

  /** With `checksFiles: false` the caller looks, with `isCurrent`. */
  constructor({ checksFiles }: { readonly checksFiles: boolean }) {
    this.#checksFiles = checksFiles;
  }

  /** A new number shows that the hooks were read again. */
  get timesOpened(): number {
    return this.#timesOpened;
  }
  /** Nothing is open yet, or everything that was read is as it was. */
  async isCurrent(): Promise<boolean> {
    const opened = await this.#opened?.catch(() => undefined);
    return opened === undefined || opened.isCurrent();
  }

  /** Rejects as `source.open` and `work` do. Open hooks are not closed while `work` uses them. */
  async use<T>(source: HooksSource, work: (hooks: Hooks, at: Required<Locations>) => Promise<T>): Promise<T> {
    const opened = await this.#current(source);
    return opened.use(work);
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    opened?.retire();
  }

  /** Events that arrive while hooks are being opened wait for the same opening. */
  async #current(source: HooksSource): Promise<OpenedHooks> {
    const before = this.#opened;
    const opened = await before?.catch(() => undefined);
    if (opened !== undefined && (!this.#checksFiles || opened.isCurrent())) return opened;
    if (this.#opened === before) {
      this.#opened = openRecorded(source);
      this.#timesOpened += 1;
      opened?.retire();
    }
    return this.#opened ?? this.#current(source);
  }
}

async function openRecorded({ open, locations }: HooksSource): Promise<OpenedHooks> {
  const isOwnState = writtenByEvents(locations);
  const { value, record } = await recordReads(open, {
    alsoRead: moduleFilesOf,
    written: ({ hooks }) => filesWrittenBy(hooks, locations),
    isIgnored: (path) => path.startsWith(PROGRAM_FOLDER) || isOwnState(path),
  });
  return new OpenedHooks(value, locations, record);
}

/** Closes its hooks once it is retired and no event uses them any more. */
class OpenedHooks {
  readonly #hooks: Hooks;
  readonly #locations: Required<Locations>;
  readonly #record: DiskRecord;
  #users = 0;
  #isRetired = false;

  constructor(hooks: Hooks, locations: Required<Locations>, record: DiskRecord) {
    this.#hooks = hooks;
    this.#locations = locations;
    this.#record = record;
  }
  isCurrent(): boolean {
    return !this.#isRetired && this.#record.isSame();
  }
  async use<T>(work: (hooks: Hooks, locations: Required<Locations>) => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await work(this.#hooks, this.#locations);
    } finally {
      this.#users -= 1;
      this.#closeIfUnused();
    }
  }
  retire(): void {
    this.#isRetired = true;
    this.#closeIfUnused();
  }
  #closeIfUnused(): void {
    // Nothing depends on it any more, so a failure to close is ignored.
    if (this.#isRetired && this.#users === 0) this.#hooks.close().catch(() => {});
  }
}

/** What events write and read again each time. A change there does not change the settings. */
const WRITTEN_BY_EVENTS = [
  'heads',
  'journal',
  'acts',
  'reload',
  'sessions',
  'texts',
  'judged',
  'compiled',
  'approvals',
  'usage',
  'undo',
  'bridgeCalls',
] as const satisfies readonly (keyof Folders)[];

function writtenByEvents(locations: Locations): (path: string) => boolean {
  const folders = foldersOf(locations);
  const places = WRITTEN_BY_EVENTS.map((name) => folders[name]);
  return (path) => places.some((place) => path === place || path.startsWith(`${place}${sep}`));
}

/** Files behind a `>` of a command, mostly logs. */
const filesWrittenBy = (hooks: readonly Hook[], locations: Locations): string[] =>
  hooks.flatMap((hook) =>
    filesNamed(hook, locations).flatMap(({ path, isWritten }) => (isWritten ? [path] : [])),
  );
