/**
 * Runs hooks that are tools of MCP servers, through the client of the host or ours. Loaded when the first such hook
 * runs.
 */

import type { Services } from '../events/services.ts';
import type { CallTool, McpRunner, McpRunnerOptions } from '../runners/mcp/index.ts';

export interface McpTools {
  ready(): Promise<McpRunner>;
  /** Stops the servers that were started. */
  close(): Promise<void>;
}

export function lazyMcpTools(
  { tools }: Services,
  where: Pick<McpRunnerOptions, 'cwd' | 'env' | 'inherited'>,
): McpTools {
  let runner: Promise<McpRunner> | undefined;
  const open = async () => {
    const { openMcpRunner } = await import('../runners/mcp/index.ts');
    const call = tools?.call?.bind(tools);
    return openMcpRunner({ ...where, callTool: call && throughHost(call) });
  };
  return {
    ready: () => (runner ??= open()),
    close: async () => (await runner)?.close(),
  };
}

type HostCall = NonNullable<NonNullable<Services['tools']>['call']>;
/** A host addresses tools of a server by their full names. Its answer is a result or a text. */
const throughHost =
  (call: HostCall): CallTool =>
  async (tool, args, { signal, server }) => {
    const answer = await call(server === undefined ? tool : `mcp__${server}__${tool}`, args, signal);
    if (Array.isArray((answer as { content?: unknown } | undefined)?.content))
      return answer as Awaited<ReturnType<CallTool>>;
    const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '');
    return { content: [{ type: 'text', text }] };
  };
