/** Agents on this machine, and their versions. Each is asked `--version` and nothing else. */
import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, extname, isAbsolute, join } from 'node:path';
import type { Locations } from '../../events/dialect.ts';
import { OTHER_PROGRAMS } from '../../agents/others.ts';
import type { Agent, AgentProgram } from '../../agents/shared/agent.ts';
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
  /** Further programs of that name: who starts it by another way gets one of these. */
  readonly others?: readonly Pick<FoundAgent, 'file' | 'version' | 'why'>[];
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

/** Those that a bridge can be put into, without starting any. */
export const agentsHere = (locations: Locations, known: readonly Agent[]): readonly Agent[] =>
  known.filter(({ program: { name, places } }) => onPath(name, locations, places) !== undefined);

/** The first that may be started: of the PATH, then of its own places, then of the usual ones. */
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

/** All that may be started, each once, whatever links lead to it; where there is none, a link that leads nowhere. */
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

async function versionOf(file: string, env: Locations['env']): Promise<Pick<FoundAgent, 'version' | 'why'>> {
  if (leadsNowhere(file)) return { why: 'it is half installed: the link leads nowhere' };
  const ended = await runToEnd([file, '--version'], {
    cwd: tmpdir(),
    env,
    timeoutMs: VERSION_MS,
  });
  // Of one that is half installed, what answers is the interpreter, and the version in its words is its own.
  const [version] = (ended.code === 0 && /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(ended.output)) || [];
  if (version !== undefined) return { version };
  if (ended.why !== undefined) return { why: ended.why };
  const said = /^.*\berror\b.*$/im.exec(ended.output)?.[0].trim().slice(0, 120);
  return {
    why: `--version ended with ${ended.code} and named none${said === undefined ? '' : `: ${said}`}`,
  };
}
