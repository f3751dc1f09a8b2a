/** Which way an event of an agent that starts a command goes here, and what that costs. Runs no hook of anybody. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locations } from '../../../canon/dialect.ts';
import { quoted } from '../../../agents/shared/command-line.ts';
import { setupFor } from '../../install/setup.ts';
import { engineFolder } from '../../warm/engine-folder.ts';
import { askStatus } from '../../warm/owner.ts';
import { enginePlaces, obstacleTo } from '../../warm/places.ts';
import { isEngineOff } from '../../warm/switched-off.ts';

export interface EventTravel {
  /** Who answers: the engine that runs, a program that is started for each event, or the agent's own process, which loads us. */
  readonly by: 'engine' | 'program' | 'agent';
  /** From the start of the agent's line, or its call, to an answer, without the time that hooks take. */
  readonly ms: number;
  readonly why: string;
}

const ROUNDS = 3;

export async function eventTravel(locations: Locations): Promise<EventTravel> {
  const { node, bin, nc } = setupFor('closed');
  const places = enginePlaces(engineFolder(locations));
  const status = await askStatus(places, 2000);
  if (status !== undefined && nc !== undefined) {
    const ask = `printf 'anyhook 1 status\\n' | ${quoted(nc)} -NU -w 3 ${quoted(places.socket)}`;
    return { by: 'engine', ms: measured(ask, {}), why: `pid ${status.pid}, asked by ${nc}` };
  }
  const home = mkdtempSync(join(tmpdir(), 'anyhook-doctor-'));
  try {
    const fire = `echo '{"hook_event_name":"Stop"}' | ${quoted(node)} ${quoted(bin)} fire --as claude-code --project ${quoted(home)}`;
    const ms = measured(fire, { HOME: home });
    if (status !== undefined)
      return { by: 'engine', ms, why: `pid ${status.pid}, asked by Node: no nc of OpenBSD` };
    const obstacle = isEngineOff(locations) ? 'the engine is switched off' : obstacleTo(places);
    return {
      by: 'program',
      ms,
      why: obstacle ?? 'no engine runs; the first event starts one',
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The median. */
function measured(script: string, more: Readonly<Record<string, string>>): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    spawnSync('/bin/sh', ['-c', script], {
      env: { PATH: process.env['PATH'], ...more },
      stdio: 'ignore',
      timeout: 20_000,
    });
    return performance.now() - began;
  });
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]! * 10) / 10;
}
