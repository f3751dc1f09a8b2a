/** The state of one conversation (of the session or a subagent), and the state that all of them share. */

import type { Listen } from '../front/happening.ts';
import type { Person } from '../front/person.ts';
import type { Actor, Wire } from '../hooks/wire.ts';
import type { OpenedModel } from '../models/open-model.ts';
import type { Track } from '../models/track.ts';
import { contentIn, type CustomMessage } from '../session/message.ts';
import type { Session } from '../session/session.ts';
import type { SessionStore } from '../session/store.ts';
import type { TodoList } from '../tools/todo-list.ts';
import type { AgentTool } from '../tools/tool.ts';
import type { HookedConfig } from './config-hooks.ts';
import type { Mode } from './rules.ts';
import type { Settings } from './settings.ts';

export interface Life {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly wire: Wire;
  readonly person: Person;
  readonly settings: Settings;
  readonly store: SessionStore;
  /** Rules of this session, from `always` answers and from the approvals of hooks. */
  readonly rules: Readonly<Record<Mode, string[]>>;
  readonly model: OpenedModel;
  /** Opens a model whose requests pass through the hooks. */
  openModel(spec: string): Promise<OpenedModel>;
  tools(): readonly AgentTool[];
  /** Settings that hooks added: commands, agents, instructions. */
  readonly hooked: HookedConfig;
}

export interface Talk {
  readonly life: Life;
  readonly listen: Listen;
  readonly session: Session;
  readonly who: Actor;
  readonly signal: AbortSignal;
  readonly track: Track;
  readonly todos: TodoList;
  /** Set for subagents only. */
  readonly agent?: { readonly id: string; readonly type: string };
  /** The system prompt of this run if a hook changed it. */
  readonly system?: string;
  /** Delegates work to a subagent. Absent in subagents. */
  readonly task?: (parent: Talk, type: string, prompt: string) => Promise<string>;
  /** Takes input that arrived while the agent worked. Returns true if there was any. */
  takeQueued(): Promise<boolean>;
}

/** Adds a message that the model reads as a user message and the user does not see. */
export const hide = (session: Session, customType: string, content: string): void =>
  void session.append({ type: 'custom_message', customType, content, display: false });

/** Adds each hook context as its own message, in order. */
export function hideContexts(session: Session, contexts: readonly string[]): void {
  for (const text of contexts) hide(session, 'context', `<context>\n${text}\n</context>`);
}

/** Adds a message from a hook module: `pi.sendMessage`, or the message of `before_agent_start`. */
export function putIn({ session, listen }: Pick<Talk, 'session' | 'listen'>, given: unknown): void {
  const message = typeof given === 'string' ? { content: given } : ((given ?? {}) as Partial<CustomMessage>);
  const { customType = 'hook', content: parts = '', display = false, details } = message;
  const content = typeof parts === 'string' ? parts : contentIn(parts);
  session.append({
    type: 'custom_message',
    customType,
    content,
    display,
    ...(details !== undefined && { details }),
  });
  if (display)
    listen({ kind: 'custom', type: customType, message: { customType, content, display, details } });
}
