/** Writes the context to environment variables, as listed in section 4, and reads it back. */

import { cutJson, cutText } from '../../../events/cut.ts';
import type { OptaContext } from './context.ts';
import type { OptaEvent } from './names.ts';

type Env = Readonly<Record<string, string | undefined>>;
export interface Variables {
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

const RESULT_BYTES = 2048;
/** One environment string holds 131,071 bytes including its name. A longer one keeps a guard from starting. */
const ARGS_BYTES = 120_000;
const OTHER_BYTES = 32_768;

/** Variables of an outer run would describe another event. */
const ABOUT_ONE_EVENT = [
  'OPTA_EVENT',
  'OPTA_TOOL_NAME',
  'OPTA_TOOL_ARGS',
  'OPTA_TOOL_ARGS_TRUNCATED',
  'OPTA_TOOL_RESULT',
  'OPTA_PAYLOAD_FILE',
  'OPTA_ERROR',
  'OPTA_TURN_INDEX',
  'OPTA_PROMPT',
  'OPTA_STOP_ACTIVE',
];
/** Opta does not pass API keys to hooks. A hook that needs a key gets it from its author. */
const SECRETS = [
  'API_KEY',
  'ADMIN_KEY',
  'ACCESS_KEY',
  'PRIVATE_KEY',
  'SECRET',
  'TOKEN',
  'PASSWORD',
  'CREDENTIAL',
].map((part) => `*${part}*`);
/** Commands inherit the environment, as with execa. */
export const OPTA_VARIABLES = ['*', ...[...ABOUT_ONE_EVENT, ...SECRETS].map((name) => `!${name}`)];

/** `OPTA_MODEL` is always set. Other empty values are not. */
export function writeVariables(context: OptaContext): Variables {
  const env: Record<string, string> = {
    OPTA_EVENT: context.event,
    OPTA_SESSION_ID: fit(context.session_id),
    OPTA_CWD: fit(context.cwd),
    OPTA_MODEL: fit(context.model ?? ''),
  };
  const put = (name: string, text: string | undefined, bytes?: number) => {
    if (text !== undefined && text !== '') env[name] = fit(text, bytes);
  };
  put('OPTA_TOOL_NAME', context.tool_name);
  put('OPTA_TOOL_RESULT', context.tool_result, RESULT_BYTES);
  put('OPTA_ERROR', context.error_message);
  put('OPTA_TURN_INDEX', context.turn_index?.toString());
  put('OPTA_PROMPT', context.prompt);
  put('OPTA_STOP_ACTIVE', context.stop_active === true ? '1' : '');
  put('OPTA_TOOL_ARGS', context.tool_args, Infinity);
  const shorter = cutArgs(env['OPTA_TOOL_ARGS'] ?? '');
  if (shorter === null) return { env, files: {} };
  env['OPTA_TOOL_ARGS'] = shorter;
  env['OPTA_TOOL_ARGS_TRUNCATED'] = '1';
  return { env, files: { OPTA_PAYLOAD_FILE: JSON.stringify(context) } };
}

/** Removes NUL bytes, which variables cannot contain, and cuts long values between characters. */
const fit = (text: string, bytes = OTHER_BYTES): string => {
  const plain = text.replaceAll('\0', '\uFFFD');
  return bytes === Infinity ? plain : cutText(plain, bytes);
};

/** Returns JSON with shortened strings; null if nothing needs to be cut. */
function cutArgs(args: string): string | null {
  if (Buffer.byteLength(args) <= ARGS_BYTES) return null;
  try {
    const value: unknown = JSON.parse(args);
    return cutJson(value, ARGS_BYTES) ?? JSON.stringify(value); // only the whitespace was too long
  } catch {
    return cutText(args, ARGS_BYTES); // not JSON, so it is cut as text
  }
}

const TEXTS = {
  session_id: 'OPTA_SESSION_ID',
  cwd: 'OPTA_CWD',
  model: 'OPTA_MODEL',
  tool_name: 'OPTA_TOOL_NAME',
  tool_args: 'OPTA_TOOL_ARGS',
  tool_result: 'OPTA_TOOL_RESULT',
  error_message: 'OPTA_ERROR',
  prompt: 'OPTA_PROMPT',
} as const satisfies { [K in keyof OptaContext]?: string };

export function readVariables(env: Env): Partial<OptaContext> {
  const texts = Object.entries(TEXTS).flatMap(([key, name]) =>
    env[name] === undefined ? [] : [[key, env[name]]],
  );
  return {
    ...(env['OPTA_EVENT'] !== undefined && { event: env['OPTA_EVENT'] as OptaEvent }), // checked before use
    ...(Object.fromEntries(texts) as Partial<OptaContext>),
    ...(env['OPTA_TURN_INDEX'] !== undefined && { turn_index: Number(env['OPTA_TURN_INDEX']) }),
    ...(env['OPTA_STOP_ACTIVE'] !== undefined && { stop_active: env['OPTA_STOP_ACTIVE'] === '1' }),
  };
}
