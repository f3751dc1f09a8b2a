/**
 * One tool call with hooks around it: they judge it before it runs and see its result. Their changes apply to the input and the
 * result.
 */

import type { Fields } from '../events/effects.ts';
import type { EventName, Payload } from '../events/events.ts';
import type { Outcome } from '../events/outcome.ts';
import { namedReasons } from '../fire/answer.ts';
import { changedMcpResult, isMcpResult } from '../library/changed-result.ts';
import type { Hooks } from '../library/hooks.ts';
import { refusalText } from '../library/wrap-tool.ts';
import { safe } from '../render/safe.ts';
import type { RpcReply } from './message.ts';
import type { Questions } from './questions.ts';

/** How much of the input a user reads before answering. */
const SHOWN = 2_000;

export interface CallParts {
  readonly hooks: Hooks;
  readonly questions: Questions;
  /** The name of the tool for hooks. */
  readonly tool: string;
  readonly input: Fields;
  readonly session: string;
  readonly call: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Writes to the agent's log, for the user. */
  readonly say: (text: string) => void;
}

export class HookedCall {
  readonly #parts: CallParts;
  /** Texts for the model, delivered with the result. */
  #forModel: readonly string[] = [];
  /** The input as it will run. */
  #input: Fields;
  #startedMs = 0;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#input = parts.input;
  }

  /** Returns the input that may run, or a refusal. */
  async before(): Promise<{ readonly input: Fields } | { readonly refusal: RpcReply }> {
    const { tool, input, hooks, signal } = this.#parts;
    const outcome = namedReasons(
      await this.#tell('tool.before', { tool, input }),
      'tool.before',
      hooks.hooks,
    );
    this.#input = outcome.payload['input'] as Fields;
    this.#forModel = outcome.forModel;
    if (outcome.proceed === 'yes' || (outcome.proceed === 'ask' && (await this.#isApproved(outcome)))) {
      this.#startedMs = performance.now();
      return { input: this.#input };
    }
    const text = refusalText(tool, outcome);
    const denied = { tool, input: this.#input, reason: text };
    const texts = signal.aborted ? [] : (await this.#tell('tool.denied', denied)).forModel;
    return { refusal: { result: { content: [text, ...texts].map(part), isError: true } } };
  }

  /** Returns the same object if no hook changes it. */
  async after(reply: RpcReply): Promise<RpcReply> {
    if ('error' in reply) return this.#failed(reply);
    const { result } = reply;
    if (!isMcpResult(result)) return reply;
    const { content, structuredContent, isError } = result;
    const { payload, forModel } = await this.#tell('tool.after', {
      tool: this.#parts.tool,
      input: this.#input,
      content: [...content],
      ...(structuredContent !== undefined && { details: structuredContent }),
      isError: isError === true,
      durationMs: this.#durationMs(),
    });
    const changed = changedMcpResult(result, payload as Fields);
    const parts = [...this.#forModel, ...forModel].map(part);
    if (parts.length === 0) return changed === result ? reply : { result: changed };
    return { result: { ...changed, content: [...(changed['content'] as unknown[]), ...parts] } };
  }

  /** The client cancelled the call while it ran. */
  async interrupted(): Promise<void> {
    const { tool } = this.#parts;
    await this.#tell('tool.failed', {
      tool,
      input: this.#input,
      error: 'cancelled by the client',
      interrupted: true,
      durationMs: this.#durationMs(),
    });
  }

  async #failed(reply: Extract<RpcReply, { error: unknown }>): Promise<RpcReply> {
    const { tool } = this.#parts;
    const error = String(reply.error.message);
    const failed = { tool, input: this.#input, error, durationMs: this.#durationMs() };
    const { payload, forModel } = await this.#tell('tool.failed', failed);
    const text = [String(payload['error']), ...this.#forModel, ...forModel].join('\n');
    return text === error ? reply : { error: { ...reply.error, message: text } };
  }

  async #tell<E extends EventName>(name: E, payload: Payload<E>): Promise<Outcome> {
    const { hooks, session, call, cwd, signal } = this.#parts;
    const isGuarded = name === 'tool.before'; // events after the fact are never aborted
    const about = { ids: { session, call }, scene: { cwd }, ...(isGuarded && { signal }) };
    const outcome = (await hooks.fire({ name, payload, ...about })) as Outcome;
    for (const text of outcome.forPerson) this.#parts.say(text);
    return outcome;
  }

  async #isApproved(outcome: Outcome): Promise<boolean> {
    const { questions, tool, signal } = this.#parts;
    if (!questions.canAsk) return false;
    const shown = safe(JSON.stringify(this.#input, null, 2)).slice(0, SHOWN);
    return questions.ask(`${refusalText(tool, outcome)}\n\n${shown}`, signal);
  }

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }
}

const part = (text: string) => ({ type: 'text', text });
