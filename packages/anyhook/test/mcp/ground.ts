/** A home, a project, a real server and the official client, with or without our proxy between them. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';

export const BIN = join(import.meta.dirname, '../../dist/bin/anyhook.cjs');
export const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name);
/** Far more than any call needs, on whatever machine. */
export const PATIENT = { timeout: 50_000 };

export interface Ground {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Is this file in the project? */
  has(name: string): boolean;
  read(name: string): string;
  put(file: string, text: string): void;
  journal(): string;
}

/** `files`: below the home folder. */
export function ground(files: Readonly<Record<string, string>> = {}): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-proxy-')));
  onTestFinished(() => removeTree(root));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(project);
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [name, text] of Object.entries(files)) put(join('home', name), text);
  const { PATH = '' } = process.env;
  return {
    home,
    project,
    env: { PATH, HOME: home },
    has: (name) => existsSync(join(project, name)),
    read: (name) => readFileSync(join(project, name), 'utf8'),
    put,
    journal: () => journalIn(home),
  };
}

/** A hook module of the person's own. */
export const guard = (name: string, code: string): Readonly<Record<string, string>> => ({
  [`.config/anyhook/hooks/${name}.mjs`]: `import { defineHook } from 'anyhook';\n${code}\n`,
});

/** `anyhook mcp` with these words. */
export function proxied(at: Ground, words: readonly string[]): StdioClientTransport {
  const { env, project } = at;
  return new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...words],
    env,
    cwd: project,
    stderr: 'pipe',
  });
}
export const program = (...args: readonly string[]): string[] => [
  process.execPath,
  fixture('stdio.mjs'),
  ...args,
];

export const TRANSPORTS = ['stdio', 'http'] as const;
/** The fixture server itself, and the same behind the proxy. */
export async function bothWays(kind: (typeof TRANSPORTS)[number], at: Ground) {
  const { env, project: cwd } = at;
  if (kind === 'stdio') {
    const [command = '', ...args] = program();
    return {
      straight: (): Transport => new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe' }),
      through: (...words: readonly string[]): Transport => proxied(at, [...words, '--', command, ...args]),
    };
  }
  const url = await served(at);
  const requestInit = { headers: { Authorization: 'Bearer good' } };
  return {
    straight: () => new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Transport,
    through: (...words: readonly string[]): Transport =>
      proxied(at, [...words, '--http', url, '--header', 'Authorization: Bearer good']),
  };
}

/** The address of a fixture over HTTP, which runs in the project. */
export async function served({ env, project: cwd }: Ground, ...words: readonly string[]): Promise<string> {
  const server: ChildProcess = spawn(process.execPath, words.length > 0 ? words : [fixture('http.mjs')], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  return line.toString().trim();
}

export interface Connected {
  readonly client: Client;
  /** Notifications that came, in order. */
  readonly heard: { readonly method: string; readonly params?: unknown }[];
}
export async function connected(
  transport: Transport,
  capabilities: ClientCapabilities = {},
  prepare: (client: Client) => void = () => {},
): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const heard: { readonly method: string; readonly params?: unknown }[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => void heard.push({ method, params });
  prepare(client);
  onTestFinished(() => client.close());
  await client.connect(transport, PATIENT);
  return { client, heard };
}

export const textOf = (result: unknown): string =>
  ((result as { content?: readonly { text?: string }[] }).content ?? [])
    .map(({ text = '' }) => text)
    .join('\n');

function journalIn(home: string): string {
  const folder = join(home, '.local/state/anyhook/journal');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}
