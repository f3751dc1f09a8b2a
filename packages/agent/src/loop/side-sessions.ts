/**
 * Conversations that hooks open beside the user's. Each is a subagent with its own file that accepts several prompts,
 * under the same rules, guards and permissions. The user's turn is not affected.
 */

import { randomBytes } from 'node:crypto';
import type { SessionInfo, SideSessions } from 'anyhook';
import type { Session } from '../session/session.ts';
import { TodoList } from '../tools/todo-list.ts';
import { messageOf } from './failure.ts';
import { runLoop } from './run-loop.ts';
import { subagentTalk } from './subagent.ts';
import { hideContexts, type Talk } from './talk.ts';

interface SideSession {
  readonly session: Session;
  readonly parent: string;
  readonly todos: TodoList;
  readonly stop: AbortController;
  title: string;
  isBegun: boolean;
  /** Resolves when all prompts so far have been answered. */
  busy: Promise<void> | undefined;
}
type SidePrompt = Parameters<SideSessions['prompt']>[1];
/** What hooks may do with the user's own conversation. */
export interface OwnSession {
  talk(signal: AbortSignal): Talk;
  isIdle(): boolean;
  abort(): void;
}

export class BesideSessions implements SideSessions {
  readonly #own: OwnSession;
  readonly #all = new Map<string, SideSession>();
  constructor(own: OwnSession) {
    this.#own = own;
  }

  async open({ title = '', parent }: { title?: string; parent?: string }): Promise<SessionInfo> {
    const { life, session: own } = this.#own.talk(AbortSignal.abort());
    const id = `agent-${randomBytes(4).toString('hex')}`;
    this.#all.set(id, {
      session: life.store.subagent(own, id),
      parent: parent ?? own.id,
      todos: new TodoList(),
      stop: new AbortController(),
      title,
      isBegun: false,
      busy: undefined,
    });
    return this.#info(id);
  }

  async list(): Promise<readonly SessionInfo[]> {
    const { id, title = '' } = this.#current();
    return [
      { id, title, isIdle: this.#own.isIdle() },
      ...[...this.#all.keys()].map((beside) => this.#info(beside)),
    ];
  }

  async entries(id: string): Promise<readonly unknown[]> {
    return (id === this.#current().id ? this.#current() : this.#side(id).session).branch();
  }

  prompt(id: string, prompt: SidePrompt): Promise<void> {
    const side = this.#side(id);
    const answered = (side.busy ?? Promise.resolve()).then(() => this.#answer(id, side, prompt));
    const busy: Promise<void> = answered
      .catch(() => {}) // The caller of the prompt gets the error.
      .finally(() => {
        if (side.busy === busy) side.busy = undefined;
      });
    side.busy = busy;
    return answered;
  }

  async abort(id: string): Promise<void> {
    if (id === this.#current().id) this.#own.abort();
    else this.#side(id).stop.abort();
  }
  async rename(id: string, title: string): Promise<void> {
    const isOwn = id === this.#current().id;
    if (!isOwn) this.#side(id).title = title;
    (isOwn ? this.#current() : this.#side(id).session).append({ type: 'label', target: null, label: title });
  }
  async remove(id: string): Promise<void> {
    if (id === this.#current().id) throw new Error("a hook cannot remove the user's own session");
    await this.#end(this.#side(id));
    this.#all.delete(id);
  }
  async close(): Promise<void> {
    await Promise.all([...this.#all.values()].map((side) => this.#end(side)));
  }

  async #end(side: SideSession): Promise<void> {
    side.stop.abort();
    await side.busy;
    side.session.close();
  }

  async #answer(id: string, side: SideSession, { text, agent: type = 'general', system, reply }: SidePrompt) {
    const { session, todos, stop } = side;
    const own = this.#own.talk(stop.signal);
    const talk = {
      ...subagentTalk(own, session, { id, type }),
      todos,
      ...(system !== undefined && { system }),
    };
    if (!side.isBegun) {
      const { refused, contexts } = await talk.life.wire.subagentStart(talk.who, type, text);
      if (refused !== undefined) throw new Error(`the session was not started: ${refused}`);
      hideContexts(session, contexts);
      side.isBegun = true;
    }
    session.say({ role: 'user', content: text, timestamp: Date.now() });
    if (reply === false) return;
    const { why, detail } = await runLoop(talk).catch((error: unknown) => ({
      why: 'error' as const,
      detail: messageOf(error),
    }));
    if (why !== 'done')
      throw new Error(`the session stopped (${why})${detail === undefined ? '' : `: ${detail}`}`);
  }

  #current = (): Session => this.#own.talk(AbortSignal.abort()).session;
  #side(id: string): SideSession {
    const found = this.#all.get(id);
    if (found === undefined) throw new Error(`unknown session ${id}`);
    return found;
  }
  #info(id: string): SessionInfo {
    const { title, parent, busy } = this.#side(id);
    return { id, title, parent, isIdle: busy === undefined };
  }
}
