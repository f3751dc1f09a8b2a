/** Ways by which an agent does things besides a plain tool call, and whether its hooks are asked there. */
export const SIDE_ROUTES = {
  subagents: 'subagents',
  mcp: 'MCP tools',
  background: 'background tasks',
  stdin: 'keys sent to a shell that is running',
  code: 'code mode: tools called from a script',
  bang: '`!` lines of the person',
  slash: '`/` commands of the person',
  resumed: 'resumed sessions',
  worktree: 'worktrees of git',
} as const satisfies Readonly<Record<string, string>>;
export type SideRoute = keyof typeof SIDE_ROUTES;
export const SIDE_ROUTE_NAMES = Object.keys(SIDE_ROUTES) as readonly SideRoute[];

/** `asked`: its hooks judge it. `unasked`: they do not. `absent`: it has no such way. `unknown`: nobody has looked. */
export type RouteSight = 'asked' | 'unasked' | 'absent' | 'unknown';
export interface RouteFact {
  readonly sight: RouteSight;
  /** `run`: seen in a real run of the version that is the newest in `seen`. `read`: in its documents, sources or threads. */
  readonly from: 'run' | 'read';
  /** Its own names for the tools by which it begins, where the canon has none. */
  readonly by?: readonly string[];
}
export type SideRoutes = Readonly<Record<SideRoute, RouteFact>>;

export const inRun = (sight: RouteSight, by?: readonly string[]): RouteFact => ({
  sight,
  from: 'run',
  ...(by && { by }),
});
const mapRoutes = (factOf: (route: SideRoute) => RouteFact): SideRoutes =>
  Object.fromEntries(SIDE_ROUTE_NAMES.map((route) => [route, factOf(route)])) as SideRoutes; // every one of them

const MOST_SEEN = {
  subagents: 'asked',
  mcp: 'asked',
  background: 'asked',
  stdin: 'absent',
  code: 'absent',
  bang: 'unasked',
  slash: 'asked',
  resumed: 'asked',
  worktree: 'asked',
} as const satisfies Record<SideRoute, RouteSight>;
/** All seen in runs: as in most agents, apart from `own`. */
export function routesInRun(
  own: Readonly<Partial<Record<SideRoute, RouteSight | RouteFact>>> = {},
): SideRoutes {
  return mapRoutes((route) => {
    const fact = own[route] ?? MOST_SEEN[route];
    return typeof fact === 'string' ? inRun(fact) : fact;
  });
}

export const asRead = (sight: RouteSight): RouteFact => ({ sight, from: 'read' });
export const UNKNOWN_ROUTE: RouteFact = asRead('unknown');
/** Nobody has looked at any of them. */
export const UNKNOWN_ROUTES: SideRoutes = mapRoutes(() => UNKNOWN_ROUTE);

/** Routes that begin at a tool which can be refused (`gather/side-routes.ts`). */
export const DOOR_ROUTES = ['stdin', 'subagents', 'code'] as const satisfies readonly SideRoute[];
export const hasDoors = (routes: SideRoutes): boolean =>
  DOOR_ROUTES.some((route) => routes[route].sight === 'unasked');
