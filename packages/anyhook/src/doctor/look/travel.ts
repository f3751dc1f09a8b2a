/**
 * Measures what answers an event of an agent that starts a command, and how long that takes here. Runs none of the user's
 * hooks.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS } from '../../agents/index.ts';
import type { Agent } from '../../agents/shared/agent.ts';
import { clientFiles } from '../../agents/shared/client-command.ts';
import { daemonState } from '../../daemon/ask-daemon.ts';
import { daemonPlaceOf, daemonObstacle } from '../../daemon/place.ts';
import { isDaemonOff } from '../../daemon/setting.ts';
import type { Locations } from '../../events/dialect.ts';
import { setupFor } from '../../install/setup.ts';

export interface EventTravel {
  /** What answers: the daemon, a program per event, or the agent's own process, which loads our module. */
  readonly by: 'daemon' | 'program' | 'agent';
  /** From the start of the agent's command, or its call, to the answer, without the time of hooks. */
  readonly ms: number;
  readonly why: string;
}

const ROUNDS = 3;
/** Any agent that starts a command: all of them take the same path. */
const AGENT = Object.values<Agent>(AGENTS).find(({ inside }) => inside === null)!.name;
const ANSWER_MS = 2000;

export async function eventTravel(locations: Locations): Promise<EventTravel> {
  const place = daemonPlaceOf(locations);
  const state = await daemonState(place, ANSWER_MS);
  const client = clientFiles({ home: locations.home }).find((file) => existsSync(file));
  const home = mkdtempSync(join(tmpdir(), 'anyhook-doctor-'));
  try {
    if (typeof state === 'object' && client !== undefined)
      return { by: 'daemon', ms: measured([client, AGENT], home), why: `pid ${state.pid}` };
    const { node, bin } = setupFor('closed');
    const obstacle = isDaemonOff(locations) ? 'the daemon is switched off' : daemonObstacle(place);
    const why = obstacle ?? 'the daemon is not running; the first event starts it';
    return { by: 'program', ms: measured([node, bin, 'bridge', AGENT], home), why };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The median for an event without listeners, in a home folder without hooks. */
function measured([program, ...args]: readonly string[], home: string): number {
  const input = JSON.stringify({ hook_event_name: 'Stop', session_id: 'doctor', cwd: home });
  const times = Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now();
    spawnSync(program!.endsWith('.cmd') ? `"${program}"` : program!, args, {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, ...onWindows(home) },
      input,
      timeout: 20_000,
      // On Windows a batch file needs its interpreter.
      ...(program!.endsWith('.cmd') && { shell: true, windowsHide: true }),
    });
    return performance.now() - startMs;
  });
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]! * 10) / 10;
}

/** Node does not start on Windows without the first variable. */
const onWindows = (home: string): Record<string, string | undefined> =>
  process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'], USERPROFILE: home } : {};
