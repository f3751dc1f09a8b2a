/** Ways in which an agent acts other than by a plain tool call, and whether its hooks run for them. */
export const SIDE_ROUTES = {
  subagents: 'subagents',
  mcp: 'MCP tools',
  background: 'background tasks',
  stdin: 'keys sent to a shell that is running',
  code: 'code mode: tools called from a script',
  bang: '`!` lines of the user',
  slash: '`/` commands of the user',
  resumed: 'resumed sessions',
  worktree: 'worktrees of git',
} as const satisfies Readonly<Record<string, string>>;
export type SideRoute = keyof typeof SIDE_ROUTES;
export const SIDE_ROUTE_NAMES = Object.keys(SIDE_ROUTES) as readonly SideRoute[];

/** `asked`: its hooks run. `unasked`: they do not. `absent`: it has no such route. `unknown`: not examined. */
export type RouteSight = 'asked' | 'unasked' | 'absent' | 'unknown';
export interface RouteFact {
  readonly sight: RouteSight;
  /** `run`: observed in a real run of the newest version in `seen`. `read`: from its documents, sources or threads. */
  readonly from: 'run' | 'read';
  /** Its own names for the tools that open the route, if there is no common name. */
  readonly by?: readonly string[];
}
export type SideRoutes = Readonly<Record<SideRoute, RouteFact>>;

export const inRun = (sight: RouteSight, by?: readonly string[]): RouteFact => ({
  sight,
  from: 'run',
  ...(by && { by }),
});
const mapRoutes = (factOf: (route: SideRoute) => RouteFact): SideRoutes =>
  Object.fromEntries(SIDE_ROUTE_NAMES.map((route) => [route, factOf(route)])) as SideRoutes; // every route

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
/** All routes as observed in runs: as in most agents, except for `own`. */
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
/** No route was examined. */
export const UNKNOWN_ROUTES: SideRoutes = mapRoutes(() => UNKNOWN_ROUTE);

/** Routes that start with a refusable tool call (`gather/side-routes.ts`). */
export const ROUTES_WITH_OPENER = ['stdin', 'subagents', 'code'] as const satisfies readonly SideRoute[];
export const hasOpener = (routes: SideRoutes): boolean =>
  ROUTES_WITH_OPENER.some((route) => routes[route].sight === 'unasked');
