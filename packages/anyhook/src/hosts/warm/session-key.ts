import type { ClientProcess } from './client-process.ts';

/** Of the environments that were seen last; see `client-process.ts`. */
const texts = new WeakMap<object, string>();

/** One process for each environment, folder and session: what modules remember is of one session. */
export function sessionKey({ env, cwd }: ClientProcess, text: string): string {
  let said = texts.get(env);
  if (said === undefined) texts.set(env, (said = JSON.stringify(env)));
  return `${said}\0${cwd}\0${sessionIn(text)}`;
}

const sessionIn = (text: string): string =>
  /"(?:session_?[iI][dD]|conversation_id)"\s*:\s*"([^"]{1,200})"/.exec(text.slice(0, 65_536))?.[1] ?? '';
