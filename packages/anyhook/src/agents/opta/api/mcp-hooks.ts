/** V4: reads hooks of a running MCP server from its resource `hooks://opta`. */

import type { Problem } from '../../../events/problems.ts';
import type { SettingsSource } from '../../../settings/load.ts';

const URI = 'hooks://opta';
const TIMEOUT_MS = 10_000;
/** Limits the pages of a server that lists resources endlessly. */
const PAGES = 100;

/** A source for `createHooks({ settings: { sources } })`; it waits for trust like hooks of a project. */
export interface FromServer {
  readonly sources: readonly SettingsSource[];
  /** Why hooks of the server could not be read. */
  readonly problems: readonly Problem[];
}
/** The used part of the official SDK's `Client`, so that its types need not be installed. */
export interface ResourceClient {
  getServerCapabilities(): { readonly resources?: object | undefined } | undefined;
  listResources(
    params?: { cursor?: string },
    options?: { timeout?: number },
  ): Promise<{ resources: readonly { uri: string }[]; nextCursor?: string | undefined }>;
  readResource(
    params: { uri: string },
    options?: { timeout?: number },
  ): Promise<{ contents: readonly object[] }>;
}

/** A server without the resource has no hooks; one whose resource cannot be read is a problem. Never rejects. */
export async function hooksFromServer(
  client: ResourceClient,
  { name }: { readonly name: string },
): Promise<FromServer> {
  const file = `mcp://${name}/${URI}`;
  try {
    if (!(await offers(client))) return { sources: [], problems: [] };
    const { contents } = await client.readResource({ uri: URI }, { timeout: TIMEOUT_MS });
    const texts = contents.flatMap((one) => ('text' in one && typeof one.text === 'string' ? one.text : []));
    const odd = texts.length < contents.length || contents.length === 0;
    return {
      sources: texts.map((text) => ({ dialect: 'opta', text, place: { layer: 'project', file } })),
      problems: odd ? [unread(file, 'contains something that is not text.')] : [],
    };
  } catch (error) {
    return { sources: [], problems: [unread(file, `cannot be read: ${(error as Error).message}.`)] };
  }
}

async function offers(client: ResourceClient): Promise<boolean> {
  if (client.getServerCapabilities()?.resources === undefined) return false;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { resources, nextCursor } = await client.listResources(
      cursor === undefined ? undefined : { cursor },
      { timeout: TIMEOUT_MS },
    );
    if (resources.some(({ uri }) => uri === URI)) return true;
    if (nextCursor === undefined) return false;
    cursor = nextCursor;
  }
  throw new Error(`its list of resources has more than ${PAGES} pages`);
}

const unread = (file: string, message: string): Problem => ({
  code: 'file-unreadable',
  file,
  message,
  remedy: 'Its hooks do not run. Look at the server.',
  severity: 'error',
});
