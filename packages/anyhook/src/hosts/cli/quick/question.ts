/** What decides whether an event can pass in silence, told from the command line, the payload and the environment alone. */
import { isAbsolute, join, resolve } from 'node:path';
import { fingerprint } from './fingerprint.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Question {
  /** All that the answer depends on, besides files, folders and variables. */
  readonly key: string;
  /** Where the answer is remembered. */
  readonly file: string;
  readonly project: string;
  /** The event's name, as the agent says it. */
  readonly word: string;
}

/** Where an agent says which folder its session is about; only its own word counts, not that of one around it. */
const PROJECT: Readonly<Record<string, string>> = {
  'claude-code': 'CLAUDE_PROJECT_DIR',
  'claude-agent-sdk': 'CLAUDE_PROJECT_DIR',
  'gemini-cli': 'GEMINI_PROJECT_DIR',
  gemini: 'GEMINI_PROJECT_DIR',
};
const NAMES = ['hook_event_name', 'event', 'type', 'name'] as const;
const TAKES_VALUE = /^--(?:as|host|project|cwd|deadline-ms|trust)$/;

/** The project: what `--project` says, then the agent's own variable, then the event, then where we are. */
export function projectOf(said: string | undefined, as: string, env: Env, cwd: unknown): string {
  const told = env[PROJECT[as] ?? ''] ?? '';
  if (said !== undefined) return resolve(said);
  if (isAbsolute(told)) return told;
  return typeof cwd === 'string' && cwd !== '' ? resolve(cwd) : process.cwd();
}

/** Nothing where the short way does not know the road: then the long one is gone. */
export function questionOf(
  argv: readonly string[],
  text: string,
  env: Env,
  build: string,
): Question | undefined {
  const said = optionsIn(argv);
  const home = env['HOME'] ?? '';
  if (said === undefined || !isAbsolute(home)) return undefined;
  let native: Record<string, unknown>;
  try {
    native = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  if (typeof native !== 'object' || native === null || Array.isArray(native)) return undefined;
  const word = said.event ?? NAMES.map((name) => native[name]).find((value) => typeof value === 'string');
  if (typeof word !== 'string') return undefined;
  const project = projectOf(said.project, said.as, env, native['cwd'] ?? native['working_dir']);
  const key = JSON.stringify([build, home, project, said.as, said.host ?? '', process.platform]);
  const state = env['XDG_STATE_HOME'] ?? '';
  const folder = join(isAbsolute(state) ? state : join(home, '.local', 'state'), 'anyhook', 'quick');
  return { key, word, project, file: join(folder, `${fingerprint(key)}.json`) };
}

interface Said {
  readonly as: string;
  readonly event?: string;
  readonly host?: string;
  readonly project?: string;
}
/** Only what an installed entry says; anything else takes the long way, which knows what is wrong with it. */
function optionsIn(argv: readonly string[]): Said | undefined {
  const said: Record<string, string> = {};
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    const at = word.indexOf('=');
    const [name, value] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined];
    if (TAKES_VALUE.test(name)) {
      const given = value ?? argv[++i];
      if (given === undefined || name === '--trust') return undefined;
      said[name === '--cwd' ? 'project' : name.slice(2)] = given;
    } else if (name === '--strict' && value === undefined) continue;
    else if (name.startsWith('-') || said['event'] !== undefined) return undefined;
    else said['event'] = name;
  }
  return said['as'] === undefined ? undefined : (said as unknown as Said); // its keys are the options above
}
