/**
 * Finds agents on this machine and their versions. Runs each with `--version` only, in an empty home folder, because some
 * create their folders even then.
 */

import { accessSync, constants, existsSync, lstatSync, mkdtempSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, extname, isAbsolute, join } from 'node:path';
import { OTHER_PROGRAMS } from '../../agents/others.ts';
import type { Agent, AgentProgram } from '../../agents/shared/agent.ts';
import { HOME_VARIABLES } from '../../agents/shared/dialect/home-variables.ts';
import type { Locations } from '../../events/dialect.ts';
import { homeOf } from '../../gather/moved.ts';
import { removeTree } from '../../settings/remove-tree.ts';
import { runToEnd } from './run-program.ts';

export interface FoundAgent {
  /** Name of its program. */
  readonly program: string;
  /** Our name for the agent; undefined if there is no bridge for it. */
  readonly agent?: string;
  readonly file: string;
  readonly version?: string;
  /** Why its version is unknown. */
  readonly why?: string;
  /** Other programs with the same name, which start if the agent is launched another way. */
  readonly others?: readonly Pick<FoundAgent, 'file' | 'version' | 'why'>[];
}

/** Folders where installers put programs without changing the PATH. */
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
    const [first, ...others] = await Promise.all(
      programsIn(name, locations, places).map(async (file) => ({
        file,
        ...(await versionOf(file, { ...locations.env, ...quiet })),
      })),
    );
    if (first === undefined) return [];
    const known = { program: name, ...(agent !== undefined && { agent }), ...first };
    return [others.length === 0 ? known : { ...known, others }];
  });
  return (await Promise.all(found)).flat();
}

/** Agents that a bridge can be installed into. Starts none of them. */
export const agentsHere = (locations: Locations, known: readonly Agent[]): readonly Agent[] =>
  known.filter(({ program: { name, places } }) => onPath(name, locations, places) !== undefined);

/** The first executable: on the PATH, then in the agent's own folders, then in the usual ones. */
export const onPath = (
  program: string,
  locations: Locations,
  places: readonly string[] = [],
): string | undefined => candidates(program, locations, places).find(isProgram);

function candidates(program: string, { home, env }: Locations, places: readonly string[]): string[] {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const usual = [...places, ...PLACES].map((place) => place.replace(/^~/, home));
  return [...folders, ...usual].flatMap((folder) => namesOf(program, env).map((name) => join(folder, name)));
}

/** On Windows the extension decides whether a file is a program. */
function namesOf(program: string, env: Locations['env']): readonly string[] {
  if (process.platform !== 'win32') return [program];
  const extensions = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';').filter(Boolean);
  return extensions.includes(extname(program).toLowerCase())
    ? [program]
    : extensions.map((extension) => `${program}${extension}`);
}

/** All executables, each once even if several links lead to it. If there are none, a broken link. */
function programsIn(program: string, locations: Locations, places: readonly string[]): string[] {
  const all = candidates(program, locations, places);
  const programs = all.filter(isProgram);
  const real = programs.map((file) => realpathSync(file));
  const found = programs.filter((_, at) => real.indexOf(real[at]!) === at);
  return found.length > 0 ? found : all.filter(leadsNowhere).slice(0, 1);
}

const leadsNowhere = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(file);

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(realpathSync(file)).isFile();
  } catch {
    return false;
  }
}

/** Version managers start the real program from these folders of the user's home. */
const VERSION_MANAGERS: Readonly<Record<string, string>> = {
  VOLTA_HOME: '.volta',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  MISE_CONFIG_DIR: '.config/mise',
  PROTO_HOME: '.proto',
};

/** The environment with another home folder, in which version managers still work. */
function withHome(home: string, env: Locations['env']): Locations['env'] {
  const own = Object.values(HOME_VARIABLES).flat();
  const kept = Object.entries(env).filter(([name]) => !own.includes(name) && !name.startsWith('XDG_'));
  const before = homeOf(env);
  const managers = Object.entries(VERSION_MANAGERS)
    .map(([name, folder]) => [name, join(before ?? home, folder)] as const)
    .filter(([name, folder]) => env[name] === undefined && existsSync(folder));
  return { ...Object.fromEntries([...managers, ...kept]), HOME: home, USERPROFILE: home };
}

async function versionOf(file: string, env: Locations['env']): Promise<Pick<FoundAgent, 'version' | 'why'>> {
  if (leadsNowhere(file)) return { why: 'it is half installed: the link leads nowhere' };
  const home = mkdtempSync(join(tmpdir(), 'anyhook-version-'));
  const ended = await runToEnd([file, '--version'], {
    cwd: home,
    env: withHome(home, env),
    timeoutMs: VERSION_MS,
  }).finally(() => removeTree(home));
  // In a half-installed agent the interpreter answers, and the version in its output is its own.
  const [version] = (ended.code === 0 && /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(ended.output)) || [];
  if (version !== undefined) return { version };
  if (ended.why !== undefined) return { why: ended.why };
  const errorLine = /^.*\berror\b.*$/im.exec(ended.output)?.[0].trim().slice(0, 120);
  return {
    why: `--version ended with ${ended.code} and named none${errorLine === undefined ? '' : `: ${errorLine}`}`,
  };
}
