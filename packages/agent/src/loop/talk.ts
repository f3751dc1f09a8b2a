/** What one conversation is made of, the session's own or a subagent's; and what all of them share. */
import type { Listen } from '../front/happening.ts';
import type { Actor, Wire } from '../hooks/wire.ts';
import type { OpenedModel } from '../models/open-model.ts';
import type { Track } from '../models/track.ts';
import type { Person } from '../front/person.ts';
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
  /** Rules of this session: what the person answered with `always`, and what hooks gave with an approval. */
  readonly rules: Readonly<Record<Mode, string[]>>;
  readonly model: OpenedModel;
  /** Every request of it goes by the hooks. */
  openModel(spec: string): Promise<OpenedModel>;
  tools(): readonly AgentTool[];
  /** What hooks added to the settings: commands, agents, instructions. */
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
  /** Set for subagents. */
  readonly agent?: { readonly id: string; readonly type: string };
  /** The system prompt of this run, when a hook changed it. */
  readonly system?: string;
  /** Lets another agent do a part of it; absent in subagents. */
  readonly task?: (parent: Talk, type: string, prompt: string) => Promise<string>;
  /** What came in while the agent worked; taken between two turns. True: there was something. */
  takeQueued(): Promise<boolean>;
}

/** A hidden message: the model reads it as the user's words, the person does not see it. */
export const hide = (session: Session, customType: string, content: string): void =>
  void session.append({ type: 'custom_message', customType, content, display: false });

/** Context of hooks, each in its own message, in order. */
export function hideContexts(session: Session, contexts: readonly string[]): void {
  for (const text of contexts) hide(session, 'context', `<context>\n${text}\n</context>`);
}

/** What hook modules send: `pi.sendMessage`, or the message of `before_agent_start`. */
export function putIn({ session, listen }: Pick<Talk, 'session' | 'listen'>, given: unknown): void {
  const said = typeof given === 'string' ? { content: given } : ((given ?? {}) as Partial<CustomMessage>);
  const { customType = 'hook', content: parts = '', display = false, details } = said;
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
