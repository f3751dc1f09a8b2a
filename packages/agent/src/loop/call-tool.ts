import type { Fields } from 'anyhook';
import type { ToolScene } from '../tools/tool.ts';
import type { Life } from './talk.ts';

/** A tool called by a hook, not by the model. Answers as an MCP server would. */
export async function callTool(
  { tools, cwd, env }: Life,
  name: string,
  input: Fields,
  scene: Pick<ToolScene, 'session' | 'todos' | 'signal'>,
): Promise<unknown> {
  // Goose calls a server's tool `server__tool`.
  const tool = [name, `mcp__${name}`].flatMap((one) => tools().find((known) => known.name === one) ?? [])[0];
  if (tool === undefined) throw new Error(`there is no tool '${name}'`);
  const { output, isError = false } = await tool.execute(tool.schema.parse(input), {
    ...scene,
    cwd,
    call: `hook-${Date.now()}`,
    progress() {},
    env: async () => ({ ...env }) as Record<string, string>, // a process takes no notice of what is not there
    edited: async () => {},
  });
  return { content: [{ type: 'text', text: output }], isError };
}
