/**
 * Connects the agent to its hooks, one function per event: build the payload, fire, return what the loop must do. To
 * write your own agent, copy this file and keep the events you have.
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
import { askTrust } from '../front/ask-trust.ts';
import type { Listen } from '../front/happening.ts';
import { problemLine } from '../front/problem-line.ts';
import { type Actor, actorAsking, type Call, idsOf } from './actor.ts';
import { CAN } from './can.ts';
import {
  type Advice,
  changedIn,
  giftsIn,
  isFields,
  passedOver,
  refusedFor,
  stopped,
  adviceIn,
} from './outcomes.ts';
import { watch } from './watch.ts';

export type { Call, Actor } from './actor.ts';
export type WireOptions = Omit<Options, 'host'>;
export async function openWire(options: WireOptions, listen: Listen): Promise<Wire> {
  const hooks = await createHooks({
    ...options,
    host: { name: 'anyhook-agent', can: CAN },
    approvals: true,
    sessionStore: 'file', // Another process can resume the session, so stray errors of modules must not end it.
    modules: { strayErrors: 'survive', ...options.modules },
    watch: { ...options.watch, ...watch(listen) },
  });
  const { ui } = options.services ?? {};
  if (ui && (await askTrust(hooks, ui))) await hooks.reload();
  for (const problem of hooks.problems)
    listen({ kind: 'notice', level: problem.severity, text: problemLine(problem) });
  return new Wire(hooks, listen);
}
export class Wire {
  readonly hooks: Hooks;
  readonly #listen: Listen;
  readonly #variables = new GivenVariables();
  constructor(hooks: Hooks, listen: Listen) {
    this.hooks = hooks;
    this.#listen = listen;
  }

  /** Fires every event. Shows messages from hooks to the user and reports effects that the agent could not apply. */
  async fire<E extends EventName>(
    name: E,
    payload: Payload<E>,
    who: Actor,
    call?: string,
  ): Promise<Outcome<E>> {
    const outcome = await this.hooks.fire<E>({
      name,
      payload,
      ids: idsOf(who, call),
      scene: who.scene,
      ...(who.usage && { usage: who.usage() }),
      ...(who.signal && { signal: who.signal }),
    });
    this.#variables.take(outcome, who);
    for (const text of outcome.forPerson) this.#listen({ kind: 'notice', level: 'info', text });
    for (const lost of outcome.lost)
      this.#listen({ kind: 'notice', level: 'warning', text: `${name}: not done here: ${lost}` });
    for (const text of passedOver(outcome))
      this.#listen({ kind: 'notice', level: 'warning', text: `${name}: ${text}` });
    return outcome;
  }
  async #note<E extends EventName>(name: E, payload: Payload<E>, who: Actor): Promise<void> {
    await this.fire(name, payload, who);
  }
  close = (): Promise<void> => this.hooks.close();

  // The session
  async sessionStart(
    who: Actor,
    source: string,
  ): Promise<Advice & { title?: string; messages: readonly unknown[] }> {
    const outcome = await this.fire('session.start', { source }, who);
    const title = outcome.gift('title');
    return {
      ...adviceIn(outcome),
      ...(title !== undefined && { title }),
      messages: giftsIn(outcome, 'message'),
    };
  }
  sessionEnd = (who: Actor, reason: string): Promise<void> => this.#note('session.end', { reason }, who);
  /** Returns undefined to proceed, or the reason why not. */
  switching = async (who: Actor, reason: string, target?: string): Promise<string | undefined> =>
    refusedFor(
      await this.fire('session.switching', { reason, ...(target !== undefined && { target }) }, who),
    );
  switched = (who: Actor, reason: string, previous: string): Promise<void> =>
    this.#note('session.switched', { reason, previous }, who);
  async branching(who: Actor, entry: string): Promise<{ cancelled?: string; keepsAll: boolean }> {
    const outcome = await this.fire('session.branching', { entry }, who);
    const why = refusedFor(outcome);
    return {
      ...(why !== undefined && { cancelled: why }),
      keepsAll: outcome.gift('skip-restore') === true,
    };
  }
  branched = (who: Actor, previous: string): Promise<void> =>
    this.#note('session.branched', { previous }, who);
  async navigating(
    who: Actor,
    payload: Payload<'session.navigating'>,
  ): Promise<{ cancelled?: string; summary?: Fields }> {
    const outcome = await this.fire('session.navigating', payload, who);
    const why = refusedFor(outcome);
    const gift = outcome.gift('summary');
    const summary = typeof gift === 'string' ? { summary: gift } : gift;
    return { ...(why !== undefined && { cancelled: why }), ...(summary && { summary }) };
  }
  navigated = (who: Actor, payload: Payload<'session.navigated'>): Promise<void> =>
    this.#note('session.navigated', payload, who);
  error = (who: Actor, message: string, kind: string): Promise<void> =>
    this.#note('session.error', { message, kind }, who);

  // The prompt
  promptSubmit = (who: Actor, payload: Payload<'prompt.submit'>): Promise<Outcome<'prompt.submit'>> =>
    this.fire('prompt.submit', payload, who);
  async commandBefore(
    who: Actor,
    payload: Payload<'command.before'>,
  ): Promise<Advice & { refused?: string; parts: readonly unknown[] }> {
    const outcome = await this.fire('command.before', payload, who);
    const refused = refusedFor(outcome);
    return {
      ...adviceIn(outcome),
      ...(refused !== undefined && { refused }),
      parts: outcome.payload.parts ?? [],
    };
  }
  async agentBefore(
    who: Actor,
    payload: Payload<'agent.before'>,
  ): Promise<{ messages: readonly unknown[]; systemPrompt?: string }> {
    const outcome = await this.fire('agent.before', payload, who);
    const { systemPrompt } = outcome.payload;
    return {
      messages: giftsIn(outcome, 'message'),
      ...(typeof systemPrompt === 'string' && systemPrompt !== payload.systemPrompt && { systemPrompt }),
    };
  }
  agentStart = (who: Actor): Promise<void> => this.#note('agent.start', {}, who);
  agentEnd = (who: Actor, messages: readonly unknown[]): Promise<void> =>
    this.#note('agent.end', { messages: [...messages] }, who);
  agentIdle = (who: Actor, index: number): Promise<void> => this.#note('agent.idle', { index }, who);
  turnStart = (who: Actor, index: number): Promise<void> =>
    this.#note('turn.start', { index, timestamp: Date.now() }, who);
  turnEnd = (who: Actor, payload: Payload<'turn.end'>): Promise<void> => this.#note('turn.end', payload, who);
  /** The engine limits resumes: after eight in a row it returns none. */
  turnStop = async (who: Actor, lastMessage: string): Promise<Advice & { resume?: string }> =>
    stopped(await this.fire('turn.stop', { active: false, reason: 'done', lastMessage }, who));

  // The model
  async modelContext(who: Actor, messages: readonly unknown[]): Promise<readonly unknown[]> {
    const { payload } = await this.fire('model.context', { messages: [...messages] }, who);
    return Array.isArray(payload.messages) ? payload.messages : messages;
  }
  async modelSystem(who: Actor, system: readonly string[], model: unknown): Promise<readonly string[]> {
    const { payload } = await this.fire('model.system', { system: [...system], model }, who);
    return Array.isArray(payload.system) ? payload.system.filter((part) => typeof part === 'string') : system;
  }
  modelParameters = async (
    who: Actor,
    payload: Payload<'model.parameters'>,
  ): Promise<Payload<'model.parameters'>> => (await this.fire('model.parameters', payload, who)).payload; // The AI SDK validates the values that hooks set.
  /** Returns the model for side jobs as a spec; hooks may replace it. */
  async modelSmall(who: Actor, provider: string, model: string): Promise<string> {
    const { payload } = await this.fire('model.small', { provider, model }, who);
    return typeof payload.model === 'string' ? payload.model : model;
  }
  /** For the `fetch` of the provider. `usual` is the actor when the request names none. */
  http = (usual: () => Actor): HttpHooks => ({
    wants: this.hooks.wants,
    fire: ({ name, payload }) => this.fire(name, payload, actorAsking() ?? usual()),
  });
  async modelText(who: Actor, payload: Payload<'model.text'>): Promise<string> {
    const { payload: changed } = await this.fire('model.text', payload, who);
    return typeof changed.text === 'string' ? changed.text : payload.text;
  }

  // Tools
  toolBefore = (who: Actor, { id, tool, input }: Call): Promise<Outcome<'tool.before'>> =>
    this.fire('tool.before', { tool, input }, who, id);
  toolPermission = (
    who: Actor,
    { id, ...payload }: Call & Partial<Payload<'tool.permission'>>,
  ): Promise<Outcome<'tool.permission'>> => this.fire('tool.permission', payload, who, id);
  async toolDenied(
    who: Actor,
    { id, tool, input }: Call,
    reason: string,
  ): Promise<Advice & { retry?: string }> {
    const outcome = await this.fire('tool.denied', { tool, input, reason }, who, id);
    return { ...adviceIn(outcome), ...(outcome.flow.retry !== undefined && { retry: outcome.flow.retry }) };
  }
  toolAfter = (who: Actor, id: string, payload: Payload<'tool.after'>): Promise<Outcome<'tool.after'>> =>
    this.fire('tool.after', payload, who, id);
  async toolFailed(
    who: Actor,
    { id, tool, input }: Call,
    how: Omit<Payload<'tool.failed'>, 'tool' | 'input'>,
  ): Promise<Advice & { error: string; changed: boolean }> {
    const outcome = await this.fire('tool.failed', { tool, input, ...how }, who, id);
    return {
      ...adviceIn(outcome),
      error: String(outcome.payload.error),
      changed: changedIn(outcome).length > 0,
    };
  }
  async toolOffered(
    who: Actor,
    payload: Payload<'tool.offered'>,
  ): Promise<{ description: string; parameters: unknown }> {
    const { payload: changed } = await this.fire('tool.offered', payload, who);
    return { description: String(changed.description ?? ''), parameters: changed.parameters };
  }
  authOffered = (who: Actor, payload: Payload<'auth.offered'>): Promise<void> =>
    this.#note('auth.offered', payload, who);
  async shellEnv(
    who: Actor,
    call: string,
    cwd: string,
    env: Record<string, string>,
  ): Promise<Record<string, string>> {
    const { payload } = await this.fire('shell.env', { cwd, env: this.#variables.over(env, who) }, who, call);
    return isFields(payload.env) ? payload.env : env;
  }
  fileEdited = async (who: Actor, call: string, file: string, change: string): Promise<Advice> =>
    adviceIn(await this.fire('file.edited', { file, change }, who, call));

  // Subagents, notices, settings
  async subagentStart(who: Actor, type: string, prompt: string): Promise<Advice & { refused?: string }> {
    const outcome = await this.fire('subagent.start', { type, prompt }, who);
    const refused = refusedFor(outcome);
    return { ...adviceIn(outcome), ...(refused !== undefined && { refused }) };
  }
  subagentStop = async (
    who: Actor,
    type: string,
    lastMessage: string,
  ): Promise<Advice & { resume?: string }> =>
    stopped(await this.fire('subagent.stop', { type, active: false, reason: 'done', lastMessage }, who));
  notification = async (who: Actor, kind: string, message: string): Promise<Advice> =>
    adviceIn(await this.fire('notification.sent', { kind, message, title: 'anyhook-agent' }, who));
  async configLoaded(
    who: Actor,
    config: unknown,
    source: string,
  ): Promise<{ config: unknown; changed: Outcome['changed']; refused?: string }> {
    const outcome = await this.fire('config.loaded', { config, source }, who);
    const refused = refusedFor(outcome);
    return {
      config: outcome.payload.config,
      changed: outcome.changed,
      ...(refused !== undefined && { refused }),
    };
  }
  /** Fires an agent event that has no equivalent in the event table. */
  other = (who: Actor, word: string, body: Fields): Promise<void> => this.#note('other', { word, body }, who);

  // Compaction, retries, rules, todos
  compactionBefore = (
    who: Actor,
    payload: Payload<'compaction.before'>,
  ): Promise<Outcome<'compaction.before'>> => this.fire('compaction.before', payload, who);
  compactionPrompt = (
    who: Actor,
    payload: Payload<'compaction.prompt'>,
  ): Promise<Outcome<'compaction.prompt'>> => this.fire('compaction.prompt', payload, who);
  compactionAfter = async (who: Actor, payload: Payload<'compaction.after'>): Promise<Advice> =>
    adviceIn(await this.fire('compaction.after', payload, who));
  compactionContinue = async (who: Actor, overflow: boolean): Promise<boolean> =>
    (await this.fire('compaction.continue', { enabled: true, overflow }, who)).payload.enabled !== false;
  autocompactionStart = (who: Actor, reason: string): Promise<void> =>
    this.#note('autocompaction.start', { reason, action: 'compact' }, who);
  autocompactionEnd = (who: Actor, payload: Payload<'autocompaction.end'>): Promise<void> =>
    this.#note('autocompaction.end', payload, who);
  retryStart = (who: Actor, payload: Payload<'retry.start'>): Promise<void> =>
    this.#note('retry.start', payload, who);
  retryEnd = (who: Actor, payload: Payload<'retry.end'>): Promise<void> =>
    this.#note('retry.end', payload, who);
  ruleTriggered = (who: Actor, rules: readonly Fields[]): Promise<void> =>
    this.#note('rule.triggered', { rules: [...rules] }, who);
  todoReminder = (who: Actor, payload: Payload<'todo.reminder'>): Promise<void> =>
    this.#note('todo.reminder', payload, who);
}

type Variables = Readonly<Record<string, string>>;

/** Environment variables from hooks, per session, for later commands. */
class GivenVariables {
  readonly #bySession = new Map<string, Variables>();

  take(outcome: Outcome, { session }: Actor): void {
    const given = giftsIn(outcome, 'environment') as readonly Variables[]; // The event table validates the shape.
    if (given.length > 0)
      this.#bySession.set(session, Object.assign({}, this.#bySession.get(session), ...given) as Variables);
  }

  over = (env: Variables, { session }: Actor): Record<string, string> => ({
    ...env,
    ...this.#bySession.get(session),
  });
}
