/** Adapts tools of hook modules for this agent. */

import type { OfferedTool } from 'anyhook';
import { z } from 'zod';
import { type AgentTool, failed } from './tool.ts';

export interface OfferedTools {
  readonly tools: readonly AgentTool[];
  /** Reasons for tools that are not used. */
  readonly notices: readonly string[];
  /** Names of built-in tools that were replaced. */
  readonly replaced: readonly string[];
}

/**
 * The first tool with a name keeps it. `mayReplace` allows a dialect to replace built-in tools, as plugins of OpenCode
 * do. No tool replaces one of another module.
 */
export function offeredTools(
  offered: readonly OfferedTool[],
  taken: readonly string[],
  mayReplace: (tool: OfferedTool) => boolean = () => false,
): OfferedTools {
  const owners = new Map(taken.map((name) => [name, 'the agent itself']));
  const tools: AgentTool[] = [];
  const notices: string[] = [];
  const replaced: string[] = [];
  for (const tool of offered) {
    const owner = owners.get(tool.name);
    const isOwn = owner !== undefined && taken.includes(tool.name) && !replaced.includes(tool.name);
    if (owner !== undefined && !(isOwn && mayReplace(tool))) {
      notices.push(`The tool '${tool.name}' of ${placeOf(tool)} is not used: ${owner} has one of that name.`);
      continue;
    }
    if (isOwn) replaced.push(tool.name);
    owners.set(tool.name, placeOf(tool));
    tools.push(agentTool(tool));
  }
  return { tools, notices, replaced };
}

const placeOf = ({ origin }: OfferedTool): string => `${origin.file}:${origin.line}`;

const agentTool = (tool: OfferedTool): AgentTool => ({
  name: tool.name,
  description: tool.description,
  schema: z.record(z.string(), z.unknown()), // The module validates the input with its own schema.
  parameters: tool.parameters,
  async execute(input, { session, call, agent, cwd, signal, progress }) {
    try {
      return await tool.execute(input, {
        session,
        call,
        cwd,
        signal,
        ...(agent !== undefined && { agent }),
        progress: ({ title }) => {
          if (title !== undefined) progress(`${title}\n`);
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      return failed(error instanceof Error ? error.message : String(error));
    }
  },
});
