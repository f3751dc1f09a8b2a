/** The words after `anyhook fire`, read by hand: a parser library would cost more than a fire that finds no hook. */
import { isAbsolute } from 'node:path';
import { DIALECTS } from '../../assemble.ts';
import type { Dialect } from '../../canon/dialect.ts';
import { nearOrAll, UsageError } from '../console/usage.ts';

export interface FireArguments {
  readonly dialect: Dialect;
  readonly event?: string;
  readonly host?: { readonly name: string; readonly version?: string };
  readonly project?: string;
  readonly deadlineMs?: number;
  readonly strict: boolean;
  readonly json: boolean;
  /** Said by our own launcher. */
  readonly engine?: EngineOrder;
  readonly hashes: readonly string[];
}

const VALUES = ['--as', '--host', '--project', '--cwd', '--deadline-ms', '--trust'] as const;
const SWITCHES = ['--strict', '--json'] as const;
const ENGINE_WORDS = ['ask', 'start', 'replace', 'lost', 'off'] as const;

export interface EngineOrder {
  /**
   * `ask`: whoever starts for this event asks the engine first; `start`: an engine shall answer the events to come; `replace`:
   * the one that is there was asked in vain; `lost`: it took this event and its answer is lost, so no hook is started again,
   * each has failed; `off`: none is asked or started, as a user could put another in its place.
   */
  readonly word: (typeof ENGINE_WORDS)[number];
  readonly folder: string;
}

export function askedIn(argv: readonly string[]): FireArguments {
  const words = argv.flatMap((word) =>
    /^--[a-z-]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word],
  );
  const said = new Map<string, string[]>();
  const events: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (isOneOf(VALUES, word) || word === '--engine') {
      const value = words[++i];
      if (value === undefined) throw new UsageError(`fire: ${word} wants a value`);
      said.set(word, [...(said.get(word) ?? []), value]);
    } else if (isOneOf(SWITCHES, word)) said.set(word, ['']);
    else if (word.startsWith('-'))
      throw new UsageError(`fire: unknown option ${word}; known are ${[...VALUES, ...SWITCHES].join(', ')}`);
    else events.push(word);
  }
  if (events.length > 1)
    throw new UsageError(`fire: one event at a time, not ${JSON.stringify(events[1])} as well`);
  const last = (option: (typeof VALUES)[number] | '--engine') => said.get(option)?.at(-1);
  const as = last('--as');
  if (as === undefined) throw new UsageError('fire: --as <dialect> says in whose words the event comes');
  const [event] = events;
  const project = last('--project') ?? last('--cwd');
  const deadline = last('--deadline-ms');
  const host = last('--host');
  const engine = orderIn(last('--engine') ?? '');
  return {
    dialect: dialectOf(as),
    strict: said.has('--strict'),
    json: said.has('--json'),
    hashes: said.get('--trust') ?? [],
    ...(engine !== undefined && { engine }),
    ...(event !== undefined && { event }),
    ...(project !== undefined && { project }),
    ...(host !== undefined && { host: hostIn(host) }),
    ...(deadline !== undefined && { deadlineMs: millisecondsIn(deadline) }),
  };
}

const isOneOf = <T extends string>(list: readonly T[], word: string): word is T =>
  (list as readonly string[]).includes(word);

/** `start:/home/me/.local/state/anyhook/engine`. */
function orderIn(text: string): EngineOrder | undefined {
  const at = text.indexOf(':');
  const [word, folder] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  return isOneOf(ENGINE_WORDS, word) && isAbsolute(folder) ? { word, folder } : undefined;
}

/** `goose` or `goose@1.41.0`. */
function hostIn(text: string): NonNullable<FireArguments['host']> {
  const [name = '', version] = text.split('@');
  if (name === '') throw new UsageError('fire: --host wants the name of an agent');
  return version === undefined || version === '' ? { name } : { name, version };
}

function millisecondsIn(text: string): number {
  const ms = Number(text);
  if (Number.isFinite(ms) && ms > 0) return ms;
  throw new UsageError(
    `fire: --deadline-ms wants a number of milliseconds above 0, not ${JSON.stringify(text)}`,
  );
}

export function dialectOf(name: string): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const known = DIALECTS.map((dialect) => dialect.name);
  throw new UsageError(`fire: no dialect is called ${JSON.stringify(name)}; ${nearOrAll(name, known)}`);
}
