/**
 * Where the agent meets its hooks: one function per moment. Each builds the payload, fires, and hands back what the loop
 * has to do about it. Writing an agent of your own, copy this file and keep the moments you have.
 */
import {
  createHooks,
  type EventName,
  type Fields,
  type Hooks,
  type Options,
  type Outcome,
  type Payload,
} from 'anyhook';
import type { HttpHooks } from 'anyhook/ai-sdk';
import type { Listen } from '../front/happening.ts';
import { askTrust } from '../front/ask-trust.ts';
import { CAN } from './can.ts';
import {
  changedIn,
  giftsIn,
  isFields,
  passedOver,
  refusedFor,
  stopped,
  told,
  type Told,
} from './outcomes.ts';
import { problemLine } from '../front/problem-line.ts';
import { type Call, idsOf, type Seat, seatAsking } from './seat.ts';
import { watch } from './watch.ts';

export type { Call, Seat } from './seat.ts';

export type WireOptions = Omit<Options, 'host'>;
export async function openWire(options: WireOptions, listen: Listen): Promise<Wire> {
  const hooks = await createHooks({
    ...options,
    host: { name: 'anyhook-agent', can: CAN },
    modules: { strayErrors: 'survive', ...options.modules },
    watch: { ...options.watch, ...watch(listen) },
  });
  const ui = options.services?.ui;
  if (ui !== undefined && (await askTrust(hooks, ui))) await hooks.reload();
  for (const problem of hooks.problems)
    listen({ kind: 'notice', level: problem.severity, text: problemLine(problem) });
  return new Wire(hooks, listen);
}

export class Wire {
  readonly hooks: Hooks;
  readonly #listen: Listen;
  constructor(hooks: Hooks, listen: Listen) {
    this.hooks = hooks;
    this.#listen = listen;
  }

