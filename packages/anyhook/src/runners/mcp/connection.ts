/**
 * A connection to one server, from its first use until the session or the server ends. Loads the SDK with the
 * first connection.
 */

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { McpServer } from '../../events/hook.ts';
import { nearest } from '../../events/problems.ts';
import { withCause } from '../../events/thrown.ts';
import { McpFailure } from './fault.ts';
import type { Client } from './packed-sdk.ts';
import type { ProgramTransport } from './program.ts';

/** Requests have the hook's deadline; the SDK's own timer must not fire before it. */
const NO_TIMER = { timeout: 2 ** 31 - 1 };
/** The SDK's code for a closed connection. */
const CLOSED = -32_000;

export class Connection {
  /** No longer usable, because the server ended or missed a deadline. */
  isSpent = false;
  readonly #server: McpServer;
  readonly #cwd: string;
  #ready: Promise<Client> | undefined;
  #program: ProgramTransport | undefined;
  #client: Client | undefined;
  #users = 0;

  constructor(server: McpServer, cwd: string) {
    [this.#server, this.#cwd] = [server, cwd];
  }

  /** Throws a `McpFailure`. */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    this.#users++;
    try {
      const client = await unlessAborted(this.#connected(), signal);
      return await this.#ask(client, tool, args, signal);
    } finally {
      this.#users--;
      // A hanging server, or a stream that is not read to its end, would stay open. Other calls may still be
      // waiting.
      if (signal.aborted) this.isSpent = true;
      if (this.isSpent && this.#users === 0) void this.close();
    }
  }

  async close(): Promise<void> {
    this.isSpent = true;
    const transport = this.#client?.transport;
    await Promise.allSettled([this.#client?.close(), this.#program?.close(), transport?.close()]);
  }

  #connected(): Promise<Client> {
    return (this.#ready ??= this.#open().catch((error: unknown) => {
      this.isSpent = true;
      void this.close();
      throw this.#notStarted(error);
    }));
  }

  async #open(): Promise<Client> {
    const { Client } = await import('./packed-sdk.ts');
    const client = new Client({ name: 'anyhook', version: '0' });
    client.onclose = () => (this.isSpent = true);
    client.onerror = () => {}; // errors that matter reach the waiting call
    this.#client = client;
    await client.connect(await this.#transport(), NO_TIMER);
    return client;
  }

  async #transport() {
    if ('url' in this.#server) {
      const { addressTransport } = await import('./address.ts');
      return addressTransport(this.#server);
    }
    const { ProgramTransport } = await import('./program.ts');
    return (this.#program = new ProgramTransport(this.#server, this.#cwd));
  }

  async #ask(
    client: Client,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const how = { ...NO_TIMER, signal };
    let result: CallToolResult;
    try {
      result = (await client.callTool(
        { name: tool, arguments: { ...args } },
        undefined,
        how,
      )) as CallToolResult;
    } catch (error) {
      throw signal.aborted ? error : ((await this.#unknown(client, tool, how)) ?? this.#broke(error));
    }
    if (result.isError === true) {
      const unknown = await this.#unknown(client, tool, how);
      if (unknown !== undefined) throw unknown;
    }
    return result;
  }

  /** Servers report an unknown tool in different ways, so this checks their list of tools. */
  async #unknown(
    client: Client,
    tool: string,
    how: { readonly signal: AbortSignal },
  ): Promise<McpFailure | undefined> {
    if (this.isSpent) return undefined;
    try {
      const { tools } = await client.listTools(undefined, how);
      const names = tools.map(({ name }) => name);
      if (names.includes(tool)) return undefined;
      const near = nearest(tool, names);
      const hint =
        near === undefined ? `its tools: ${names.join(', ') || 'none'}` : `did you mean '${near}'?`;
      return new McpFailure('unavailable', `${nameOf(this.#server)} has no tool '${tool}'; ${hint}`);
    } catch {
      return undefined; // it does not list its tools
    }
  }

  #notStarted(error: unknown): McpFailure {
    const why = this.#program?.ended || withCause(error);
    return new McpFailure(
      'not-started',
      `${nameOf(this.#server)} could not be ${'url' in this.#server ? 'reached' : 'started'}: ${why}`,
    );
  }

  #broke(error: unknown): McpFailure {
    if (this.#program !== undefined && this.#program.ended !== '')
      return new McpFailure(
        'killed',
        `${nameOf(this.#server)} ended during the call (${this.#program.ended})`,
      );
    const { code, name, message } = error as { code?: unknown; name?: string; message?: string };
    if (name === 'ZodError' || name === '$ZodError')
      return new McpFailure('unreadable', `${nameOf(this.#server)} returned an invalid tool result`);
    const detail = `${nameOf(this.#server)}: ${message ?? String(error)}`;
    if (code !== 404) return new McpFailure(code === CLOSED ? 'killed' : 'failed', detail);
    this.isSpent = true; // the server lost the session; the next call starts a new one
    return new McpFailure('failed', detail, { isUntaken: true });
  }
}

/** Returns the URL without user, password and query, which may be secret. */
function nameOf(server: McpServer): string {
  if (!('url' in server)) return `the MCP server ${[server.command, ...(server.args ?? [])].join(' ')}`;
  const { origin, pathname } = new URL(server.url);
  return `the MCP server ${origin}${pathname}`;
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
