/** `anyhook fire --as <dialect> [event]`: that dialect's payload on stdin, all hooks applied, its answer out. */
import { readFileSync } from 'node:fs';
import { DIALECTS } from '../../assemble.ts';
import type { Dialect } from '../../canon/dialect.ts';
import type { Event } from '../../canon/event.ts';
import { nearest } from '../../canon/problems.ts';
import type { Reply } from '../../canon/exchange.ts';
import { createHooks } from '../library/create-hooks.ts';
import { checkFolder } from './folder.ts';
import { UsageError } from './usage-error.ts';

interface Asked {
  readonly dialect: Dialect;
  readonly event?: string;
  readonly json: boolean;
  readonly cwd?: string;
  readonly hashes: readonly string[];
}

/** The answer is the dialect's own: what it prints and its exit code. With `--json`, the whole outcome and exit 0 or 1. */
export async function fire(argv: readonly string[]): Promise<number> {
  const asked = parse(argv);
  const event = eventFrom(asked, readStdin());
  checkFolder('fire', asked.cwd);
  const cwd = asked.cwd ?? (event.scene.cwd || process.cwd());
  const hooks = await createHooks({
    host: { name: asked.dialect.name, can: asked.dialect.can },
    cwd,
    mode: 'one-shot',
    ...(asked.hashes.length > 0 && { trust: { hashes: asked.hashes } }),
    services: { log: (level, message) => void process.stderr.write(`anyhook: ${level}: ${message}\n`) },
  });
  const { name, payload, ids, scene, raw } = event;
  const outcome = await hooks.fire({ name, payload, ids: sessionOf(ids), scene: { ...scene, cwd }, raw });
  await hooks.close();
  if (asked.json) {
    process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
    return outcome.verdict === 'deny' ? 1 : 0;
  }
  return speak(asked.dialect.output.write(outcome, event));
}

function speak(reply: Reply): number {
  if (reply.kind !== 'exited') throw new TypeError(`a ${reply.kind} reply cannot be printed`);
  if (reply.stdout !== '')
    process.stdout.write(reply.stdout.endsWith('\n') ? reply.stdout : `${reply.stdout}\n`);
  if (reply.stderr !== '')
    process.stderr.write(reply.stderr.endsWith('\n') ? reply.stderr : `${reply.stderr}\n`);
  return reply.code;
}

const sessionOf = (ids: Event['ids']) => (ids.session === '' ? {} : ids);

/** By hand: a parser library would cost more than the rest of a fire that finds no hook. */
function parse(argv: readonly string[]): Asked {
  const words = argv.flatMap((word) =>
    /^--[a-z-]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word],
  );
  let [as, event, cwd]: (string | undefined)[] = [];
  let json = false;
  const hashes: string[] = [];
  const value = (i: number, option: string) => {
    const next = words[i + 1];
    if (next === undefined) throw new UsageError(`fire: ${option} wants a value`);
    return next;
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--as') as = value(i++, word);
    else if (word === '--cwd') cwd = value(i++, word);
    else if (word === '--trust') hashes.push(value(i++, word));
    else if (word === '--json') json = true;
    else if (word.startsWith('-'))
      throw new UsageError(`fire: unknown option ${word}; known are --as, --cwd, --trust, --json`);
    else if (event === undefined) event = word;
    else throw new UsageError(`fire: one event at a time, not ${JSON.stringify(word)} as well`);
  }
  if (as === undefined) throw new UsageError('fire: --as <dialect> says in whose words the event comes');
  return {
    dialect: dialectOf(as),
    json,
    hashes,
    ...(event !== undefined && { event }),
    ...(cwd !== undefined && { cwd }),
  };
}

export function dialectOf(name: string): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const known = DIALECTS.map((dialect) => dialect.name);
  const near = nearest(name, known);
  throw new UsageError(
    `fire: no dialect is called ${JSON.stringify(name)}; ${near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`}`,
  );
}

function readStdin(): string {
  if (process.stdin.isTTY) return '';
  try {
    return readFileSync(0, 'utf8');
  } catch (error) {
    if (['EAGAIN', 'EOF', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw new UsageError(`fire: standard input cannot be read: ${(error as Error).message}`);
  }
}

function eventFrom({ dialect, event: word }: Asked, text: string): Event {
  const words = Object.values(dialect.words).flatMap((list) => list ?? []);
  if (word !== undefined && !words.includes(word)) {
    const near = nearest(word, words);
    throw new UsageError(
      `fire: ${dialect.name} has no event ${JSON.stringify(word)}; ${near === undefined ? `known are ${words.join(', ')}` : `did you mean ${near}?`}`,
    );
  }
  const native = jsonIn(text);
  try {
    return native === undefined
      ? fromVariables(dialect, word)
      : dialect.payload.read(named(native, word), process.env);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`fire: ${(error as Error).message}`);
  }
}

function jsonIn(text: string): object | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`fire: standard input is no JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError('fire: a JSON object is expected on standard input');
}

/** The name of the event, where the payload's own dialect has it. */
const keyFor = (word: string): string => (/^[A-Z]/.test(word) ? 'hook_event_name' : 'event');

/** An event without a name is nobody's: to answer it would be to let everything pass. */
function named(native: object, word: string | undefined): object {
  if (word !== undefined) return { ...native, [keyFor(word)]: word };
  if ('event' in native || 'hook_event_name' in native) return native;
  throw new UsageError('fire: which event? Name it, or let the payload name it');
}

/** Nothing on stdin: a dialect that speaks through the environment has said all there. */
function fromVariables(dialect: Dialect, word: string | undefined): Event {
  const variable = `${dialect.name.toUpperCase().replaceAll('-', '_')}_EVENT`;
  if (word === undefined && process.env[variable] === undefined)
    throw new UsageError('fire: nothing came on standard input, and no event is named');
  const env = word === undefined ? process.env : { ...process.env, [variable]: word };
  try {
    const event = dialect.payload.read(undefined, env);
    if (event.name !== 'other') return event;
  } catch {
    // it does not speak through the environment
  }
  return dialect.payload.read(named({}, word), env);
}
