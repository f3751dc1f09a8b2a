/** Holds the current session and switches to another one. */

import type { Listen } from '../front/happening.ts';
import type { Actor } from '../hooks/wire.ts';
import type { Session } from '../session/session.ts';
import { TodoList } from '../tools/todo-list.ts';
import { messageOf } from './failure.ts';
import { giveTitle } from './give-title.ts';
import { landing } from './moves.ts';
import type { Life } from './talk.ts';

export interface SessionBeginning {
  readonly contexts: readonly string[];
  readonly messages: readonly unknown[];
  readonly halt?: string;
}

/** How long to wait for a title at exit. */
const NAMING_MS = 3_000;

export class Sitting {
  readonly #life: Life;
  readonly #listen: Listen;
  readonly #todos = new Map<string, TodoList>();
  readonly #begun = new Set<string>();
  readonly #named = new Set<string>();
  #naming: Promise<void> | undefined;
  #stopNaming: AbortController | undefined;
  #session: Session;
  #source: string;
  constructor(life: Life, session: Session, source: string, listen: Listen) {
    this.#life = life;
    this.#session = session;
    this.#source = source;
    this.#listen = listen;
  }

  get session(): Session {
    return this.#session;
  }
  get todos(): TodoList {
    const todos = this.#todos.get(this.#session.id) ?? new TodoList();
    this.#todos.set(this.#session.id, todos);
    return todos;
  }
  who(): Actor {
    const { cwd, model, settings } = this.#life;
    const scene = { cwd, model: model.id, transcript: this.#session.file, mode: settings.permission.mode };
    const session = this.#session;
    return { session: session.id, scene, usage: () => session.usage };
  }
  tell(): void {
    const { id, file } = this.#session;
    const { provider, id: model } = this.#life.model;
    const { title } = this.#session;
    this.#listen({
      kind: 'session',
      id,
      file,
      model: `${provider}:${model}`,
      ...(title !== undefined && { title }),
    });
  }

  /** Runs once after the first answer, in the background. */
  name(): void {
    if (this.#named.has(this.#session.id)) return;
    this.#named.add(this.#session.id);
    if (this.#session.title !== undefined) return;
    const stop = (this.#stopNaming = new AbortController());
    const talk = { life: this.#life, who: this.who(), session: this.#session, listen: this.#listen };
    this.#naming = giveTitle(talk, stop.signal).then((isNamed) => {
      if (isNamed) this.tell();
    });
  }

  /** Runs once per session, with its first message. */
  async begin(who: Actor): Promise<SessionBeginning> {
    if (this.#begun.has(this.#session.id)) return { contexts: [], messages: [] };
    this.#begun.add(this.#session.id);
    const { title, ...heard } = await this.#life.wire.sessionStart(who, this.#source);
    if (title !== undefined) {
      this.#session.append({ type: 'label', target: null, label: title });
      this.tell();
    }
    return heard;
  }
  async end(reason: string): Promise<void> {
    const late = setTimeout(() => this.#stopNaming?.abort(), reason === 'exit' ? NAMING_MS : 0);
    await this.#naming;
    clearTimeout(late);
    if (this.#begun.has(this.#session.id)) await this.#life.wire.sessionEnd(this.who(), reason);
  }

  /** Returns false if a hook refused. */
  async change(
    reason: 'new' | 'resume',
    source: string,
    open: () => Session,
    target?: string,
  ): Promise<boolean> {
    const why = await this.#life.wire.switching(this.who(), reason, target);
    if (why !== undefined) return this.#stays(`the session stays: ${why}`);
    await this.end(source);
    const previous = this.#session;
    this.#become(open(), source);
    await this.#life.wire.switched(this.who(), reason, previous.file);
    previous.close();
    return true;
  }

  async resume(which: string): Promise<boolean> {
    let next: Session;
    try {
      next = this.#life.store.open(which);
    } catch (error) {
      this.#listen({ kind: 'notice', level: 'error', text: messageOf(error) });
      return false;
    }
    return this.change('resume', 'resume', () => next, next.file);
  }

  async branch(entry: string): Promise<boolean> {
    const place = landing(this.#session, entry);
    if (place === undefined) {
      this.#listen({ kind: 'notice', level: 'error', text: `the session has no entry ${entry}` });
      return false;
    }
    const { cancelled, keepsAll } = await this.#life.wire.branching(this.who(), entry);
    if (cancelled !== undefined) return this.#stays(`no branch: ${cancelled}`);
    this.#stopNaming?.abort();
    await this.#naming;
    const previous = this.#session;
    this.#become(this.#life.store.branch(previous, keepsAll ? previous.leaf : place.leaf), 'resume');
    if (!keepsAll && place.text !== undefined) this.#life.person.dialogs?.setEditorText?.(place.text);
    await this.#life.wire.branched(this.who(), previous.file);
    previous.close();
    return true;
  }

  #become(session: Session, source: string): void {
    this.#session = session;
    this.#source = source;
    this.tell();
  }
  #stays(text: string): false {
    this.#listen({ kind: 'notice', level: 'info', text });
    return false;
  }
}
