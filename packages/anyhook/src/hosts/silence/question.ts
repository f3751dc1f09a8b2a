/** What decides whether an event can pass in silence, told from the command line, the payload and the environment alone. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { hasKeysTwice } from '../../canon/keys-twice.ts';
import { folderOf } from '../fire/folder.ts';
import { fingerprint } from './fingerprint.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Question {
  /** All that the answer depends on, besides files, folders and variables: those are remembered with it. */
  readonly key: string;
  /** Where the answer is remembered. */
  readonly file: string;
  readonly folder: string;
  /** The event's name, as the agent says it. */
  readonly word: string;
}

const NAMES = ['hook_event_name', 'event', 'type', 'name'] as const;
const TAKES_VALUE = /^--(?:as|host|project|cwd|deadline-ms|trust|engine)$/;

/** Whose event it is. */
export interface Asking {
  readonly env: Env;
  /** Where it was asked; our own folder where nothing else is said. */
  readonly here?: () => string;
  readonly build: string;
}

/** Undefined when this is not what an installed entry sends, or there is no home folder: the full command line takes over. */
export function questionOf(
  argv: readonly string[],
  text: string,
  { env, here, build }: Asking,
): Question | undefined {
  const said = optionsIn(argv);
  const home = env['HOME'] ?? '';
  if (said === undefined || !isAbsolute(home) || !existsSync(home)) return undefined;
  let native: Record<string, unknown>;
  try {
    native = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  if (typeof native !== 'object' || native === null || Array.isArray(native)) return undefined;
  if (hasKeysTwice(text, native)) return undefined; // which event it is may be a matter of who reads
  const word = said.event ?? NAMES.map((name) => native[name]).find((value) => typeof value === 'string');
  if (typeof word !== 'string') return undefined;
  const folder = folderOf(said.project, native['cwd'] ?? native['working_dir'], here);
  const key = JSON.stringify([build, home, folder, said.as, said.host ?? '', process.platform]);
  const state = env['XDG_STATE_HOME'] ?? '';
  const kept = join(isAbsolute(state) ? state : join(home, '.local', 'state'), 'anyhook', 'quick');
  if (isWithin(folder, kept)) return undefined; // what a project could bring along is no memory of ours
  return { key, word, folder, file: join(kept, `${fingerprint(key)}.json`) };
}

/** Where they really are, as far as they are there. */
function isWithin(folder: string, path: string): boolean {
  const [outer, inner] = [really(folder), really(path)];
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}
function really(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(really(parent), basename(path));
  }
}

interface FireFlags {
  readonly as: string;
  readonly event?: string;
  readonly host?: string;
  readonly project?: string;
}
/** Only what an installed entry says; anything else goes to the full command line, which says what is wrong with it. */
function optionsIn(argv: readonly string[]): FireFlags | undefined {
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
  return said['as'] === undefined ? undefined : (said as unknown as FireFlags); // its keys are the options above
}
