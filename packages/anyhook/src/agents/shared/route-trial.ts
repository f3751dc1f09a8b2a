/** How the doctor's probe takes a side route without a terminal: what the model asks for, and what must be there before. */
import type { Fields } from '../../events/effects.ts';
import type { SideRoute } from './side-routes.ts';

/** Of the agent's own shell tool, or its tool that writes a file, whatever they are called; or of a tool by its name or `/pattern/`. */
export type TrialCall =
  | { readonly shell: string; readonly args?: Fields }
  | { readonly write: string }
  | { readonly tool: string; readonly args?: Fields };
export interface RouteTrial {
  readonly calls: readonly TrialCall[];
  /** What a subagent asks for that was given the task of these terms. */
  readonly inside?: readonly TrialCall[];
  /** Below the home folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** In place of the usual one. */
  readonly prompt?: string;
  /** `resumed`: a session comes first, whose end is not the end. `worktree`: the folder is a linked worktree of a repository. */
  readonly setting?: 'resumed' | 'worktree';
}
export interface TrialTerms {
  /** A command that leaves a mark. */
  readonly command: string;
  /** Starts an MCP server whose tool `touch` leaves the same mark. */
  readonly server: readonly [program: string, file: string];
  /** For a subagent: by it the model knows whom it answers. */
  readonly task: string;
  /** Of the model. */
  readonly url: string;
}
export type Trial = (terms: TrialTerms) => RouteTrial;
/** A route that is not here cannot be taken without a terminal, or nobody has found out how. */
export type RouteTrials = { readonly [R in SideRoute]?: Trial };

/** `tool`: its whole name, for agents that do not offer it before it is looked for. */
export const mcpTrial = (
  file: string,
  text: (server: TrialTerms['server'], url: string) => string,
  ...calls: readonly TrialCall[]
) => ({
  mcp: ({ server, url }: TrialTerms): RouteTrial => ({
    calls: calls.length > 0 ? calls : [{ tool: '/touch$/' }],
    files: { [file]: text(server, url) },
  }),
});

export const subagentTrial = (
  tool: string,
  args: (task: string) => Fields,
  ...after: readonly TrialCall[]
) => ({
  subagents: ({ command, task }: TrialTerms): RouteTrial => ({
    calls: [{ tool, args: args(task) }, ...after],
    inside: [{ shell: command }],
  }),
});

/** Beside `args`, which the agent's shell tool takes for a command that it does not wait for. */
export const backgroundTrial = (args: Fields) => ({
  background: ({ command }: TrialTerms): RouteTrial => ({
    calls: [{ shell: command, args }, { shell: 'sleep 1' }], // it may end what is still running
  }),
});

/** A script of the model's that calls the shell tool. `files`: what switches such scripts on. */
export const codeTrial = (
  tool: string,
  script: (command: string) => Fields,
  files: Readonly<Record<string, string>> = {},
) => ({
  code: ({ command }: TrialTerms): RouteTrial => ({ calls: [{ tool, args: script(command) }], files }),
});

/** `/probe`, by a file of the person's. */
export const slashTrial = (file: string, text: string, more: Readonly<Record<string, string>> = {}) => ({
  slash: ({ command }: TrialTerms): RouteTrial => ({
    calls: [{ shell: command }],
    files: { [file]: text, ...more },
    prompt: '/probe',
  }),
});

/** As any agent can be tried. */
export const EVERYWHERE = {
  worktree: ({ command }: TrialTerms): RouteTrial => ({ calls: [{ shell: command }], setting: 'worktree' }),
} satisfies RouteTrials;
/** Where it says how a session is resumed. */
export const RESUMED = {
  resumed: ({ command }: TrialTerms): RouteTrial => ({ calls: [{ shell: command }], setting: 'resumed' }),
} satisfies RouteTrials;
