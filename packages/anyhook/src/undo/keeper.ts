/** Connects the snapshots with the events of a session. A failure never stops a call, unless the user requires snapshots. */

import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Event } from '../events/event.ts';
import type { UndoMark } from '../events/outcome.ts';
import type { UndoSettings } from '../events/undo-settings.ts';
import { changingCall } from './may-change.ts';
import { pruneIfDue } from './prune.ts';
import { UndoIsOff } from './scan.ts';
import { UndoStore } from './store.ts';

export interface KeeperOptions {
  /** The folder with the snapshots of all projects. */
  readonly stores: string;
  readonly project: string;
  readonly home: string;
  readonly agent: string;
  readonly settings: UndoSettings;
}

export class UndoKeeper {
  readonly #options: KeeperOptions;
  #store: UndoStore | undefined;
  /** Failures that were reported once. */
  readonly #reported = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Starts the snapshot before a call. Resolves to undefined if the call only reads. Never rejects. */
  begin(event: Event, signal?: AbortSignal): Promise<UndoMark | undefined> {
    return this.#attempt(async () => {
      const { agent, home } = this.#options;
      const store = this.#open();
      const call = changingCall(event, { root: realpathSync(this.#options.project), home });
      if (call === undefined) return undefined;
      const { tool, what, paths, outside } = call;
      const { session, call: id } = event.ids;
      const record = await store.begin({
        agent,
        session,
        tool,
        what,
        ...(id !== undefined && { call: id }),
        ...(paths && { paths }),
        ...(this.#options.settings.outside && outside.length > 0 && { outside }),
        ...(signal && { signal }),
      });
      this.#keepOff(undefined);
      return {
        id: record.id,
        snapshot: record.areas[0]!.before,
        ...(record.leftOutCount > 0 && { leftOut: record.leftOutCount }),
      };
    });
  }
  /** The call does not run. */
  drop(id: string): void {
    const { records } = this.#open();
    const record = records.open().find((one) => one.id === id);
    if (record !== undefined) records.remove(record);
  }
  /** The call has ended; its hooks have run, and what they changed belongs to it. */
  async end({ ids }: Event): Promise<void> {
    await this.#attempt(async () => {
      await this.#open().end(this.#options.agent, ids.session, ids.call);
      return undefined;
    });
  }
  async endTurn({ ids }: Event): Promise<void> {
    if (ids.agent !== undefined) return; // the turn of a subagent is part of another one
    await this.#attempt(async () => {
      const store = this.#open();
      await store.endTurn(this.#options.agent, ids.session);
      if (existsSync(store.folder)) await pruneIfDue(store, this.#options.settings);
      return undefined;
    });
  }

  /** Why undo is off in this project, as far as the last attempt knows. */
  whyOff(): string | undefined {
    try {
      return whyOffAt(this.#open());
    } catch (error) {
      return error instanceof UndoIsOff ? error.message : undefined;
    }
  }
  /** True once for each failure of this session. */
  isNews(failed: string): boolean {
    if (this.#reported.has(failed)) return false;
    this.#reported.add(failed);
    return true;
  }
  async close(): Promise<void> {
    await this.#store?.close().catch(() => {}); // only a cache for the next process
  }

  #open(): UndoStore {
    if (this.#store !== undefined) return this.#store;
    const { project, home, stores, settings } = this.#options;
    const why = unsuitable(project, home);
    if (why !== undefined) throw new UndoIsOff(why);
    return (this.#store = new UndoStore(stores, project, settings));
  }
  async #attempt(work: () => Promise<UndoMark | undefined>): Promise<UndoMark | undefined> {
    try {
      return await work();
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof UndoIsOff) this.#keepOff(message);
      return { failed: message };
    }
  }
  /** For the notice at the start of the next session, and for doctor. */
  #keepOff(why: string | undefined): void {
    if (this.#store === undefined) return;
    const file = offFile(this.#store);
    try {
      if (why === undefined) rmSync(file, { force: true });
      else writeFileSync(file, why, { mode: 0o600 });
    } catch {
      // the store cannot be written; the failure of the call names the reason
    }
  }
}

const offFile = ({ folder }: UndoStore): string => join(folder, 'off');
export function whyOffAt(store: UndoStore): string | undefined {
  try {
    return readFileSync(offFile(store), 'utf8');
  } catch {
    return undefined; // it is on, or was never used here
  }
}

/** Why undo does not work in a folder; undefined if it does. */
export function unsuitable(project: string, home: string): string | undefined {
  const root = realpathSync(project);
  if (dirname(root) === root) return 'the root of the file system is not a project';
  if (`${existsSync(home) ? realpathSync(home) : home}/`.startsWith(`${root}/`))
    return 'the home folder is not a project';
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(root, name)));
  return isBare && !existsSync(join(root, '.git')) ? 'a bare repository has no files to work on' : undefined;
}
