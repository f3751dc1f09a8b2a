/** `anyhook undo`: shows what the last turn of an agent changed, and puts it back. */

import { existsSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { answerTo, isYes } from '../console/answer-to.ts';
import { paint, print, printJson, say, screenFor } from '../console/print.ts';
import { callLines, itemJson, undoPlanLines, recordJson } from '../console/undo-lines.ts';
import { undoSettings } from '../console/undo-settings.ts';
import { checkFolder, durationMs, UsageError } from '../console/usage.ts';
import { foldersOf, type Folders } from '../gather/folders.ts';
import { projectLocations } from '../library/project-root.ts';
import { workingFolder } from '../settings/working-folder.ts';
import { unsuitable, whyOffAt } from '../undo/keeper.ts';
import { prune } from '../undo/prune.ts';
import type { UndoRecord } from '../undo/records.ts';
import { projectsIn, StoreFailure, UndoStore } from '../undo/store.ts';
import {
  ON_CONFLICT,
  type OnConflict,
  pathBelow,
  planUndo,
  recordsIn,
  restoredItem,
  applyUndo,
  type UndoRange,
} from '../undo/undo.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly list?: boolean;
  readonly call?: string;
  readonly turn?: string | true;
  readonly session?: string | true;
  readonly to?: string;
  readonly conflicts: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly prune?: boolean;
  readonly all?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('[paths...]', 'Put back only these files and folders')
    .option('--list', 'List calls that changed files, the newest first')
    .option('--call <id>', 'Put back one call, or take an undo back')
    .option('--turn [number]', 'Put back one turn of the session; default: the last')
    .option('--session [id]', 'Put back a whole session; default: the last')
    .option('--to <time>', 'Put back all calls since then: 20m, or 2026-11-19T14:00')
    .option('--conflicts <way>', `Files changed since: ${ON_CONFLICT.join(', ')}`, 'skip')
    .option('--dry-run', 'Show what would be put back and change nothing')
    .option('--yes', 'Put back without a question; needs a terminal all the same')
    .option('--prune', 'Remove old snapshots of all projects')
    .option('--all', 'With --prune: remove all snapshots')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (paths: readonly string[], options: Options) => {
      checkFolder('undo', options.cwd);
      done(await run(paths, options).catch(refuse));
    });
};

function refuse(error: unknown): never {
  throw error instanceof StoreFailure ? new UsageError(`undo: ${error.message}`) : error;
}

async function run(paths: readonly string[], options: Options): Promise<number> {
  const locations = projectLocations(options.cwd === undefined ? {} : { cwd: options.cwd });
  const folders = foldersOf(locations);
  checkTogether(options);
  if (options.prune === true) return pruneAll(folders, options);
  const store = new UndoStore(folders.undo, locations.cwd, undoSettings(locations));
  const all = store.records.all();
  const whyOff = unsuitable(locations.cwd, locations.home) ?? whyOffAt(store);
  if (options.list === true) return list(store, all, whyOff, options);
  const records = recordsIn(all, rangeOf(options));
  if (records.length === 0) throw new UsageError(`undo: ${whyNothing(store, all, whyOff, options)}`);
  const only = paths.map((path) => belowProject(store, path, options));
  return putBack(store, records, only, options);
}

function checkTogether({
  prune: isPrune,
  all,
  list: isList,
  dryRun,
  call,
  turn,
  session,
  to,
}: Options): void {
  const isOther = [isList, dryRun, call, turn, session, to].some((option) => option !== undefined);
  if (isPrune === true && isOther) throw new UsageError('undo: --prune goes only with --all and --json');
  if (isPrune !== true && all === true) throw new UsageError('undo: --all goes only with --prune');
}

async function putBack(
  store: UndoStore,
  records: readonly UndoRecord[],
  only: readonly string[],
  options: Options,
): Promise<number> {
  const { json, dryRun, yes } = options;
  const onConflict = conflictWay(options);
  const plan = await planUndo(store, records, only);
  const isTodo = plan.some((item) => restoredItem(item, onConflict) !== undefined);
  if (json !== true)
    print(undoPlanLines(records, plan, { store, screen: screenFor(options.cwd), onConflict }));
  if (dryRun === true || !isTodo) {
    if (json === true)
      printJson({
        calls: records.map(recordJson),
        items: plan.map((item) => itemJson(store, item)),
        restored: false,
      });
    else if (!isTodo) say(['Nothing to put back.']);
    return isTodo ? 0 : 1;
  }
  checkPerson('undo', process.env);
  if (yes !== true && !isYes(await answerTo('Put this back? [y/N] '))) {
    say(['Nothing was changed.']);
    return 1;
  }
  announce(`undo of ${records.length} calls in ${store.root}`);
  const result = await applyUndo(store, records, { only, onConflict, who: userInfo().username });
  const { restored, skipped, failures, record } = result;
  if (json === true)
    printJson({
      calls: records.map(recordJson),
      items: plan.map((item) => itemJson(store, item)),
      restored: restored.length - failures.length,
      skipped: skipped.map((item) => itemJson(store, item)),
      failures,
      undo: record.id,
    });
  else
    say([
      `${paint('green', 'Done.')} ${restored.length - failures.length} paths were put back, ${skipped.length} skipped.`,
      ...failures.map(({ path, why }) => `${path}: ${why}`),
      `To take this back: anyhook undo --call ${record.id}`,
    ]);
  return failures.length === 0 ? 0 : 1;
}

