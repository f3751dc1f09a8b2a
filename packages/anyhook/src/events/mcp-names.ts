/** Tools of MCP servers: `mcp__server__tool` in our words. Every agent joins the two in its own way. */

/** How one agent calls them. */
export interface McpSpelling {
  readonly prefix: string;
  /** Stands between server and tool. */
  readonly between: string;
  /** Whatever is no letter, digit or `_` is written as `_`. */
  readonly isPlain?: true;
  /** Its own tools have such names too: one may be a server's, and keeps the name it has. */
  readonly isAnybodys?: true;
}
export interface McpTool {
  readonly server: string;
  readonly tool: string;
}

const OURS: McpSpelling = { prefix: 'mcp__', between: '__' };
/** Names come from servers and models: more ways to part one are not looked at. */
const MOST_WAYS = 8;

export function mcpName({ server, tool }: McpTool, { prefix, between, isPlain }: McpSpelling = OURS): string {
  const name = `${prefix}${server}${between}${tool}`;
  return isPlain ? name.replaceAll(/\W/g, '_') : name;
}

/**
 * What the name of a server's tool may mean, the likeliest first. Where `-` or `_` stands between the two, which may hold
 * it themselves, nobody can tell, nor what a `_` was where all signs became one: then a hook that names any of them is asked.
 */
export function mcpToolsIn(name: string, spelling: McpSpelling = OURS): readonly McpTool[] {
  const found = partsOf(name, spelling);
  return spelling.isPlain ? found.flatMap(meantBy) : found;
}

/** Names with dashes are the usual ones that are changed. */
function meantBy({ server, tool }: McpTool): readonly McpTool[] {
  const ways = (text: string) => [...new Set([text, text.replaceAll('_', '-')])];
  return ways(server).flatMap((one) => ways(tool).map((other) => ({ server: one, tool: other })));
}

function partsOf(name: string, { prefix, between }: McpSpelling): readonly McpTool[] {
  if (!name.startsWith(prefix)) return [];
  const rest = name.slice(prefix.length);
  const found: McpTool[] = [];
  for (
    let at = rest.indexOf(between, 1);
    at !== -1 && at + between.length < rest.length && found.length < MOST_WAYS;
    at = rest.indexOf(between, at + 1)
  ) {
    found.push({ server: rest.slice(0, at), tool: rest.slice(at + between.length) });
    if (between === OURS.between) break;
  }
  return found;
}
