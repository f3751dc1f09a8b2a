import type { CommandRequest } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';

type Variables = Readonly<Record<string, string | undefined>>;
export interface Environment {
  readonly env: Readonly<Record<string, string>>;
  /** Names that no environment can hold, or whose value it cannot. */
  readonly unset: readonly string[];
}

/** The session's variables that may pass, then the hook's own, then the request's: the later wins. */
export function environment(
  way: WayOf<'command'>,
  request: CommandRequest,
  session: Variables,
  platform: string = process.platform,
): Environment {
  const fixed = fixedPart(way, session, platform);
  if (request.env === undefined) return fixed;
  const made = new Laid(fixed.env, platform);
  made.lay(request.env);
  const all = made.under(session, fixed.unset);
  if (platform !== 'win32' && all.unset.length === 0 && !Object.hasOwn(request.env, RUN))
    texts.set(all.env, laidOver(environmentText(fixed.env), JSON.stringify(request.env)));
  return all;
}

/** Of a name that stands twice in JSON the last one counts. */
const laidOver = (below: string, above: string): string =>
  below === '{}' || above === '{}'
    ? below === '{}'
      ? above
      : below
    : `${below.slice(0, -1)},${above.slice(1)}`;

/** What no event changes: laid once for each hook. */
const fixedParts = new WeakMap<Variables, WeakMap<object, Environment>>();

function fixedPart(way: WayOf<'command'>, session: Variables, platform: string): Environment {
  const known = fixedParts.get(session) ?? new WeakMap<object, Environment>();
  fixedParts.set(session, known);
  const before = known.get(way);
  if (before !== undefined) return before;
  const made = new Laid({}, platform);
  made.lay(session, passer(way.env, platform));
  made.lay(way.set ?? {});
  const fixed = made.under(session, []);
  known.set(way, fixed);
  return fixed;
}

/** Variables laid over each other. */
class Laid {
  readonly #env: Record<string, string>;
  readonly #unset: string[] = [];
  readonly #platform: string;

  constructor(env: Readonly<Record<string, string>>, platform: string) {
    this.#env = Object.assign(Object.create(null) as object, env);
    this.#platform = platform;
  }
  lay(variables: Variables, passes: (name: string) => boolean = () => true): void {
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined || !passes(name)) continue;
      if (holds(name, value)) set(this.#env, name, value, this.#platform);
      else this.#unset.push(name);
    }
  }
  /** A run inside a run keeps the outer mark, so that ending the outer one finds the inner one too. */
  under(session: Variables, unset: readonly string[]): Environment {
    delete this.#env[RUN];
    if (session[RUN] !== undefined) this.#env[RUN] = session[RUN];
    return { env: { ...this.#env }, unset: [...new Set([...unset, ...this.#unset])] };
  }
}

const texts = new WeakMap<object, string>();

/** As JSON. Most hooks are handed the same at every event: it is spelled once. */
export function environmentText(env: Environment['env']): string {
  const known = texts.get(env) ?? JSON.stringify(env);
  texts.set(env, known);
  return known;
}

const RUN = 'ANYHOOK_RUN';

const holds = (name: string, value: string): boolean =>
  name !== '' && !name.includes('=') && !name.includes('\0') && !value.includes('\0');

/** What a name with `!` takes out stays out, wherever in the list it stands. */
function passer(allowed: WayOf<'command'>['env'], platform: string): (name: string) => boolean {
  if (allowed === 'inherit') return () => true;
  const fold = platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name;
  const isIn = among(allowed.filter((name) => !name.startsWith('!')).map(fold));
  const isOut = among(allowed.flatMap((name) => (name.startsWith('!') ? fold(name.slice(1)) : [])));
  return (name) => isIn(fold(name)) && !isOut(fold(name));
}

/** `NAME`, `START*`, or `*PART*`. */
function among(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const open = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const parts = open.filter((name) => name.startsWith('*')).map((name) => name.slice(1));
  const starts = open.filter((name) => !name.startsWith('*'));
  return (name) =>
    exact.has(name) ||
    starts.some((start) => name.startsWith(start)) ||
    parts.some((part) => name.includes(part));
}

/** Windows holds one variable under all spellings of its name: `Path` and `PATH` must not both be there. */
function set(env: Record<string, string>, name: string, value: string, platform: string): void {
  if (platform === 'win32')
    for (const other of Object.keys(env)) if (other.toUpperCase() === name.toUpperCase()) delete env[other];
  env[name] = value;
}
