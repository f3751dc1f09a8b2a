import { resolve } from 'node:path';
import type { Engine } from '../../../engine/engine.ts';
import type { Event } from '../../../events/event.ts';
import { outcomeOf, type Outcome } from '../../../events/outcome.ts';
import type { Problem } from '../../../events/problems.ts';
import { Resumes } from '../../../sessions/resumes.ts';
import { opta } from '../dialect/index.ts';
import { updatedInput } from '../dialect/output.ts';
import { checkedList, hookOf, definitionProblems } from './definitions.ts';
import { type EngineOptions, openEngine } from './open-engine.ts';
import type { AnyHookDefinition, HookContext, HookEvent, HookResult } from './types.ts';

/** Converts an outcome to the result of section 2: cancelled or not, and why. */
const NOT_CANCELLED: HookResult = Object.freeze({ cancelled: false });

/** `speaksJson`: hooks whose denial is a decision of the V4 protocol and not an exit code. */
function optaResultOf(
  outcome: Outcome,
  event: Event,
  speaksJson: ReadonlySet<string> = new Set(),
): HookResult {
  const { proceed, verdict, changed, said } = outcome;
  if (proceed === 'no') {
    const isDecision = outcome.reasons.some(({ by, broken }) => speaksJson.has(by) && broken !== true);
    const decision = verdict === 'deny' && isDecision ? { decision: 'deny' as const } : {};
    return Object.freeze({ cancelled: true, reason: outcome.reason, ...decision });
  }
  const isAsked = verdict === 'ask';
  const contextText = outcome.forModel.join('\n');
  const result: HookResult = { cancelled: isAsked };
  const reason = isAsked ? outcome.reason : said.find(({ by }) => by === 'host')?.text;
  if (reason !== undefined) result.reason = reason;
  if (verdict !== 'none') result.decision = isAsked ? 'ask' : 'allow';
  // Tool arguments are an object, and so are the fields of other events.
  if (changed.length > 0) result.updatedInput = updatedInput(outcome, event) as Record<string, unknown>;
  if (contextText !== '') result.additionalContext = contextText;
  return Object.keys(result).length === 1 && !isAsked ? NOT_CANCELLED : Object.freeze(result);
}

export type ManagerOptions = EngineOptions;

/** Runs the given hooks in order, without trust and journal. */
export class HookManager {
  /** Problems in the definitions that did not prevent loading. */
  readonly problems: readonly Problem[];
  readonly #engine: Engine | undefined;
  readonly #resumes = new Resumes();
  readonly #onRun: ManagerOptions['onRun'];
  /** Ids of the hooks that answer with JSON. */
  readonly #speaksJson: ReadonlySet<string>;

  /** Throws for an invalid definition, with its index. */
  constructor(given?: readonly AnyHookDefinition[], options: ManagerOptions = {}) {
    const definitions = checkedList(given);
    const hooks = definitions.map(hookOf);
    this.#engine = hooks.length === 0 ? undefined : openEngine(hooks, options);
    this.#speaksJson = new Set(
      hooks.filter(({ extra }) => extra?.['protocol'] === 'json').map(({ id }) => id),
    );
    this.problems = definitions.flatMap(definitionProblems);
    this.#onRun = options.onRun;
  }

  /** Without hooks: returns the shared manager that does nothing. */
  static create(definitions?: readonly AnyHookDefinition[], options?: ManagerOptions): HookManager {
    return checkedList(definitions).length === 0 ? NOOP : new HookManager(definitions, options);
  }

  /** Never rejects because of a hook. `signal` aborts running hooks; an aborted `tool.pre` is cancelled. */
  async fire(event: HookEvent, context: HookContext, signal?: AbortSignal): Promise<HookResult> {
    const asked = this.#resumes.flag(eventOf(event, context));
    const outcome = await this.#engine?.fire(asked, signal);
    if (outcome === undefined) return NOT_CANCELLED;
    for (const run of outcome.runs) this.#onRun?.(run);
    const final = outcomeOf(this.#resumes.cap(outcome, asked), asked.name);
    return optaResultOf(final, asked, this.#speaksJson);
  }
}

export class NoOpHookManager extends HookManager {
  override fire(_event: HookEvent, _context: HookContext, _signal?: AbortSignal): Promise<HookResult> {
    return Promise.resolve(NOT_CANCELLED);
  }
}
const NOOP = new NoOpHookManager();

function eventOf(word: HookEvent, context: HookContext): Event {
  const event = opta.payload.read({ ...context, event: word });
  return { ...event, scene: { ...event.scene, cwd: resolve(event.scene.cwd) } };
}
