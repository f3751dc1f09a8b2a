import type { CommandRequest } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';

type Variables = Readonly<Record<string, string | undefined>>;
export interface Environment {
  readonly env: Readonly<Record<string, string>>;
  /** Names that cannot be set, because of their name or value. */
  readonly unset: readonly string[];
}

/** Combines the allowed variables of the session, the hook's own and the request's. Later ones win. */
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

/** If a name occurs twice in JSON, the last one counts. */
const laidOver = (below: string, above: string): string =>
  below === '{}' || above === '{}'
    ? below === '{}'
      ? above
      : below
    : `${below.slice(0, -1)},${above.slice(1)}`;

/** The part that is the same for every event, built once per hook. */
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

/** Merges layers of variables. */
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
  /** A nested run keeps the outer mark, so that killing the outer run finds the inner one too. */
  under(session: Variables, unset: readonly string[]): Environment {
    delete this.#env[RUN];
    if (session[RUN] !== undefined) this.#env[RUN] = session[RUN];
    return { env: { ...this.#env }, unset: [...new Set([...unset, ...this.#unset])] };
  }
}

const texts = new WeakMap<object, string>();

/** Serialises the environment. Cached, because most hooks get the same one for every event. */
export function environmentText(env: Environment['env']): string {
  const known = texts.get(env) ?? JSON.stringify(env);
  texts.set(env, known);
  return known;
}

const RUN = 'ANYHOOK_RUN';

const holds = (name: string, value: string): boolean =>
  name !== '' && !name.includes('=') && !name.includes('\0') && !value.includes('\0');

/** A name with `!` is excluded wherever it is in the list. */
function passer(allowed: WayOf<'command'>['env'], platform: string): (name: string) => boolean {
  if (allowed === 'inherit') return () => true;
  const fold = platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name;
  const isIn = among(allowed.filter((name) => !name.startsWith('!')).map(fold));
  const isOut = among(allowed.flatMap((name) => (name.startsWith('!') ? fold(name.slice(1)) : [])));
  return (name) => isIn(fold(name)) && !isOut(fold(name));
}

/** Matches `NAME`, `START*` or `*PART*`. */
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

/** Windows variable names ignore case, so `Path` and `PATH` must not both be set. */
function set(env: Record<string, string>, name: string, value: string, platform: string): void {
  if (platform === 'win32')
    for (const other of Object.keys(env)) if (other.toUpperCase() === name.toUpperCase()) delete env[other];
  env[name] = value;
}
