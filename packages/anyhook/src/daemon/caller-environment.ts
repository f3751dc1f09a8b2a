/** Variables that make Node or the loader run other code, and what becomes of them in programs that judge events. */
type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'ANYHOOK_CALLER_';
/** The clients move the same aside before they start a program. */
export const CODE_LOADING = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
] as const;

/** The environment as the agent gave it, in which hook commands run. */
export function callerEnvironment(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name,
      value,
    ]),
  );
}

/** The environment of a program that judges events: a project can set variables of its agent, and must not run code in there. */
export function judgingEnvironment<T extends Environment>(env: T): T {
  const isMoved = (name: string): boolean => CODE_LOADING.some((one) => one === name);
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [isMoved(name) ? PREFIX + name : name, value]),
  ) as T;
}
