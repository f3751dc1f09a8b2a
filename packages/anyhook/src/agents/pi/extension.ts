/**
 * Runs inside pi or oh-my-pi: converts their events to ours with the dialect they share, and our outcomes to their
 * results.
 */

import type { Fields } from '../../events/effects.ts';
import type { Event, EventInput } from '../../events/event.ts';
import { type Outcome, wasChanged } from '../../events/outcome.ts';
import { ohMyPi } from '../oh-my-pi/dialect/index.ts';
import type { InsideEngine, OpenEngine } from '../shared/inside.ts';
import { EntryUsage } from './usage.ts';

type Loose = Record<string, unknown>;
/** The parts of their context that we use. */
interface Context {
  readonly cwd?: string;
  readonly hasUI?: boolean;
  readonly ui?: { notify?(message: string, level?: string): void };
  readonly sessionManager?: { getSessionId?(): string; getEntries?(): readonly unknown[] };
  /** Cancels the next action of the agent. */
  abort?(): void;
}
export interface Pi {
  on(word: string, listener: (event: Loose, context: Context) => unknown): unknown;
}

/** What differs between pi and oh-my-pi. */
export interface Variant {
  /** The event at which a stop can be refused. */
  readonly stop: string;
  /** Creates the answer that resumes the agent with this message for the model. */
  readonly goOn: (content: string) => object;
  /** Fires `input` only if a user types. */
  readonly isSilentWithoutTerminal: boolean;
}

export function openExtension(pi: Pi, openEngine: OpenEngine, variant: Variant): void {
  new Extension(openEngine, variant).listenTo(pi);
}

class Extension {
  readonly #openEngine: OpenEngine;
  readonly #variant: Variant;
  readonly #entryUsage = new EntryUsage();
  #opening: Promise<InsideEngine> | undefined;
  /** Messages for the next request to the model. */
  readonly #waiting: string[] = [];
  /** The agent continues because a hook requested it. */
  #isResumed = false;
  /** The hooks have judged the prompt of the next agent start. */
  #isPromptJudged = false;
  /** Messages for the model, sent with the result of a call. */
  readonly #withResult = new Map<string, string>();

  constructor(openEngine: OpenEngine, variant: Variant) {
    this.#openEngine = openEngine;
    this.#variant = variant;
  }

