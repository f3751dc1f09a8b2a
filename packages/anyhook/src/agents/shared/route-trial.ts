/** How the doctor's probe tests a side route without a terminal: the calls of the model, and the required files. */

import type { Fields } from '../../events/effects.ts';
import type { SideRoute } from './side-routes.ts';

/**
 * A call of the agent's own shell tool, or of its file writing tool, whatever their names, or of a tool by name or
 * `/pattern/`.
 */
export type TrialCall =
  | { readonly shell: string; readonly args?: Fields }
  | { readonly write: string }
  | { readonly tool: string; readonly args?: Fields };
export interface RouteTrial {
  readonly calls: readonly TrialCall[];
  /** The calls of a subagent that received this task. */
  readonly inside?: readonly TrialCall[];
  /** Paths are relative to the home folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Replaces the usual prompt. */
  readonly prompt?: string;
  /** `resumed`: an earlier session runs first. `worktree`: the folder is a linked worktree of a repository. */
  readonly setting?: 'resumed' | 'worktree';
}
export interface TrialTerms {
  /** A command that leaves a mark. */
  readonly command: string;
  /** Starts an MCP server whose tool `touch` leaves the same mark. */
  readonly server: readonly [program: string, file: string];
  /** Identifies requests of the subagent to the model. */
  readonly task: string;
  /** The URL of the model. */
  readonly url: string;
}
export type Trial = (terms: TrialTerms) => RouteTrial;
/** A missing route cannot be tested without a terminal, or no way is known. */
export type RouteTrials = { readonly [R in SideRoute]?: Trial };

/** `tool` is the full name, for agents that only offer a tool after a search. */
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

/** `args` makes the agent's shell tool run the command in the background. */
export const backgroundTrial = (args: Fields) => ({
  background: ({ command }: TrialTerms): RouteTrial => ({
    calls: [{ shell: command, args }, { shell: 'sleep 1' }], // the agent may kill running commands when it exits
  }),
});

/** A model script that calls the shell tool. `files` enables such scripts. */
export const codeTrial = (
  tool: string,
  script: (command: string) => Fields,
  files: Readonly<Record<string, string>> = {},
) => ({
  code: ({ command }: TrialTerms): RouteTrial => ({ calls: [{ tool, args: script(command) }], files }),
});

/** Runs `/probe` from a file of the user. */
export const slashTrial = (file: string, text: string, more: Readonly<Record<string, string>> = {}) => ({
  slash: ({ command }: TrialTerms): RouteTrial => ({
    calls: [{ shell: command }],
    files: { [file]: text, ...more },
    prompt: '/probe',
  }),
});

/** Trials that work for every agent. */
export const EVERYWHERE = {
  worktree: ({ command }: TrialTerms): RouteTrial => ({ calls: [{ shell: command }], setting: 'worktree' }),
} satisfies RouteTrials;
/** For agents that document how to resume a session. */
export const RESUMED = {
  resumed: ({ command }: TrialTerms): RouteTrial => ({ calls: [{ shell: command }], setting: 'resumed' }),
} satisfies RouteTrials;
