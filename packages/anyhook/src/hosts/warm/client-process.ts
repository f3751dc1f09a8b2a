/** Whose event it is: the environment and the folder of the process that asks, as the system knows them. */
import { readFileSync, readlinkSync, statSync } from 'node:fs';

export interface ClientProcess {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Undefined for a process that is not this user's, is gone, or has variables that are no text. */
export function clientProcess(pid: number): ClientProcess | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return undefined;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      readFileSync(`/proc/${pid}/environ`),
    );
    const env: Record<string, string> = {};
    for (const pair of text.split('\0')) {
      const at = pair.indexOf('=');
      if (at > 0 && !Object.hasOwn(env, pair.slice(0, at))) env[pair.slice(0, at)] = pair.slice(at + 1);
    }
    return { env, cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return undefined;
  }
}
