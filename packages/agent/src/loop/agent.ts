/** The agent: one session and one prompt at a time. It reports everything it does to its listener. */

import type { Fields, Hooks, OfferedCommand } from 'anyhook';
import type { Happening, Listen } from '../front/happening.ts';
import type { Spot } from '../front/spot.ts';
import type { OpenedModel } from '../models/open-model.ts';
import type { ImagePart } from '../session/message.ts';
import type { Session } from '../session/session.ts';
import type { ListedSession } from '../session/store.ts';
import type { TodoList } from '../tools/todo-list.ts';
import type { ToolScene } from '../tools/tool.ts';
import { compact } from './compaction.ts';
import { messageOf } from './failure.ts';
import { modelsIn, type ModelView } from './models-in.ts';
import { navigate } from './moves.ts';
import { pastOf } from './past-of.ts';
import { promptCommands, promptNamed } from './prompt-commands.ts';
import { readyCommand } from './ready-command.ts';
import { runLoop } from './run-loop.ts';
import type { ServedAgent } from './services.ts';
import { BesideSessions } from './side-sessions.ts';
import { Sitting } from './sitting.ts';
import { spotsIn } from './spots.ts';
import { runSubagent } from './subagent.ts';
import { type Prompt, submit } from './submit.ts';
import { systemPrompt } from './system-prompt.ts';
import { takeIn, type Waiting } from './take-in.ts';
import { hide, hideContexts, type Life, putIn, type Talk } from './talk.ts';

export interface AgentParts {
  /** Shared by all conversations. The model can change. */
  readonly life: { -readonly [K in keyof Life]: Life[K] };
  readonly session: Session;
  /** Why the session started: `startup` or `resume`. */
  readonly source: string;
  readonly listeners: Set<Listen>;
  readonly commandFolders: readonly string[];
  /** Closes what was opened for the agent, such as MCP servers. */
  readonly onClose?: () => Promise<void>;
}

