import type { Run } from '../../../events/outcome.ts';
import type { Problem } from '../../../events/problems.ts';
import type { CallTool } from '../../../runners/mcp/index.ts';

/** An event in the format of any Goose version. Unknown fields are passed to the hooks unchanged. */
export interface GooseEvent {
  readonly hook_event_name?: string;
  readonly session_id?: string;
  readonly cwd?: string;
  readonly [field: string]: unknown;
}

export interface GooseResult {
  /** Blocked prompts and tool calls do not happen; after a blocked stop the agent continues with the reason. */
  readonly blocked: boolean;
  /** The reason. If not blocked: why a stop hook is no longer obeyed. */
  readonly reason?: string;
  /** For the model, from all hooks in order. */
  readonly additionalContext?: string;
  /** Records of all considered hooks, including those that failed and let pass. */
  readonly runs: readonly Run[];
}

export interface GooseOptions {
  /** The home folder; default: the user's. */
  readonly home?: string;
  /** The project folder or a folder below it; default: the working folder of the process. */
  readonly cwd?: string;
  /** Calls a tool of the host's own extensions, for `mcp_tool` actions without a server. */
  readonly callTool?: CallTool;
}

export interface GooseEmitOptions {
  readonly signal?: AbortSignal;
}

export interface GooseHooks {
  /** Never rejects because of a hook. */
  readonly emit: (event: GooseEvent, options?: GooseEmitOptions) => Promise<GooseResult>;
  /** One entry for every item that did not load, with its location. */
  readonly problems: readonly Problem[];
  /** Stops MCP servers before the program ends. Nothing else needs it. */
  readonly close: () => Promise<void>;
}
