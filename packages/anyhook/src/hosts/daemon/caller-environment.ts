/**
 * Variables of an agent that would make a program of ours load other code. A project can set some of them in its agent, so
 * programs that judge events start without them; hook commands get them back under their own names.
 */
const REDIRECTING = ['NODE_OPTIONS', 'NODE_PATH', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES'];
const PREFIX = 'ANYHOOK_CALLER_';

type Env = Readonly<Record<string, string | undefined>>;

/** For starting a program of ours. */
export const withRedirectsAside = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [REDIRECTING.includes(name) ? PREFIX + name : name, value]),
  );

/** In a program of ours that has started: what its modules read and start has the agent's environment. */
export function restoreCallerEnvironment(): void {
  for (const name of Object.keys(process.env)) {
    if (!name.startsWith(PREFIX)) continue;
    process.env[name.slice(PREFIX.length)] = process.env[name];
    delete process.env[name];
  }
}
