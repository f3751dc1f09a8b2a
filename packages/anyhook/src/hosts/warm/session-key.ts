import type { ClientProcess } from './client-process.ts';

/** Of the environments that were seen last; see `client-process.ts`. */
const texts = new WeakMap<object, string>();

/** One process for each environment, folder and session: what modules remember is of one session. */
export function sessionKey(client: ClientProcess, text: string): string {
  const { env } = client;
  let said = texts.get(env);
  if (said === undefined) texts.set(env, (said = JSON.stringify(env)));
  return `${said}\0${agentSession(client, text)}`;
}
/** Whatever environment the agent shows for its events. */
export const agentSession = ({ cwd }: ClientProcess, text: string): string => `${cwd}\0${sessionIn(text)}`;

const sessionIn = (text: string): string =>
  /"(?:session_?[iI][dD]|conversation_id)"\s*:\s*"([^"]{1,200})"/.exec(text.slice(0, 65_536))?.[1] ?? '';
