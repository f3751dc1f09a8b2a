import type { Fields } from 'anyhook';
import type { ToolScene } from '../tools/tool.ts';
import type { Life } from './talk.ts';

/** Runs a tool for a hook. Returns the result in the form of an MCP server. */
export async function callTool(
  { tools, cwd, env }: Life,
  name: string,
  input: Fields,
  scene: Pick<ToolScene, 'session' | 'todos' | 'signal'>,
): Promise<unknown> {
  // Goose names the tool of a server `server__tool`.
  const tool = [name, `mcp__${name}`].flatMap((one) => tools().find((known) => known.name === one) ?? [])[0];
  if (tool === undefined) throw new Error(`there is no tool '${name}'`);
  const { output, isError = false } = await tool.execute(tool.schema.parse(input), {
    ...scene,
    cwd,
    call: `hook-${Date.now()}`,
    progress() {},
    env: async () => ({ ...env }) as Record<string, string>, // No event is fired: the model did not make this edit.
    edited: async () => {},
  });
  return { content: [{ type: 'text', text: output }], isError };
}
