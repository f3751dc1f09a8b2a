import type { Run } from '../../../events/outcome.ts';
import type { Problem } from '../../../events/problems.ts';
import type { CallTool } from '../../../runners/mcp/index.ts';

/** An event in Goose's own words, of any of its versions. What is not known here is handed to the hooks as it came. */
export interface GooseEvent {
  readonly hook_event_name?: string;
  readonly session_id?: string;
  readonly cwd?: string;
  readonly [field: string]: unknown;
}

export interface GooseResult {
  /** A prompt or a tool call must not go on; a stop must: the agent continues, with the reason. */
  readonly blocked: boolean;
  /** Why; where it is not blocked: why a stop hook is not obeyed any more. */
  readonly reason?: string;
  /** For the model, from all hooks in their order. */
  readonly additionalContext?: string;
  /** The record of every hook that was considered: also of those that failed and let pass. */
  readonly runs: readonly Run[];
}

export interface GooseOptions {
  /** The home folder; default: the user's. */
  readonly home?: string;
  /** The project's folder, or one below it; default: the process's. */
  readonly cwd?: string;
  /** Calls a tool of the host's own extensions: for `mcp_tool` actions that name no server. */
  readonly callTool?: CallTool;
}

export interface GooseEmitOptions {
  readonly signal?: AbortSignal;
}

export interface GooseHooks {
  /** Never rejects because of a hook. */
  readonly emit: (event: GooseEvent, options?: GooseEmitOptions) => Promise<GooseResult>;
  /** One entry for everything that did not load, with its place. */
  readonly problems: readonly Problem[];
  /** Ends MCP servers before the program ends; nothing else needs it. */
  readonly close: () => Promise<void>;
}
