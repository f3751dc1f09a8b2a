const PREFIX = 'ANYHOOK_CALLER_';

/**
 * The environment as the agent gave it. The client passes variables such as `NODE_OPTIONS` under another name, because they would
 * make the program that judges the event load other code; hook commands get them back under their own names.
 */
export function callerEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name,
      value,
    ]),
  );
}