  listenTo(pi: Pi): void {
    pi.on('session_start', (event, context) => this.#onSessionStart(event, context));
    pi.on('input', (event, context) => this.#onInput(event, context));
    pi.on('before_agent_start', (event, context) => this.#onAgentStart(event, context));
    pi.on('tool_call', (event, context) => this.#onToolCall(event, context));
    pi.on('tool_result', (event, context) => this.#onToolResult(event, context));
    for (const word of ['session_before_switch', 'session_before_compact', 'context'])
      pi.on(word, async (event, context) => {
        const { result } = await this.#ask(event, context);
        return Object.keys(result).length === 0 ? undefined : result;
      });
    for (const word of ['agent_start', 'agent_end', 'turn_start', 'turn_end', 'session_compact'])
      pi.on(word, async (event, context) => void (await this.#ask(event, context)));
    pi.on(this.#variant.stop, (_, context) => this.#onStop(context));
    pi.on('session_shutdown', (event, context) => this.#onShutdown(event, context));
  }

  async #onSessionStart(event: Loose, context: Context): Promise<void> {
    const payload = { source: String(event['reason'] ?? 'startup') };
    this.#waiting.push(...contextIn(await this.#fire({ name: 'session.start', payload }, context)));
  }

  async #onInput(event: Loose, context: Context): Promise<object | undefined> {
    const outcome = await this.#judgePrompt(String(event['text'] ?? ''), context);
    if (outcome.proceed !== 'yes') {
      showRefusal(outcome.reason, context);
      return { action: 'handled' };
    }
    this.#isPromptJudged = true;
    this.#waiting.push(...contextIn(outcome));
    return wasChanged(outcome, 'prompt')
      ? { action: 'transform', text: String(outcome.payload['prompt']) }
      : undefined;
  }

  async #onAgentStart(event: Loose, context: Context): Promise<object | undefined> {
    const { isSilentWithoutTerminal } = this.#variant;
    if (isSilentWithoutTerminal && context.hasUI !== true && !this.#isPromptJudged) {
      const prompt = String(event['prompt'] ?? '');
      const outcome = await this.#judgePrompt(prompt, context);
      const added = addedTo(prompt, outcome);
      if (outcome.proceed !== 'yes' || added === undefined) {
        showRefusal(outcome.proceed === 'yes' ? tooLate(outcome) : outcome.reason, context);
        return void context.abort?.();
      }
      this.#waiting.push(...added, ...contextIn(outcome));
    }
    this.#isPromptJudged = false;
    const { result } = await this.#ask(event, context);
    const given = result['message'] as { content?: unknown } | undefined;
    const texts = this.#waiting.splice(0);
    if (texts.length === 0) return given === undefined ? undefined : { message: given };
    const content = [...(typeof given?.content === 'string' ? [given.content] : []), ...texts].join('\n\n');
    return { message: { customType: 'anyhook', display: false, ...given, content } };
  }

  async #onToolCall(event: Loose, context: Context): Promise<object | undefined> {
    const { outcome, result } = await this.#ask(event, context);
    if (outcome.proceed !== 'yes') return result;
    if (wasChanged(outcome, 'input')) rewrite(event['input'] as Loose, outcome.payload['input'] as Fields);
    const [text] = contextIn(outcome);
    if (text !== undefined) this.#withResult.set(String(event['toolCallId']), text);
    return undefined;
  }

  async #onToolResult(event: Loose, context: Context): Promise<object | undefined> {
    const { outcome, result } = await this.#ask(event, context);
    const id = String(event['toolCallId']);
    const texts = [this.#withResult.get(id) ?? [], contextIn(outcome)].flat();
    this.#withResult.delete(id);
    const { additionalContext: _, ...changes } = result;
    if (texts.length === 0) return Object.keys(changes).length === 0 ? undefined : changes;
    const content = (changes['content'] ?? event['content'] ?? []) as unknown[];
    return { ...changes, content: [...content, ...texts.map((text) => ({ type: 'text', text }))] };
  }

  async #onStop(context: Context): Promise<object | undefined> {
    const outcome = await this.#fire({ name: 'turn.stop', payload: { active: this.#isResumed } }, context);
    this.#isResumed = outcome.proceed === 'no';
    return this.#isResumed ? this.#variant.goOn(outcome.reason) : undefined;
  }

  async #onShutdown(event: Loose, context: Context): Promise<void> {
    const payload = { reason: String(event['reason'] ?? 'quit') };
    await this.#fire({ name: 'session.end', payload }, context);
    await (await this.#opening)?.close();
    this.#opening = undefined;
  }

  /** Opens the engine at the first event, because some runs load extensions without starting a session. */
  #open(cwd: string): Promise<InsideEngine> {
    return (this.#opening ??= this.#openEngine(cwd));
  }

  async #fire(input: Omit<EventInput, 'ids'> & { ids?: object }, context: Context): Promise<Outcome> {
    const cwd = context.cwd ?? process.cwd();
    const hooks = await this.#open(cwd);
    const session = context.sessionManager?.getSessionId?.();
    const ids = { ...input.ids, ...(session !== undefined && { session }) };
    const entries = context.sessionManager?.getEntries?.();
    const usage = entries && this.#entryUsage.of(session, entries);
    const outcome = await hooks.fire({ ...input, ids, scene: { cwd }, ...(usage && { usage }) });
    if (outcome.forPerson.length > 0) context.ui?.notify?.(outcome.forPerson.join('\n'), 'info');
    return outcome;
  }

  #judgePrompt(prompt: string, context: Context): Promise<Outcome> {
    return this.#fire({ name: 'prompt.submit', payload: { prompt } }, context);
  }

  /** Fires an event through the dialect and returns its native result. */
  async #ask(event: Loose, context: Context): Promise<{ outcome: Outcome; result: Loose }> {
    const { name, payload, ids } = ohMyPi.payload.read({ ...event, sessionId: '', cwd: context.cwd ?? '' });
    const call = ids.call === undefined ? {} : { call: ids.call };
    const outcome = await this.#fire({ name, payload, ids: call, raw: event }, context);
    const about: Event = { name, payload, ids, scene: { cwd: context.cwd ?? '' }, round: 1 };
    const reply = ohMyPi.output.write(outcome, about);
    const { value } = reply as { value?: Loose };
    return { outcome, result: value ?? {} };
  }
}

function showRefusal(why: string, context: Context): void {
  context.ui?.notify?.(why, 'error');
  if (context.hasUI !== true) process.stderr.write(`${why}\n`);
}

/**
 * A submitted prompt can no longer be changed. Text that hooks only add before or after it can be sent as a separate
 * message.
 */
function addedTo(prompt: string, { payload }: Outcome): string[] | undefined {
  const after = String(payload['prompt'] ?? prompt);
  const at = after.indexOf(prompt);
  if (at === -1) return undefined;
  return [after.slice(0, at), after.slice(at + prompt.length)].map((text) => text.trim()).filter(Boolean);
}
const tooLate = ({ changed }: Outcome): string =>
  `This prompt is refused: ${[...new Set(changed.map(({ by }) => by))].join(', ')} would change it, which this agent does not allow without a terminal. Start it in a terminal, or remove the hook.`;

const contextIn = ({ forModel }: Outcome): string[] => (forModel.length === 0 ? [] : [forModel.join('\n')]);

/** Changes the object in place, because the agent reads this object. */
function rewrite(target: Loose, wanted: Fields): void {
  for (const key of Object.keys(target)) if (!Object.hasOwn(wanted, key)) delete target[key];
  Object.assign(target, wanted);
}
