/** `anyhook mcp -- <server…>`: hooks around every tool of an MCP server, whatever agent uses it. */

import { resolve } from 'node:path';
import { checkFolder, UsageError } from '../console/usage.ts';
import { HEADERS_VARIABLE } from '../mcp/headers.ts';
import type { McpOptions, WrappedServer } from '../mcp/run.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly http?: string;
  readonly header?: readonly string[];
  readonly name?: string;
  readonly host?: string;
  readonly offers: boolean;
  readonly trust?: readonly string[];
  readonly cwd?: string;
}

export const define: Define = (command, done) => {
  command
    .argument('[server...]', 'Program of the server with its arguments, after --')
    .option('--http <url>', 'Address of a server with streamable HTTP')
    .option('--header <line...>', `With --http: "Name: value"; or one per line in ${HEADERS_VARIABLE}`)
    .option('--name <server>', 'Name of the server in the agent (default: the name it reports)')
    .option('--host <agent>', 'Agent that starts the proxy; its own hooks and checked calls are skipped')
    .option('--no-offers', 'Do not offer the tools that hooks provide')
    .option('--trust <hash...>', 'Trust exactly this content for this run')
    .option('--cwd <folder>', 'Project folder, in which the server starts')
    .addHelpText('after', '\nReads and writes MCP on stdin and stdout, and exits when the server exits.')
    .action(async (server: readonly string[], options: Options) => {
      checkFolder('mcp', options.cwd);
      const { name, host } = options;
      const wanted: McpOptions = {
        server: serverIn(server, options),
        cwd: resolve(options.cwd ?? process.cwd()),
        offers: options.offers ? 'added' : 'left out',
        hashes: options.trust ?? [],
        ...(name !== undefined && { name }),
        ...(host !== undefined && { host }),
      };
      done(await (await import('../mcp/run.ts')).runMcp(wanted));
    });
};

function serverIn([command, ...args]: readonly string[], { http, header = [] }: Options): WrappedServer {
  if (http === undefined) {
    if (command === undefined)
      throw new UsageError('mcp: which server? anyhook mcp -- <program…>, or --http <url>');
    if (header.length > 0) throw new UsageError('mcp: --header is for --http');
    return { kind: 'program', command, args };
  }
  if (command !== undefined) throw new UsageError('mcp: a program or --http, not both');
  if (!/^https?:$/.test(URL.canParse(http) ? new URL(http).protocol : ''))
    throw new UsageError(`mcp: --http ${http}: not an http or https address`);
  const lines = [
    ...header,
    ...(process.env[HEADERS_VARIABLE] ?? '').split('\n').filter((line) => line !== ''),
  ];
  return { kind: 'address', url: http, headers: Object.fromEntries(lines.map(headerIn)) };
}

function headerIn(line: string): [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`mcp: a header is "Name: value", not ${JSON.stringify(line.split(':')[0])}`);
  return [name, value];
}
