/** Names of MCP tools: `mcp__server__tool` in our form. Each agent joins server and tool in its own way. */

/** How one agent names MCP tools. */
export interface McpSpelling {
  readonly prefix: string;
  /** Separates server and tool. */
  readonly between: string;
  /** Every character except letters, digits and `_` is replaced by `_`. */
  readonly isPlain?: true;
  /** The agent's own tools may have such names too. The name may mean either and is kept. */
  readonly isAnybodys?: true;
}
export interface McpTool {
  readonly server: string;
  readonly tool: string;
}

const OURS: McpSpelling = { prefix: 'mcp__', between: '__' };
/** Limits how many splits of a name are tried, because names come from servers and models. */
const MOST_WAYS = 8;

export function mcpName({ server, tool }: McpTool, { prefix, between, isPlain }: McpSpelling = OURS): string {
  const name = `${prefix}${server}${between}${tool}`;
  return isPlain ? name.replaceAll(/\W/g, '_') : name;
}

/**
 * Returns what the name of an MCP tool may mean, most likely first. If the separator is `-` or `_`, or if
 * other characters were replaced by `_`, the name is ambiguous. A hook that names any of the readings then
 * matches.
 */
export function mcpToolsIn(name: string, spelling: McpSpelling = OURS): readonly McpTool[] {
  const found = partsOf(name, spelling);
  return spelling.isPlain ? found.flatMap(meantBy) : found;
}

/** Usually it was a dash that was replaced. */
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