function rangeOf({ call, turn, session, to }: Options): UndoRange {
  if ([call, turn, to].filter((option) => option !== undefined).length > 1)
    throw new UsageError('undo: --call, --turn and --to exclude each other');
  if (call !== undefined) return { kind: 'call', id: call };
  if (to !== undefined) return { kind: 'since', at: timeOf(to) };
  const named = typeof session === 'string' ? { session } : {};
  if (session !== undefined && turn === undefined) return { kind: 'session', ...named };
  if (turn === undefined || turn === true) return { kind: 'turn', ...named };
  if (!/^[1-9]\d*$/.test(turn)) throw new UsageError(`undo: --turn ${JSON.stringify(turn)} is not a number`);
  return { kind: 'turn', ...named, turn: Number(turn) };
}
function timeOf(text: string): string {
  const ms = /^\d+(?:ms|[smhd])$/.test(text) ? Date.now() - durationMs('undo', text) : Date.parse(text);
  if (!Number.isFinite(ms))
    throw new UsageError(`undo: --to ${JSON.stringify(text)} is not a time; write 20m or 2026-11-19T14:00`);
  return new Date(ms).toISOString();
}
function conflictWay({ conflicts }: Options): OnConflict {
  const way = ON_CONFLICT.find((known) => known === conflicts);
  if (way === undefined)
    throw new UsageError(
      `undo: --conflicts ${JSON.stringify(conflicts)}; expected ${ON_CONFLICT.join(', ')}`,
    );
  return way;
}
function belowProject(store: UndoStore, path: string, { cwd }: Options): string {
  const absolute = isAbsolute(path) ? path : join(realpathSync(cwd ?? workingFolder()), path);
  const below = pathBelow(store, absolute);
  if (below === undefined) throw new UsageError(`undo: ${path} is not below the project ${store.root}`);
  return below;
}

function whyNothing(
  store: UndoStore,
  all: readonly UndoRecord[],
  whyOff: string | undefined,
  { call, session, to }: Options,
): string {
  if (call !== undefined) return `no call has the id ${JSON.stringify(call)}; see anyhook undo --list`;
  if (typeof session === 'string') return `session ${JSON.stringify(session)} changed no files here`;
  if (to !== undefined) return `no call changed files since ${to}`;
  if (whyOff !== undefined) return `undo is off in this project: ${whyOff}`;
  if (all.length > 0) return 'no call has changed files here';
  return existsSync(store.folder)
    ? 'no call is stored for this project any more'
    : 'no snapshot was taken in this project. Switch it on: anyhook add undo';
}

function list(
  store: UndoStore,
  all: readonly UndoRecord[],
  why: string | undefined,
  { json, cwd }: Options,
): number {
  if (json === true)
    printJson({ ...(why !== undefined && { off: why }), calls: all.toReversed().map(recordJson) });
  else {
    if (why !== undefined) say([`Undo is off in this project: ${why}.`]);
    print(
      all.length === 0
        ? ['No snapshots of this project.']
        : callLines(store, all.toReversed(), screenFor(cwd)),
    );
  }
  return 0;
}

async function pruneAll(folders: Folders, options: Options): Promise<number> {
  checkPerson('undo --prune', process.env);
  const totals = { projects: 0, records: 0, objects: 0, bytes: 0 };
  for (const project of projectsIn(folders.undo)) {
    const settings = undoSettings(projectLocations({ cwd: project }));
    const limits = options.all === true ? { keepDays: 0, keepBytes: 0 } : settings;
    const { records, objects, bytes } = await prune(new UndoStore(folders.undo, project, settings), limits);
    totals.projects += 1;
    totals.records += records;
    totals.objects += objects;
    totals.bytes += bytes;
  }
  if (options.json === true) printJson(totals);
  else {
    const { projects, records, objects, bytes } = totals;
    say([`Removed ${records} calls and ${objects} objects with ${bytes} bytes, in ${projects} projects.`]);
  }
  return 0;
}
