/** How the doctor's probe takes a side route without a terminal: what the model asks for, and what must be there before. */
import type { Fields } from '../../canon/effects.ts';
import type { SideRoute } from './side-routes.ts';

/** Of the agent's own shell tool, whatever it is called; or of a tool by its name or `/pattern/`. */
export type TrialCall =
  | { readonly shell: string; readonly args?: Fields }
  | { readonly tool: string; readonly args?: Fields };
export interface RouteTrial {
  readonly calls: readonly TrialCall[];
  /** What a subagent asks for, whose task is `SUBTASK`. */
  readonly inside?: readonly TrialCall[];
  /** Below the home folder. */
  readonly files?: Readonly<Record<string, string>>;
}
export interface TrialTerms {
  /** A command that leaves a mark. */
  readonly command: string;
  /** Starts an MCP server whose tool `touch` leaves the same mark. */
  readonly server: readonly [program: string, file: string];
}
/** A route that is not here cannot be taken without a terminal, or nobody has found out how. */
export type RouteTrials = { readonly [R in SideRoute]?: (terms: TrialTerms) => RouteTrial };

export const SUBTASK = 'You are the probe of a side route. Do the task.';

/** `tool`: its whole name, for agents that do not offer it before it is looked for. */
export const mcpTrial = (
  file: string,
  text: (server: TrialTerms['server']) => string,
  tool = '/touch$/',
) => ({
  mcp: ({ server }: TrialTerms): RouteTrial => ({
    calls: [{ tool }],
    files: { [file]: text(server) },
  }),
});

export const subagentTrial = (tool: string, args: Fields) => ({
  subagents: ({ command }: TrialTerms): RouteTrial => ({
    calls: [{ tool, args }],
    inside: [{ shell: command }],
  }),
});