export class Agent implements ServedAgent {
  readonly #parts: AgentParts;
  readonly #sitting: Sitting;
  readonly beside: BesideSessions;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #stop: AbortController | undefined;
  #prompts = 0;
  #isClosed = false;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#sitting = new Sitting(parts.life, parts.session, parts.source, this.#tell);
    this.beside = new BesideSessions({
      talk: (signal) => this.#talk(signal),
      isIdle: () => this.isIdle(),
      abort: () => this.abort(),
    });
  }

  get hooks(): Hooks {
    return this.#life.wire.hooks;
  }
  get model(): string {
    return `${this.#life.model.provider}:${this.#life.model.id}`;
  }
  get session(): Pick<Session, 'id' | 'file'> {
    const { id, file } = this.#sitting.session;
    return { id, file };
  }
  get current(): Session {
    return this.#sitting.session;
  }
  get todos(): TodoList {
    return this.#sitting.todos;
  }
  get #life(): AgentParts['life'] {
    return this.#parts.life;
  }

  listen(listen: Listen): () => void {
    this.#parts.listeners.add(listen);
    return () => void this.#parts.listeners.delete(listen);
  }
  isIdle(): boolean {
    return this.#running === undefined;
  }
  hasQueued(): boolean {
    return this.#queue.length > 0;
  }
  async waitForIdle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }
  /** May be called at any time. The session stays valid and keeps the partial answer. */
  abort(): void {
    this.#queue = [];
    this.#stop?.abort(new DOMException('the user stopped the agent', 'AbortError'));
  }

  /**
   * Resolves when the agent is idle again and never rejects: errors are reported as happenings. While the agent works,
   * the prompt waits for the next turn.
   */
  prompt(text: string, images: readonly ImagePart[] = []): Promise<void> {
    if (this.#running === undefined) return this.#work((talk) => this.#answer(talk, { text, images }));
    this.#queue.push({ prompt: { text, images } });
    this.#tell({ kind: 'queued', text });
    return this.waitForIdle();
  }

  /** Handles a message from a hook module: immediately when idle, otherwise between two turns. */
  send(message: Fields, { trigger }: { readonly trigger: boolean }): void {
    if (this.#running !== undefined) this.#queue.push({ message });
    else {
      putIn({ session: this.#sitting.session, listen: this.#tell }, message);
      if (trigger) void this.#work((talk) => this.#loop(talk));
    }
  }

  async compact(instructions?: string): Promise<void> {
    await this.#work(async (talk) => {
      const done = await compact(talk, 'manual', instructions === undefined ? {} : { instructions });
      if (done.kind === 'done') return;
      const text = done.kind === 'nothing' ? 'there is nothing to compact yet' : `not compacted: ${done.why}`;
      this.#tell({ kind: 'notice', level: 'info', text });
    });
  }

  async newSession({ parentSession }: { readonly parentSession?: string } = {}): Promise<boolean> {
    await this.#quiet();
    return this.#sitting.change('new', 'clear', () => this.#life.store.create(parentSession));
  }
  /** `which` is a file or the beginning of a session id. */
  async resume(which: string): Promise<boolean> {
    await this.#quiet();
    return this.#sitting.resume(which);
  }
  async branch(entry: string): Promise<boolean> {
    await this.#quiet();
    return this.#sitting.branch(entry);
  }
  async navigate(entry: string, { summarize }: { readonly summarize: boolean }): Promise<boolean> {
    let isDone = false;
    await this.#work(async (talk) => void (isDone = await navigate(talk, entry, summarize)));
    return isDone;
  }

  /** Returns false if there is no such model; a notice says why. */
  async setModel(spec: string): Promise<boolean> {
    let next: OpenedModel;
    try {
      next = await this.#life.openModel(spec);
    } catch (error) {
      this.#tell({ kind: 'notice', level: 'error', text: messageOf(error) });
      return false;
    }
    const from = this.model;
    this.#life.model = next;
    this.#sitting.session.append({ type: 'model_change', model: spec });
    await this.#life.wire.other(this.#sitting.who(), 'model.changed', { from, to: this.model });
    this.#sitting.tell();
    return true;
  }

  sessions = (): readonly ListedSession[] => this.#life.store.list();
  spots = (): readonly Spot[] => spotsIn(this.#sitting.session);
  /** Commands of hook modules, then prompt files, then commands that hooks added to the settings. */
  commands = (): readonly Pick<OfferedCommand, 'name' | 'description'>[] => [
    ...this.hooks.offers.commands,
    ...promptCommands(this.#promptPlaces()),
  ];
  /** Runs a command of a hook module or a named prompt. Returns false if there is none or a hook refused it. */
  async runCommand(name: string, args: string): Promise<boolean> {
    const offered = this.hooks.offers.commands.find((command) => command.name === name);
    const text = offered === undefined ? promptNamed(name, args, this.#promptPlaces()) : undefined;
    if (offered === undefined && text === undefined) return false;
    const ready = await readyCommand(this.#life.wire, this.#sitting.who(), { name, args, text });
    if (ready.kind === 'refused') {
      this.#tell({ kind: 'notice', level: 'error', text: `/${name} was blocked: ${ready.why}` });
      return false;
    }
    try {
      if (offered !== undefined) await offered.run(args);
    } catch (error) {
      this.#tell({ kind: 'notice', level: 'error', text: `/${name}: ${messageOf(error)}` });
    }
    const { prompt, contexts } = ready;
    const id = prompt.text === '' ? '' : this.#sitting.session.newId();
    if (id !== '') await this.#work((talk) => this.#answer(talk, { ...prompt, id }, contexts));
    else hideContexts(this.#sitting.session, contexts);
    const executed = { name, arguments: args, messageID: id };
    await this.#life.wire.other(this.#sitting.who(), 'command.executed', executed);
    return true;
  }

  #promptPlaces = () => ({ folders: this.#parts.commandFolders, settled: this.#life.hooked.commands });
  models = (): readonly ModelView[] => modelsIn(this.#life);
  config = (): Fields => this.#life.hooked.config;
  /** The earlier happenings of this session. */
  past = (): readonly Happening[] => pastOf(this.#sitting.session);

  /** Lets a hook call a tool of the agent. No permission is asked, because the model did not make the call. */
  callTool(name: string, input: Fields, signal: AbortSignal): Promise<unknown> {
    const { id: session } = this.#sitting.session;
    return callTool(this.#life, name, input, { session, todos: this.todos, signal });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#quiet();
    await this.beside.close();
    await this.#sitting.end('exit');
    await this.#life.wire.close();
    this.#sitting.session.close();
    await this.#parts.onClose?.();
  }

  // Prompts run one at a time.

  #work(job: (talk: Talk) => Promise<void>): Promise<void> {
    if (this.#running !== undefined) return this.waitForIdle().then(() => this.#work(job));
    const stop = (this.#stop = new AbortController());
    this.#running = job(this.#talk(stop.signal))
      .catch((error: unknown) =>
        stop.signal.aborted
          ? this.#tell({ kind: 'stopped', why: 'aborted' })
          : this.#failed(messageOf(error)),
      )
      .finally(() => {
        this.#running = undefined;
        this.#stop = undefined;
      });
    return this.#running;
  }

  async #answer(talk: Talk, prompt: Prompt, contexts: readonly string[] = []): Promise<void> {
    const begun = await this.#sitting.begin(talk.who);
    if (begun.halt !== undefined) return this.#tell({ kind: 'stopped', why: 'halted', detail: begun.halt });
    const submitted = await submit(talk, prompt, [...begun.contexts, ...contexts]);
    if (talk.signal.aborted) return this.#tell({ kind: 'stopped', why: 'aborted' });
    if (submitted.kind === 'refused') {
      this.#tell({ kind: 'notice', level: 'error', text: `the prompt was blocked: ${submitted.why}` });
      return this.#tell({ kind: 'stopped', why: 'halted', detail: submitted.why });
    }
    for (const message of begun.messages) putIn(talk, message);
    const own = systemPrompt(talk).join('\n\n');
    const { messages, systemPrompt: system } = await this.#life.wire.agentBefore(
      { ...talk.who, message: submitted.id },
      {
        prompt: submitted.text,
        ...(prompt.images.length > 0 && { images: [...prompt.images] }),
        systemPrompt: own,
      },
    );
    for (const message of messages) putIn(talk, message);
    await this.#loop(system === undefined ? talk : { ...talk, system });
  }

  async #loop(talk: Talk): Promise<void> {
    const { wire } = this.#life;
    const from = this.#sitting.session.messages().length;
    await wire.agentStart(talk.who);
    const ending = await runLoop(talk);
    const who = this.#sitting.who(); // Without the signal: these steps also run after an abort.
    if (ending.why === 'error') await wire.error(who, ending.detail ?? '', 'model');
    if (ending.why === 'aborted') {
      hide(this.#sitting.session, 'aborted', 'The user stopped you here.');
      await wire.error(who, 'the user stopped the agent', 'aborted');
    }
    await wire.agentEnd(who, this.#sitting.session.messages().slice(from));
    await wire.agentIdle(who, this.#prompts++);
    this.#tell({ kind: 'stopped', ...ending });
    if (ending.why === 'done') this.#sitting.name();
  }

  async #quiet(): Promise<void> {
    this.abort();
    await this.waitForIdle();
  }

  async #failed(message: string): Promise<void> {
    await this.#life.wire.error(this.#sitting.who(), message, 'internal');
    this.#tell({ kind: 'stopped', why: 'error', detail: message });
  }

  #talk(signal: AbortSignal): Talk {
    return {
      life: this.#life,
      listen: this.#tell,
      session: this.#sitting.session,
      who: { ...this.#sitting.who(), signal },
      signal,
      track: 'main',
      todos: this.todos,
      task: runSubagent,
      takeQueued: () => takeIn(this.#talk(signal), this.#queue.splice(0)),
    };
  }
  readonly #tell = (happening: Happening): void => {
    for (const listen of this.#parts.listeners) listen(happening);
  };
}

/** Runs a tool for a hook. Returns the result in the form of an MCP server. */
async function callTool(
  { tools, cwd, env }: Life,
  name: string,
  input: Fields,
  scene: Pick<ToolScene, 'session' | 'todos' | 'signal'>,
): Promise<unknown> {
  // Goose names the tool of a server `server__tool`.
  const tool = [name, `mcp__${name}`].flatMap((one) => tools().find((known) => known.name === one) ?? [])[0];
  if (tool === undefined) throw new Error(`there is no tool '${name}'`);
  const { output, isError = false } = await tool.execute(tool.schema.parse(input), {
    ...scene,
    cwd,
    call: `hook-${Date.now()}`,
    progress() {},
    env: async () => ({ ...env }) as Record<string, string>, // No event is fired: the model did not make this edit.
    edited: async () => {},
  });
  return { content: [{ type: 'text', text: output }], isError };
}
