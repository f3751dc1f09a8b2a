/** A connection to one MCP server for the length of a session, with the official client. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { FoundServer } from 'anyhook';
import { z } from 'zod';
import { spilled } from './spill.ts';
import { type AgentTool, failed, type ToolResult, type ToolScene } from './tool.ts';

const CALL_MS = 120_000;
const STDERR_KEPT = 1_000;

export class McpConnection {
  readonly #found: FoundServer;
  readonly #client = new Client({ name: 'anyhook-agent', version: '0.1.0' });
  readonly #transport: StdioClientTransport | StreamableHTTPClientTransport;
  #stderr = '';
  #isClosed = false;

  constructor(found: FoundServer, cwd: string) {
    this.#found = found;
    const { server } = found;
    if ('url' in server) {
      this.#transport = new StreamableHTTPClientTransport(new URL(server.url), {
        ...(server.headers && { requestInit: { headers: { ...server.headers } } }),
      });
    } else {
      const program = new StdioClientTransport({
        command: server.command,
        args: [...(server.args ?? [])],
        env: { ...getDefaultEnvironment(), ...server.env },
        cwd: server.cwd ?? cwd,
        stderr: 'pipe',
      });
      program.stderr?.on('data', (chunk: Buffer) => {
        this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT);
      });
      this.#transport = program;
    }
    this.#client.onerror = () => {}; // The pending call reports the error.
    this.#client.onclose = () => (this.#isClosed = true);
  }

  async open(signal: AbortSignal): Promise<readonly AgentTool[]> {
    try {
      await this.#client.connect(this.#transport as Parameters<Client['connect']>[0], { signal });
      const tools: Tool[] = [];
      let cursor: string | undefined;
      do {
        const page = await this.#client.listTools(cursor === undefined ? {} : { cursor }, { signal });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools.map((tool) => this.#tool(tool));
    } catch (error) {
      const output = this.#stderr.trim();
      throw output === ''
        ? error
        : new Error(`${(error as Error).message}; its output: ${output}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // An HTTP server keeps its session until the client ends it.
    if (this.#transport instanceof StreamableHTTPClientTransport)
      await this.#transport.terminateSession().catch(() => {});
    await this.#client.close().catch(() => {});
  }

  #tool({ name, description = '', inputSchema }: Tool): AgentTool {
    return {
      name: `mcp__${this.#found.name}__${name}`,
      description,
      schema: z.record(z.string(), z.unknown()), // The server validates the input.
      parameters: inputSchema,
      execute: (input, scene) => this.#call(name, input, scene),
    };
  }

  async #call(name: string, input: Readonly<Record<string, unknown>>, scene: ToolScene): Promise<ToolResult> {
    if (this.#isClosed) return failed(`The MCP server '${this.#found.name}' has ended.`);
    try {
      const result = await this.#client.callTool({ name, arguments: { ...input } }, undefined, {
        signal: scene.signal,
        timeout: CALL_MS,
        resetTimeoutOnProgress: true,
        onprogress: ({ message }) => {
          if (message !== undefined) scene.progress(`${message}\n`);
        },
      });
      return answered(result as CallToolResult, `${this.#found.name}: ${name}`);
    } catch (error) {
      scene.signal.throwIfAborted();
      return failed(`The MCP server '${this.#found.name}' failed: ${(error as Error).message}`);
    }
  }
}

/** Returns text as it is, and a description of other content. */
function answered({ content, structuredContent, isError }: CallToolResult, title: string): ToolResult {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'resource')
      return 'text' in part.resource ? part.resource.text : `[resource ${part.resource.uri}]`;
    if (part.type === 'resource_link') return `[resource ${part.uri}]`;
    return `[${part.type}, ${part.mimeType}, ${part.data.length} characters of base64]`;
  });
  const whole = parts.join('\n') || (structuredContent ? JSON.stringify(structuredContent) : '(no output)');
  const { text, file } = spilled(whole);
  return {
    output: text,
    title,
    ...(file !== undefined && { metadata: { outputFile: file } }),
    ...(isError === true && { isError }),
  };
}
