/** Stores logins in one file in OpenCode's format, readable only by its owner and outside every project. */

import { chmod, mkdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Credential } from '../../../../events/offers.ts';

export interface CredentialStore {
  readonly file: string;
  get(provider: string): Promise<Credential | undefined>;
  set(provider: string, credential: Credential): Promise<void>;
  /** Returns whether there was one. */
  remove(provider: string): Promise<boolean>;
  list(): Promise<readonly { readonly provider: string; readonly type: Credential['type'] }[]>;
}
/** The package has no types. */

/** The default folder for logins: in the user's data folder, outside every project. */
export function credentialFolder({
  home,
  env,
}: {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): string {
  const set = env['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(set) ? set : join(home, '.local', 'share'), 'anyhook');
}

/** `outside` is a project that must not contain the folder. Nothing is written before the first `set`. */
export function openCredentialStore(
  folder: string,
  { outside }: { readonly outside?: string } = {},
): CredentialStore {
  if (outside !== undefined && holds(resolve(outside), resolve(folder)))
    throw new RangeError(`${folder} is inside the project ${outside}: credentials must be stored outside it`);
  const file = join(folder, 'auth.json');
  let last: Promise<unknown> = Promise.resolve();
  /** Serialises writes, because each reads the result of the previous one. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  const write = async (entries: Entries) => {
    const { default: writeFileAtomic } = await import('write-file-atomic');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700); // an existing folder may be accessible to other users
    await writeFileAtomic(file, `${JSON.stringify(entries, undefined, 2)}\n`, { mode: 0o600 });
  };
  return {
    file,
    async get(provider) {
      const entries = await read(file);
      return Object.hasOwn(entries, provider) && isCredential(entries[provider])
        ? entries[provider]
        : undefined;
    },
    set: (provider, credential) =>
      inTurn(async () => {
        if (!isCredential(credential))
          throw new TypeError(
            `the value to store for ${provider} is not a credential of type api, oauth or wellknown`,
          );
        await write({ ...(await read(file)), [provider]: credential });
      }),
    remove: (provider) =>
      inTurn(async () => {
        const { [provider]: removed, ...rest } = await read(file);
        if (removed !== undefined) await write(rest);
        return removed !== undefined;
      }),
    list: async () =>
      Object.entries(await read(file)).flatMap(([provider, entry]) =>
        isCredential(entry) ? [{ provider, type: entry.type }] : [],
      ),
  };
}

type Entries = Readonly<Record<string, unknown>>;

/** A file that cannot be read is never overwritten. */
async function read(file: string): Promise<Entries> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const entries = parsed(text);
  if (typeof entries === 'object' && entries !== null && !Array.isArray(entries)) return entries as Entries;
  throw new Error(`${file} is not a JSON object of credentials. Fix it or move it away, then log in again`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NEEDED = {
  api: { key: 'string' },
  oauth: { refresh: 'string', access: 'string', expires: 'number' },
  wellknown: { key: 'string', token: 'string' },
} as const;

function isCredential(entry: unknown): entry is Credential {
  if (typeof entry !== 'object' || entry === null) return false;
  const fields = entry as Readonly<Record<string, unknown>>;
  const { type } = fields;
  if (typeof type !== 'string' || !Object.hasOwn(NEEDED, type)) return false;
  return Object.entries(NEEDED[type as keyof typeof NEEDED]).every(
    ([name, kind]) => typeof fields[name] === kind,
  );
}

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
