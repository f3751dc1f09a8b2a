/** Starts an engine, and waits for nothing: the event that came first is answered by whoever starts it. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../settings/make-folder.ts';
import { buildMark } from './build-mark.ts';
import { isRunning, ownerIn } from './owner.ts';
import { type EnginePlaces, enginePlaces, isBeingStarted, obstacleTo } from './places.ts';

const PROGRAM = fileURLToPath(new URL('./engine-program.js', import.meta.url));
/** What the engine itself needs; every session's process gets the environment of its own clients. */
const CLEAN = ['HOME', 'USER', 'LOGNAME', 'PATH', 'LANG', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'];

/** It holds one event at a time, and for long: what it no longer needs is given back early. */
const SMALL = ['--max-semi-space-size=1'];

export interface StartOptions {
  /** A client waited for an answer in vain: whoever listens there may be stuck. */
  readonly isSilent?: boolean;
}

export function startEngine(folder: string, { isSilent = false }: StartOptions = {}): void {
  const places = enginePlaces(folder);
  if (obstacleTo(places) !== undefined) return;
  const owner = ownerIn(places.owner);
  if (!isSilent && owner?.build === buildMark() && isRunning(owner)) return;
  try {
    makeFolder(places.spool);
    if (!takeTurn(places)) return;
    spawn(process.execPath, [...SMALL, PROGRAM, folder], {
      cwd: '/',
      detached: true,
      stdio: 'ignore',
      env: Object.fromEntries(
        CLEAN.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
      ),
    })
      .on('error', () => {})
      .unref();
  } catch {
    // a disk that takes nothing: every event goes the cold way
  }
}

/** Of ten at once one starts an engine. Its turn ends when the engine listens, or after a while. */
function takeTurn(places: EnginePlaces): boolean {
  if (!isBeingStarted(places)) rmSync(places.starting, { force: true });
  try {
    closeSync(openSync(places.starting, 'wx', 0o600));
    return true;
  } catch {
    return false;
  }
}
