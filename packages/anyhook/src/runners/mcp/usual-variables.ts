import { DEFAULT_INHERITED_ENV_VARS } from './packed-sdk.ts';

/** The variables that every server inherits, of this environment. */
export const usualVariables = (
  env: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> =>
  Object.fromEntries(
    DEFAULT_INHERITED_ENV_VARS.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
