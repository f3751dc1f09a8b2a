/** Agents on this machine, and their versions. Each is asked `--version` and nothing else. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Locations } from '../../../canon/dialect.ts';
import { OTHER_PROGRAMS } from '../../../agents/others.ts';
import type { Agent, AgentProgram } from '../../../agents/shared/agent.ts';
import { runToEnd } from './run-program.ts';

export interface FoundAgent {
  /** The name of its program. */
  readonly program: string;
  /** Under which we know it; undefined: there is no bridge for it. */
  readonly agent?: string;
  readonly file: string;
  readonly version?: string;
  /** Why its version is not known. */
  readonly why?: string;
}

/** Where installers put programs when the PATH does not say so. */
const PLACES: readonly string[] = [
  '~/.local/bin',
  '~/.bun/bin',
  '~/.npm-global/bin',
  '~/.volta/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
];
const VERSION_MS = 20_000;

type WantedProgram = Omit<AgentProgram, 'npm'> & { readonly agent?: string };

export async function findAgents(locations: Locations, known: readonly Agent[]): Promise<FoundAgent[]> {
  const wanted: readonly WantedProgram[] = [
    ...known.map(({ name, program }) => ({ ...program, agent: name })),
    ...OTHER_PROGRAMS.map((name) => ({ name, places: [], quiet: {} })),
  ];
  const found = wanted.map(async ({ name, places, quiet, agent }): Promise<FoundAgent[]> => {
    const file = onPath(name, locations, places);
    if (file === undefined) return [];
    const version = await versionOf(file, { ...locations.env, ...quiet });
    return [{ program: name, ...(agent !== undefined && { agent }), file, ...version }];
  });
  return (await Promise.all(found)).flat();
}

/** Those that a bridge can be put into, without starting any. */
export const agentsHere = (locations: Locations, known: readonly Agent[]): readonly Agent[] =>
  known.filter(({ program: { name, places } }) => onPath(name, locations, places) !== undefined);

/** The first that may be started: of the PATH, then of its own places, then of the usual ones. */
export function onPath(
  program: string,
  { home, env }: Locations,
  places: readonly string[] = [],
): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const usual = [...places, ...PLACES].map((place) => place.replace(/^~/, home));
  return [...folders, ...usual].map((folder) => join(folder, program)).find(isProgram);
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(realpathSync(file)).isFile();
  } catch {
    return false;
  }
}

async function versionOf(file: string, env: Locations['env']): Promise<Pick<FoundAgent, 'version' | 'why'>> {
  const ended = await runToEnd([file, '--version'], {
    cwd: tmpdir(),
    env,
    timeoutMs: VERSION_MS,
  });
  const [version] = /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(ended.output) ?? [];
  if (version !== undefined) return { version };
  return { why: ended.why ?? `--version ended with ${ended.code} and named none` };
}
