import type { Dialect } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Limit, Reply, Request } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { McpTool } from '../events/mcp-names.ts';
import type { Answer, Run } from '../events/outcome.ts';
import type { Services } from '../events/services.ts';

/** What is needed to read the answer of a background hook after the program that fired it has ended. */
export interface LateStart {
  /** Identifies the start and the end of one run. */
  readonly key: string;
  /** The event in the form that the hook received. */
  readonly event: Event;
}

/**
 * Everything the engine needs from its caller. The engine itself knows no agent, reads no files and starts no
 * processes.
 */
export interface Parts {
  /** In the fixed order in which their groups run. */
  readonly dialects: readonly Dialect[];
  /** Sorted by layer, file and position in the file. */
  readonly hooks: readonly Hook[];
  readonly run: (hook: Hook, request: Request, limit: Limit, late?: LateStart) => Reply | Promise<Reply>;
  /** The host's services, passed to `direct` hooks. */
  readonly services: Services;
  /** All names of a tool. */
  readonly spellings?: (tool: string) => readonly string[];
  /** The MCP tools that a tool name may refer to. */
  readonly mcpTools?: (tool: string) => readonly McpTool[];
  /** Events that the host does not fire. Their hooks run at the nearest event that it does fire. */
  readonly lacks?: readonly EventName[];
  /** Limit for one whole fire. A bridge passes its agent's own limit, less a margin. */
  readonly budgetMs?: number;
  /** All hooks run and are recorded, but their decisions are not enforced. */
  readonly shadow?: boolean;
  /**
   * If a hook's answer ends the event in its own agent (`endsTurn`), the later hooks of that dialect are
   * skipped.
   */
  readonly seedStrict?: boolean;
  /** Receives the results of background hooks. */
  readonly onLate?: (run: Run, hook: Hook, event: Event) => void;
  /** Called when a hook starts, for example to show a status line. */
  readonly onStart?: (hook: Hook, event: Event) => void;
  readonly onEnd?: (hook: Hook, event: Event, run: { readonly ms: number; readonly answer: Answer }) => void;
}
