/**
 * Remembers when the bridge of each agent was last called, so that doctor can name a bridge that an update has cut off.
 * There is one file per agent and version. Its modification time is the last call, and it contains the session.
 */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BridgeCall {
  /** Undefined: the agent did not reveal its version. */
  readonly version?: string;
  readonly atMs: number;
}

interface NewCall {
  readonly agent: string;
  readonly session: string;
  readonly version: string | undefined;
}

/** Characters that are safe in a file name. */
const VERSION = /^\d[\w.+-]{0,63}$/;

/** Writes only for the first call of a session. A failure is ignored: it may only cost a needless warning of doctor. */
export function noteBridgeCall(folder: string, { agent, session, version = '' }: NewCall): void {
  const file = join(folder, `${agent}@${VERSION.test(version) ? version : ''}`);
  try {
    if (session !== '' && textOf(file) === session) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, session, { mode: 0o600 });
  } catch {
    // the folder cannot be written
  }
}

/** The newest first. */
export function bridgeCallsOf(folder: string, agent: string): readonly BridgeCall[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(`${agent}@`))
    .flatMap((name): BridgeCall[] => {
      const version = name.slice(agent.length + 1);
      const atMs = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
      return atMs === undefined ? [] : [{ atMs, ...(version !== '' && { version }) }];
    })
    .toSorted((a, b) => b.atMs - a.atMs);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // no call yet
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no call yet
  }
}
