import type { Origin } from '../../../../events/hook.ts';
import type { OfferedTool } from '../../../../events/offers.ts';
import type { Problem } from '../../../../events/problems.ts';
import type { AnyToolDefinition } from '../types/index.ts';
import { offeredTool, type ToolTerms } from './offered-tool.ts';

export interface Tools {
  readonly tools: readonly OfferedTool[];
  readonly problems: readonly Problem[];
}

/** All tools of one plugin. An invalid tool is a problem and does not affect others. */
export function offeredTools(definitions: unknown, origin: Origin, terms: ToolTerms): Tools {
  if (definitions === undefined) return { tools: [], problems: [] };
  if (typeof definitions !== 'object' || definitions === null)
    return {
      tools: [],
      problems: [problem(origin, 'tool', `must be an object of tools, not ${String(definitions)}`)],
    };
  const tools: OfferedTool[] = [];
  const problems: Problem[] = [];
  for (const [name, definition] of Object.entries(definitions as Record<string, AnyToolDefinition>)) {
    try {
      tools.push(offeredTool(name, definition, origin, terms));
    } catch (error) {
      problems.push(problem(origin, `tool.${name}`, (error as Error).message));
    }
  }
  return { tools, problems };
}

/** One tool per name: the last plugin's, as in OpenCode, with a problem that names the replaced one. */
export function lastOfEachName(offered: readonly OfferedTool[]): Tools {
  const byName = new Map<string, OfferedTool>();
  const problems: Problem[] = [];
  for (const tool of offered) {
    const earlier = byName.get(tool.name);
    byName.set(tool.name, tool);
    if (earlier === undefined) continue;
    problems.push({
      ...problem(
        tool.origin,
        `tool.${tool.name}`,
        `replaces the tool of the same name from ${earlier.origin.file}`,
      ),
      code: 'duplicate-key',
      severity: 'warning',
    });
  }
  return { tools: [...byName.values()], problems };
}

const problem = ({ file, line }: Origin, key: string, message: string): Problem => ({
  code: 'bad-value',
  file,
  line,
  key,
  message,
  severity: 'error',
});
