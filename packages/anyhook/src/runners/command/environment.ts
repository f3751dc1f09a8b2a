import type { CommandRequest } from '../../canon/exchange.ts';
import type { WayOf } from '../../canon/hook.ts';

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
  const env: Record<string, string> = Object.create(null);
  const unset: string[] = [];
  const lay = (variables: Variables, passes: (name: string) => boolean = () => true) => {
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined || !passes(name)) continue;
      if (holds(name, value)) set(env, name, value, platform);
      else unset.push(name);
    }
  };
  lay(session, passer(way.env, platform));
  lay(way.set ?? {});
  lay(request.env ?? {});
  // A run inside a run keeps the outer mark, so that ending the outer one finds the inner one too.
  delete env[RUN];
  if (session[RUN] !== undefined) env[RUN] = session[RUN];
  return { env: { ...env }, unset: [...new Set(unset)] };
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

function among(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const starts = names.flatMap((name) => (name.endsWith('*') ? name.slice(0, -1) : []));
  return (name) => exact.has(name) || starts.some((start) => name.startsWith(start));
}

/** Windows holds one variable under all spellings of its name: `Path` and `PATH` must not both be there. */
function set(env: Record<string, string>, name: string, value: string, platform: string): void {
  if (platform === 'win32')
    for (const other of Object.keys(env)) if (other.toUpperCase() === name.toUpperCase()) delete env[other];
  env[name] = value;
}
