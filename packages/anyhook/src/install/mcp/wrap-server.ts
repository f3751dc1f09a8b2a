/** Wraps one server of an agent's settings in the proxy, and unwraps it. */

import type { McpWords } from '../../agents/shared/mcp-settings.ts';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import { HEADERS_VARIABLE } from '../../mcp/headers.ts';

export interface ProxySetup {
  readonly agent: string;
  /** The command that starts `anyhook`. */
  readonly starts: readonly [string, ...string[]];
  /** Only one of several servers offers the tools of hooks, or each tool would appear several times. */
  readonly offers: 'added' | 'left out';
}

/** The new entry of a server, or why it is left alone. */
export type Wrapping =
  | { readonly kind: 'wrapped'; readonly server: Fields }
  | { readonly kind: 'left'; readonly why: string };

/** The agent logs in by itself, with credentials stored elsewhere. */
const LOGINS = [
  'oauth',
  'auth',
  'authProviderType',
  'bearer_token_env_var',
  'bearerTokenEnvVar',
  'env_http_headers',
  'headersHelper',
];

export function wrapServer(name: string, server: Fields, words: McpWords, setup: ProxySetup): Wrapping {
  const [command, ...first] = setup.starts;
  const proxyOptions = [
    '--host',
    setup.agent,
    '--name',
    name,
    ...(setup.offers === 'added' ? [] : ['--no-offers']),
  ];
  const start = (...rest: readonly string[]): Fields =>
    startOf(words, [command, ...first, 'mcp', ...proxyOptions, ...rest]);
  const line = lineIn(server, words);
  if (line !== undefined) return { kind: 'wrapped', server: { ...server, ...start('--', ...line) } };
  const { [words.url]: url, [words.headers]: headers, ...rest } = server;
  const kind = server['type'];
  if (typeof url !== 'string' || (words.type !== null && kind !== words.type.address))
    return left(
      `is neither a program nor an address for streamable HTTP${kind === undefined ? '' : ` (type: ${JSON.stringify(kind)})`}`,
    );
  const login = LOGINS.find((word) => Object.hasOwn(server, word));
  if (login !== undefined)
    return left(`logs in by itself (${login}), which the proxy cannot do in its place`);
  if (headers !== undefined && !areTexts(headers)) return left(`has ${words.headers} that are not strings`);
  const env = isFields(rest[words.env]) ? (rest[words.env] as Fields) : {};
  const lines = Object.entries(headers ?? {}).map(([key, value]) => `${key}: ${value}`);
  return {
    kind: 'wrapped',
    server: {
      ...rest,
      ...(words.type && { type: words.type.program }),
      ...start('--http', url),
      ...(lines.length > 0 && { [words.env]: { ...env, [HEADERS_VARIABLE]: lines.join('\n') } }),
    },
  };
}

export const isWrapped = (server: Fields, words: McpWords): boolean => {
  const line = lineIn(server, words);
  return line !== undefined && isOurLine(line);
};

/** Restores a server from its wrapped form if there is no record. Undefined if it is not wrapped by us. */
export function unwrapServer(server: Fields, words: McpWords): Fields | undefined {
  const line = lineIn(server, words);
  if (line === undefined || !isOurLine(line)) return undefined;
  const program = line.indexOf('--');
  if (program !== -1) return { ...server, ...startOf(words, line.slice(program + 1)) };
  const { [words.command]: _, ...rest } = words.args === null ? server : omit(server, words.args);
  const { [HEADERS_VARIABLE]: lines, ...env } = isFields(rest[words.env]) ? (rest[words.env] as Fields) : {};
  return {
    ...omit(rest, words.env),
    ...(words.type && { type: words.type.address }),
    [words.url]: line[line.indexOf('--http') + 1],
    ...(typeof lines === 'string' && { [words.headers]: headersIn(lines) }),
    ...(Object.keys(env).length > 0 && { [words.env]: env }),
  };
}

const left = (why: string): Wrapping => ({ kind: 'left', why });

const isOurLine = (line: readonly string[]): boolean => {
  const at = line.indexOf('mcp');
  return at > 0 && line[at + 1] === '--host' && line[at + 3] === '--name' && /anyhook/.test(line[at - 1]!);
};

function startOf({ command, args }: McpWords, line: readonly string[]): Fields {
  return args === null ? { [command]: line } : { [command]: line[0], [args]: line.slice(1) };
}

function lineIn(server: Fields, { command, args }: McpWords): readonly string[] | undefined {
  const first = server[command];
  const line: unknown = args === null ? first : [first, ...(Array.isArray(server[args]) ? server[args] : [])];
  return Array.isArray(line) && line.length > 0 && line.every((word) => typeof word === 'string')
    ? line
    : undefined;
}

const omit = (fields: Fields, key: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));

const areTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isFields(value) && Object.values(value).every((entry) => typeof entry === 'string');

const headersIn = (lines: string): Fields =>
  Object.fromEntries(
    lines.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]),
  );
