/** One `Name: value` per line. Other users can read command lines, but not the environment. */
export const HEADERS_VARIABLE = 'ANYHOOK_MCP_HEADERS';
