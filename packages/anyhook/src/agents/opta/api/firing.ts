/** The firing points of section 3, as functions for an agent's loop. */

import { HookManager, type ManagerOptions } from './manager.ts';
import type { AnyHookDefinition, HookContext, HookEvent, HookResult, OptaSession } from './types.ts';

export const createHookManager = (
  config: { readonly hooks?: readonly AnyHookDefinition[] | undefined },
  options?: ManagerOptions,
): HookManager => HookManager.create(config.hooks, options);

const fire = (
  manager: HookManager,
  event: HookEvent,
  session: OptaSession,
  more: Partial<HookContext> = {},
) =>
  manager.fire(
    event,
    {
      event,
      session_id: session.sessionId,
      cwd: session.cwd,
      ...(session.model !== undefined && { model: session.model }),
      ...more,
    },
    session.signal,
  );

/** Before the loop. */
export const fireSessionStart = (manager: HookManager, session: OptaSession): Promise<HookResult> =>
  fire(manager, 'session.start', session);

/** In the final cleanup, so also after errors. */
export const fireSessionEnd = (manager: HookManager, session: OptaSession): Promise<HookResult> =>
  fire(manager, 'session.end', session);

/**
 * Before a tool runs. `toolArgs` is the JSON text that will execute. If cancelled, do not run the tool and tell the
 * model.
 */
export const fireToolPre = (
  manager: HookManager,
  toolName: string,
  toolArgs: string,
  session: OptaSession,
): Promise<HookResult> => fire(manager, 'tool.pre', session, { tool_name: toolName, tool_args: toolArgs });

/** After a tool returned normally. */
export const fireToolPost = (
  manager: HookManager,
  toolName: string,
  toolArgs: string,
  toolResult: string,
  session: OptaSession,
): Promise<HookResult> =>
  fire(manager, 'tool.post', session, { tool_name: toolName, tool_args: toolArgs, tool_result: toolResult });

/** After the history was replaced by its summary. */
export const fireCompact = (manager: HookManager, session: OptaSession): Promise<HookResult> =>
  fire(manager, 'compact', session);

/** For any error that leaves the loop. The caller rethrows it. */
export const fireError = (manager: HookManager, message: string, session: OptaSession): Promise<HookResult> =>
  fire(manager, 'error', session, { error_message: message });

/** When an answer ends the turn without tool calls. */
export const fireTurnDone = (
  manager: HookManager,
  session: OptaSession,
  turnIndex: number,
): Promise<HookResult> => fire(manager, 'turn.done', session, { turn_index: turnIndex });

/** V4: before a prompt reaches the agent. If cancelled, the prompt is dropped. */
export const firePromptPre = (
  manager: HookManager,
  prompt: string,
  session: OptaSession,
): Promise<HookResult> => fire(manager, 'prompt.pre', session, { prompt });

/** V4: the agent wants to stop. If cancelled, it continues with the reason. The manager allows eight in a row. */
export const fireStop = (manager: HookManager, session: OptaSession): Promise<HookResult> =>
  fire(manager, 'stop', session);
