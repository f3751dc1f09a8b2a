/**
 * A session process that starts together with the daemon. A user with hook modules needs both for the first event, and they take
 * equally long to start. Imports little, because it is loaded before the rest of the daemon.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientEvent } from './frames.ts';
import { SessionProcess } from './session-process.ts';

/** Variables that Node, OpenSSL or the loader read once, when the process starts. */
const READ_AT_START = /^(?:NODE_|UV_|OPENSSL_|SSL_|LD_|DYLD_|LANG|LC_|TZ$)/;

export class SpareProcess {
  #process: SessionProcess | undefined;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
    this.#process = new SessionProcess({ env: env as Record<string, string>, cwd: '/', key: 'spare' });
  }

  /** Undefined for a user without hook modules: sessions then need no process. */
  static startFor(configFolder: string): SpareProcess | undefined {
    return hasModules(join(configFolder, 'hooks')) ? new SpareProcess(process.env) : undefined;
  }

  /** Only the first event can take it. An event with other start-up variables gets a new process instead. */
  takeFor({ env }: Pick<ClientEvent, 'env'>): SessionProcess | undefined {
    const isEqual = startVariables(env) === startVariables(this.#env);
    const taken = isEqual && this.#process?.isEnded === false ? this.#process : undefined;
    if (taken === undefined) this.close();
    this.#process = undefined;
    return taken;
  }
  close(): void {
    this.#process?.close();
  }
}

function hasModules(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /\.[cm]?[jt]s$/.test(name));
  } catch {
    return false; // it does not exist
  }
}

const startVariables = (env: NodeJS.ProcessEnv): string =>
  JSON.stringify(
    Object.entries(env)
      .filter(([name]) => READ_AT_START.test(name))
      .toSorted(),
  );
