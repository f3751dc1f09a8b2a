/** Ways by which an agent does things besides a plain tool call, and whether its hooks are asked there. */
export const SIDE_ROUTES = {
  stdin: 'keys sent to a shell that is running',
  bang: '`!` lines of the person',
  code: 'code mode: tools called from a script',
  background: 'background tasks',
  subagents: 'subagents',
  mcp: 'MCP tools',
} as const satisfies Readonly<Record<string, string>>;
export type SideRoute = keyof typeof SIDE_ROUTES;
export const SIDE_ROUTE_NAMES = Object.keys(SIDE_ROUTES) as readonly SideRoute[];

/** `asked`: its hooks judge it. `unasked`: they do not. `absent`: it has no such way. `unknown`: nobody has looked. */
export type RouteSight = 'asked' | 'unasked' | 'absent' | 'unknown';
export type SideRoutes = Readonly<Record<SideRoute, RouteSight>>;
