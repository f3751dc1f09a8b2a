/** Agents on this machine, and their versions. Each is asked `--version` and nothing else. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Ground } from '../../../canon/dialect.ts';
import type { AgentName } from '../../../agents/capabilities.ts';
import { runProgram } from './run-program.ts';

export interface FoundAgent {
  /** The name of its program. */
  readonly program: string;
  /** Under which we know it; undefined: there is no bridge for it. */
  readonly agent?: AgentName;
  readonly file: string;
  readonly version?: string;
  /** Why its version is not known. */
  readonly why?: string;
}

export const PROGRAMS: Readonly<Record<string, AgentName | null>> = {
  claude: 'claude-code',
  opencode: 'opencode',
  pi: 'pi',
  omp: 'oh-my-pi',
  goose: 'goose',
  codex: 'codex',
  gemini: 'gemini-cli',
  qwen: null,
};

/** Where installers put them when the PATH does not say so. */
const PLACES: readonly string[] = [
  '~/.local/bin',
  '~/.claude/local',
  '~/.opencode/bin',
  '~/.bun/bin',
  '~/.npm-global/bin',
  '~/.volta/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
];
const VERSION_MS = 20_000;
/** Some look for a newer one before they answer. */
const QUIET = {
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  PI_SKIP_VERSION_CHECK: '1',
  NO_UPDATE_NOTIFIER: '1',
};

export async function findAgents(ground: Ground): Promise<FoundAgent[]> {
  const found = Object.entries(PROGRAMS).flatMap(([program, agent]) => {
    const file = onPath(program, ground);
    return file === undefined ? [] : [{ program, file, ...(agent !== null && { agent }) }];
  });
  return Promise.all(found.map(async (one) => ({ ...one, ...(await versionOf(one.file, ground)) })));
}

/** The first that may be started: of the PATH, then of the usual places. */
export function onPath(program: string, { home, env }: Ground): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const usual = PLACES.map((place) => place.replace(/^~/, home));
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

async function versionOf(file: string, { env }: Ground): Promise<Pick<FoundAgent, 'version' | 'why'>> {
  const ended = await runProgram([file, '--version'], {
    cwd: tmpdir(),
    env: { ...env, ...QUIET },
    timeoutMs: VERSION_MS,
  });
  const [version] = /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(ended.output) ?? [];
  if (version !== undefined) return { version };
  return { why: ended.why ?? `--version ended with ${ended.code} and named none` };
}
