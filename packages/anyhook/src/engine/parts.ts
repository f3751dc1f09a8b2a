import type { Dialect } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Limit, Reply, Request } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { McpTool } from '../events/mcp-names.ts';
import type { Answer, Run } from '../events/outcome.ts';
import type { Services } from '../events/services.ts';

/** A hook that nobody waits for: what it takes to read its answer when the program that fired it has ended. */
export interface LateStart {
  /** By this word its start and its end are known as one run. */
  readonly key: string;
  /** As the hook knows it. */
  readonly event: Event;
}

/** Everything the engine is handed: it knows no agent, no disk and no process. */
export interface Parts {
  /** In the fixed order in which their groups run. */
  readonly dialects: readonly Dialect[];
  /** In order: by layer, then file, then place in the file. */
  readonly hooks: readonly Hook[];
  readonly run: (hook: Hook, request: Request, limit: Limit, late?: LateStart) => Reply | Promise<Reply>;
  /** Hands a `direct` hook the services of the host. */
  readonly services: Services;
  /** Every name a tool goes by. */
  readonly spellings?: (tool: string) => readonly string[];
  /** What a tool may be of MCP servers. */
  readonly mcpTools?: (tool: string) => readonly McpTool[];
  /** Events the host does not fire: their hooks run at the nearest event it does fire. */
  readonly lacks?: readonly EventName[];
  /** For one whole fire; a bridge gives its agent's own limit, less a margin. */
  readonly budgetMs?: number;
  /** All hooks decide, are recorded and are not enforced. */
  readonly shadow?: boolean;
  /** An answer that ends the event in the hook's own agent (`endsTurn`) ends it for the later hooks of that dialect. */
  readonly seedStrict?: boolean;
  /** What background hooks said in the end. */
  readonly onLate?: (run: Run, hook: Hook, event: Event) => void;
  /** For a status line while somebody waits. */
  readonly onStart?: (hook: Hook, event: Event) => void;
  readonly onEnd?: (hook: Hook, event: Event, run: { readonly ms: number; readonly answer: Answer }) => void;
}
