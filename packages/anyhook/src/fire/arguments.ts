/** The arguments of `anyhook fire`. */

import { nearOrAll, UsageError } from '../console/usage.ts';
import { DIALECTS } from '../dialects.ts';
import type { Dialect } from '../events/dialect.ts';

export interface FireArguments {
  readonly dialect: Dialect;
  readonly event?: string;
  readonly host?: { readonly name: string; readonly version?: string };
  readonly project?: string;
  readonly deadlineMs?: number;
  readonly strict: boolean;
  readonly json: boolean;
  readonly hashes: readonly string[];
}

const VALUES = ['--as', '--host', '--project', '--cwd', '--deadline-ms', '--trust'] as const;
/** Written by the launcher of versions before 0.2, and ignored: an upgrade must not break installed bridges. */
const IGNORED = '--engine';

const SWITCHES = ['--strict', '--json'] as const;
export function fireArguments(argv: readonly string[]): FireArguments {
  const words = argv.flatMap((word) =>
    /^--[a-z-]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word],
  );
  const values = new Map<string, string[]>();
  const events: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === IGNORED) i += 1;
    else if (isOneOf(VALUES, word)) {
      const value = words[++i];
      if (value === undefined) throw new UsageError(`fire: ${word} needs a value`);
      values.set(word, [...(values.get(word) ?? []), value]);
    } else if (isOneOf(SWITCHES, word)) values.set(word, ['']);
    else if (word.startsWith('-'))
      throw new UsageError(`fire: unknown option ${word}; known are ${[...VALUES, ...SWITCHES].join(', ')}`);
    else events.push(word);
  }
  if (events.length > 1)
    throw new UsageError(`fire: one event at a time, not ${JSON.stringify(events[1])} as well`);
  const last = (option: (typeof VALUES)[number]) => values.get(option)?.at(-1);
  const as = last('--as');
  if (as === undefined) throw new UsageError('fire: --as <dialect> says in whose words the event comes');
  const [event] = events;
  const project = last('--project') ?? last('--cwd');
  const deadline = last('--deadline-ms');
  const host = last('--host');
  return {
    dialect: dialectOf(as),
    strict: values.has('--strict'),
    json: values.has('--json'),
    hashes: values.get('--trust') ?? [],
    ...(event !== undefined && { event }),
    ...(project !== undefined && { project }),
    ...(host !== undefined && { host: hostIn(host) }),
    ...(deadline !== undefined && { deadlineMs: millisecondsIn(deadline) }),
  };
}

const isOneOf = <T extends string>(list: readonly T[], word: string): word is T =>
  (list as readonly string[]).includes(word);

/** `goose` or `goose@1.41.0`. */
function hostIn(text: string): NonNullable<FireArguments['host']> {
  const [name = '', version] = text.split('@');
  if (name === '') throw new UsageError('fire: --host needs the name of an agent');
  return version === undefined || version === '' ? { name } : { name, version };
}

function millisecondsIn(text: string): number {
  const ms = Number(text);
  if (Number.isFinite(ms) && ms > 0) return ms;
  throw new UsageError(
    `fire: --deadline-ms must be a number of milliseconds above 0, not ${JSON.stringify(text)}`,
  );
}

export function dialectOf(name: string): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const known = DIALECTS.map((dialect) => dialect.name);
  throw new UsageError(`fire: unknown dialect ${JSON.stringify(name)}; ${nearOrAll(name, known)}`);
}