  /** Every moment goes through here: what hooks say to the person is shown, what could not be done is said. */
  async fire<E extends EventName>(
    name: E,
    payload: Payload<E>,
    seat: Seat,
    call?: string,
  ): Promise<Outcome<E>> {
    const outcome = await this.hooks.fire<E>({
      name,
      payload,
      ids: idsOf(seat, call),
      scene: seat.scene,
      ...(seat.signal && { signal: seat.signal }),
    });
    for (const text of outcome.forPerson) this.#listen({ kind: 'notice', level: 'info', text });
    for (const lost of outcome.lost)
      this.#listen({ kind: 'notice', level: 'warning', text: `${name}: not done here: ${lost}` });
    for (const text of passedOver(outcome))
      this.#listen({ kind: 'notice', level: 'warning', text: `${name}: ${text}` });
    return outcome;
  }
  async #note<E extends EventName>(name: E, payload: Payload<E>, seat: Seat): Promise<void> {
    await this.fire(name, payload, seat);
  }
  close = (): Promise<void> => this.hooks.close();

  // The session
  async sessionStart(
    seat: Seat,
    source: string,
  ): Promise<Told & { title?: string; messages: readonly unknown[] }> {
    const outcome = await this.fire('session.start', { source }, seat);
    const title = outcome.gift('title');
    return {
      ...told(outcome),
      ...(typeof title === 'string' && { title }),
      messages: giftsIn(outcome, 'message'),
    };
  }
  sessionEnd = (seat: Seat, reason: string): Promise<void> => this.#note('session.end', { reason }, seat);
  /** Undefined: go on; otherwise why not. */
  switching = async (seat: Seat, reason: string, target?: string): Promise<string | undefined> =>
    refusedFor(
      await this.fire('session.switching', { reason, ...(target !== undefined && { target }) }, seat),
    );
  switched = (seat: Seat, reason: string, previous: string): Promise<void> =>
    this.#note('session.switched', { reason, previous }, seat);
  async branching(seat: Seat, entry: string): Promise<{ cancelled?: string; keepsAll: boolean }> {
    const outcome = await this.fire('session.branching', { entry }, seat);
    const why = refusedFor(outcome);
    return {
      ...(why !== undefined && { cancelled: why }),
      keepsAll: outcome.gift('skip-restore') === true,
    };
  }
  branched = (seat: Seat, previous: string): Promise<void> =>
    this.#note('session.branched', { previous }, seat);
  async navigating(
    seat: Seat,
    payload: Payload<'session.navigating'>,
  ): Promise<{ cancelled?: string; summary?: Fields }> {
    const outcome = await this.fire('session.navigating', payload, seat);
    const why = refusedFor(outcome);
    const gift = outcome.gift('summary');
    const summary = typeof gift === 'string' ? { summary: gift } : gift;
    return { ...(why !== undefined && { cancelled: why }), ...(isFields(summary) && { summary }) };
  }
  navigated = (seat: Seat, payload: Payload<'session.navigated'>): Promise<void> =>
    this.#note('session.navigated', payload, seat);
  error = (seat: Seat, message: string, kind: string): Promise<void> =>
    this.#note('session.error', { message, kind }, seat);

  // The prompt
  promptSubmit = (seat: Seat, payload: Payload<'prompt.submit'>): Promise<Outcome<'prompt.submit'>> =>
    this.fire('prompt.submit', payload, seat);
  async commandBefore(
    seat: Seat,
    payload: Payload<'command.before'>,
  ): Promise<Told & { refused?: string; parts: readonly unknown[] }> {
    const outcome = await this.fire('command.before', payload, seat);
    const refused = refusedFor(outcome);
    return {
      ...told(outcome),
      ...(refused !== undefined && { refused }),
      parts: outcome.payload.parts ?? [],
    };
  }
  async agentBefore(
    seat: Seat,
    payload: Payload<'agent.before'>,
  ): Promise<{ messages: readonly unknown[]; systemPrompt?: string }> {
    const outcome = await this.fire('agent.before', payload, seat);
    const { systemPrompt } = outcome.payload;
    return {
      messages: giftsIn(outcome, 'message'),
      ...(typeof systemPrompt === 'string' && systemPrompt !== payload.systemPrompt && { systemPrompt }),
    };
  }
  agentStart = (seat: Seat): Promise<void> => this.#note('agent.start', {}, seat);
  agentEnd = (seat: Seat, messages: readonly unknown[]): Promise<void> =>
    this.#note('agent.end', { messages: [...messages] }, seat);
  agentIdle = (seat: Seat, index: number): Promise<void> => this.#note('agent.idle', { index }, seat);
  turnStart = (seat: Seat, index: number): Promise<void> =>
    this.#note('turn.start', { index, timestamp: Date.now() }, seat);
  turnEnd = (seat: Seat, payload: Payload<'turn.end'>): Promise<void> =>
    this.#note('turn.end', payload, seat);
  /** The engine counts: after eight resumes in a row there is none. */
  turnStop = async (seat: Seat, lastMessage: string): Promise<Told & { resume?: string }> =>
    stopped(await this.fire('turn.stop', { active: false, reason: 'done', lastMessage }, seat));

  // The model
  async modelContext(seat: Seat, messages: readonly unknown[]): Promise<readonly unknown[]> {
    const { payload } = await this.fire('model.context', { messages: [...messages] }, seat);
    return Array.isArray(payload.messages) ? payload.messages : messages;
  }
  async modelSystem(seat: Seat, system: readonly string[], model: unknown): Promise<readonly string[]> {
    const { payload } = await this.fire('model.system', { system: [...system], model }, seat);
    return Array.isArray(payload.system) ? payload.system.filter((part) => typeof part === 'string') : system;
  }
  modelParameters = async (
    seat: Seat,
    payload: Payload<'model.parameters'>,
  ): Promise<Payload<'model.parameters'>> => (await this.fire('model.parameters', payload, seat)).payload; // what hooks set is validated by the AI SDK
  /** Another model for side jobs, as a spec. */
  async modelSmall(seat: Seat, provider: string, model: string): Promise<string> {
    const { payload } = await this.fire('model.small', { provider, model }, seat);
    return typeof payload.model === 'string' ? payload.model : model;
  }
  /** For the provider's `fetch`. `usual`: who asks, where the request does not say. */
  http = (usual: () => Seat): HttpHooks => ({
    wants: this.hooks.wants,
    fire: ({ name, payload }) => this.fire(name, payload, seatAsking() ?? usual()),
  });
  async modelText(seat: Seat, payload: Payload<'model.text'>): Promise<string> {
    const { payload: said } = await this.fire('model.text', payload, seat);
    return typeof said.text === 'string' ? said.text : payload.text;
  }

  // Tools
  toolBefore = (seat: Seat, { id, tool, input }: Call): Promise<Outcome<'tool.before'>> =>
    this.fire('tool.before', { tool, input }, seat, id);
  toolPermission = (
    seat: Seat,
    { id, ...payload }: Call & Partial<Payload<'tool.permission'>>,
  ): Promise<Outcome<'tool.permission'>> => this.fire('tool.permission', payload, seat, id);
  async toolDenied(
    seat: Seat,
    { id, tool, input }: Call,
    reason: string,
  ): Promise<Told & { retry?: string }> {
    const outcome = await this.fire('tool.denied', { tool, input, reason }, seat, id);
    return { ...told(outcome), ...(outcome.flow.retry !== undefined && { retry: outcome.flow.retry }) };
  }
  toolAfter = (seat: Seat, id: string, payload: Payload<'tool.after'>): Promise<Outcome<'tool.after'>> =>
    this.fire('tool.after', payload, seat, id);
  async toolFailed(
    seat: Seat,
    { id, tool, input }: Call,
    error: string,
    interrupted: boolean,
  ): Promise<Told & { error: string; changed: boolean }> {
    const outcome = await this.fire('tool.failed', { tool, input, error, interrupted }, seat, id);
    return {
      ...told(outcome),
      error: String(outcome.payload.error),
      changed: changedIn(outcome).length > 0,
    };
  }
  async toolOffered(
    seat: Seat,
    payload: Payload<'tool.offered'>,
  ): Promise<{ description: string; parameters: unknown }> {
    const { payload: said } = await this.fire('tool.offered', payload, seat);
    return { description: String(said.description ?? ''), parameters: said.parameters };
  }
  authOffered = (seat: Seat, payload: Payload<'auth.offered'>): Promise<void> =>
    this.#note('auth.offered', payload, seat);
  async shellEnv(
    seat: Seat,
    call: string,
    cwd: string,
    env: Record<string, string>,
  ): Promise<Record<string, string>> {
    const { payload } = await this.fire('shell.env', { cwd, env }, seat, call);
    return isFields(payload.env) ? payload.env : env;
  }
  fileEdited = async (seat: Seat, call: string, file: string, change: string): Promise<Told> =>
    told(await this.fire('file.edited', { file, change }, seat, call));

  // Subagents, notices, settings
  async subagentStart(seat: Seat, type: string, prompt: string): Promise<Told & { refused?: string }> {
    const outcome = await this.fire('subagent.start', { type, prompt }, seat);
    const refused = refusedFor(outcome);
    return { ...told(outcome), ...(refused !== undefined && { refused }) };
  }
  subagentStop = async (seat: Seat, type: string, lastMessage: string): Promise<Told & { resume?: string }> =>
    stopped(await this.fire('subagent.stop', { type, active: false, reason: 'done', lastMessage }, seat));
  notification = async (seat: Seat, kind: string, message: string): Promise<Told> =>
    told(await this.fire('notification.sent', { kind, message, title: 'anyhook-agent' }, seat));
  async configLoaded(
    seat: Seat,
    config: unknown,
    source: string,
  ): Promise<{ config: unknown; changed: boolean; refused?: string }> {
    const outcome = await this.fire('config.loaded', { config, source }, seat);
    const refused = refusedFor(outcome);
    return {
      config: outcome.payload.config,
      changed: outcome.changed.length > 0,
      ...(refused !== undefined && { refused }),
    };
  }
  /** A moment of this agent for which the canon has no word. */
  other = (seat: Seat, word: string, body: Fields): Promise<void> =>
    this.#note('other', { word, body }, seat);

  // Compaction, retries, rules, todos
  compactionBefore = (
    seat: Seat,
    payload: Payload<'compaction.before'>,
  ): Promise<Outcome<'compaction.before'>> => this.fire('compaction.before', payload, seat);
  compactionPrompt = (
    seat: Seat,
    payload: Payload<'compaction.prompt'>,
  ): Promise<Outcome<'compaction.prompt'>> => this.fire('compaction.prompt', payload, seat);
  compactionAfter = async (seat: Seat, payload: Payload<'compaction.after'>): Promise<Told> =>
    told(await this.fire('compaction.after', payload, seat));
  compactionContinue = async (seat: Seat, overflow: boolean): Promise<boolean> =>
    (await this.fire('compaction.continue', { enabled: true, overflow }, seat)).payload.enabled !== false;
  autocompactionStart = (seat: Seat, reason: string): Promise<void> =>
    this.#note('autocompaction.start', { reason, action: 'compact' }, seat);
  autocompactionEnd = (seat: Seat, payload: Payload<'autocompaction.end'>): Promise<void> =>
    this.#note('autocompaction.end', payload, seat);
  retryStart = (seat: Seat, payload: Payload<'retry.start'>): Promise<void> =>
    this.#note('retry.start', payload, seat);
  retryEnd = (seat: Seat, payload: Payload<'retry.end'>): Promise<void> =>
    this.#note('retry.end', payload, seat);
  ruleTriggered = (seat: Seat, rules: readonly Fields[]): Promise<void> =>
    this.#note('rule.triggered', { rules: [...rules] }, seat);
  todoReminder = (seat: Seat, payload: Payload<'todo.reminder'>): Promise<void> =>
    this.#note('todo.reminder', payload, seat);
}
