/** Finds MCP servers for the agent itself: the user's own, and trusted ones of the project. */

import { join } from 'node:path';
import type { McpServer } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import { serversIn } from '../settings/mcp-servers.ts';
import type { TrustEntry } from '../settings/trust/entry.ts';
import { openProject } from '../settings/trust/project.ts';
import { openTrustSession, type TrustSession } from '../settings/trust/session.ts';
import { changedInPlace } from '../settings/trust/stage.ts';
import { openTrustStore } from '../settings/trust/store.ts';
import { announcing } from './announcing.ts';
import { checkMcpOptions } from './check-options.ts';
import { foldersOf, locationsOf } from './folders.ts';
import type { ExaminedEntry } from './gate.ts';
import type { TrustOptions } from './options.ts';
import { mayBeAsked } from './person.ts';
import { varsOf } from './vars.ts';

export interface McpServerOptions {
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Additional files of the user, which need no trust. */
  readonly own?: readonly string[];
  readonly trust?: TrustOptions;
}
export interface FoundServer {
  readonly name: string;
  readonly server: McpServer;
  /** The file that defines the server. */
  readonly file: string;
}
export interface FoundServers {
  /** Servers that may start. Servers of the project point to the trusted copy. */
  readonly servers: readonly FoundServer[];
  /** Servers that the project defines, with their trust state. */
  readonly examined: readonly ExaminedEntry[];
  /** Records that the user trusts what was shown. Takes effect at the next call. */
  readonly grant: TrustSession['grant'];
  readonly problems: readonly Problem[];
}

/** Reads the settings without starting or connecting servers. If two servers share a name, the user's own wins. */
export function findMcpServers(options: McpServerOptions): FoundServers {
  checkMcpOptions(options);
  const locations = locationsOf(options);
  const folders = foldersOf(locations);
  const problems: Problem[] = [];
  const found = new Map<string, FoundServer>();
  const add = (server: FoundServer) => {
    const first = found.get(server.name);
    if (first === undefined) found.set(server.name, server);
    else problems.push(shadowed(server, first));
  };
  for (const file of options.own ?? [])
    for (const [name, server] of serversIn(file, locations.env, problems)) add({ name, server, file });
  const file = join(locations.cwd, '.mcp.json');
  const store = openTrustStore(folders.trust);
  const session = openTrustSession({
    project: openProject(locations.cwd),
    store,
    copies: folders.staged,
    isTerminal: mayBeAsked(locations.env),
    vars: varsOf(locations),
    ...(options.trust?.hashes && { hashes: options.trust.hashes }),
    ...(options.trust?.folders && { folders: options.trust.folders }),
  });
  const examined: ExaminedEntry[] = [];
  for (const [name, server] of serversIn(file, locations.env, problems)) {
    const entry = entryOf(name, server, file, locations.cwd);
    const judgement = session.judge(entry);
    examined.push({ file, line: 1, entry, judgement });
    const ready = judgement.state === 'trusted' ? staged(server, entry, session) : undefined;
    if (ready === undefined || typeof ready === 'string')
      problems.push(waiting(name, file, ready ?? judgement.state, judgement.hash));
    else add({ name, server: ready, file });
  }
  return {
    servers: [...found.values()],
    examined,
    grant: announcing(session.grant, folders),
    problems: [...problems, ...store.problems],
  };
}

const entryOf = (name: string, server: McpServer, file: string, cwd: string): TrustEntry => ({
  file,
  fields: { dialect: 'anyhook', mcpServer: name, server },
  named:
    'command' in server
      ? {
          kind: 'command',
          run: { argv: [server.command, ...(server.args ?? [])] },
          cwd: server.cwd ?? cwd,
          ...(server.env === undefined ? {} : { vars: server.env }),
        }
      : { kind: 'text' },
});

/** Returns the server in the form in which it may start, or why it may not. */
function staged(server: McpServer, entry: TrustEntry, session: TrustSession): McpServer | string {
  if (!('command' in server)) return server;
  const copy = session.stage(entry);
  if (copy.kind === 'unstaged') return copy.why;
  const changed = changedInPlace(session.judge(entry).trustedFiles);
  if (changed.length > 0) return `${changed.join(', ')} changed since it was trusted`;
  if (copy.run === undefined || !('argv' in copy.run)) return server;
  const [command = server.command, ...args] = copy.run.argv;
  return { ...server, command, args };
}

function waiting(name: string, file: string, why: string, hash: string): Problem {
  const words: Readonly<Record<string, string>> = {
    unknown: 'comes from the project and was never trusted',
    modified: 'has changed since it was trusted',
    untrustable: 'cannot be trusted in its current state',
  };
  return {
    code: 'not-trusted',
    file,
    key: `mcpServers.${name}`,
    message: `${words[why] ?? why}; it is not started.`,
    remedy: `Review it, then trust ${hash}.`,
    severity: 'warning',
  };
}

const shadowed = ({ name, file }: FoundServer, first: FoundServer): Problem => ({
  code: 'bad-value',
  file,
  key: `mcpServers.${name}`,
  message: `is not started: ${first.file} has a server with the same name.`,
  remedy: 'Give one of them another name.',
  severity: 'warning',
});
