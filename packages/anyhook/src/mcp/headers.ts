/** One `Name: value` a line: what anybody could read in a list of processes is nobody's business in an environment. */
export const HEADERS_VARIABLE = 'ANYHOOK_MCP_HEADERS';
