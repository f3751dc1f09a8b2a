import { resolve } from 'node:path';
import type { Event } from '../../canon/event.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Outcome } from '../../canon/outcome.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { hookFrom, TOOL_EVENTS } from '../../dialects/opta/definition.ts';
import { opta } from '../../dialects/opta/index.ts';
import { OPTA_EVENTS } from '../../dialects/opta/names.ts';
import { type Engine, makeEngine } from '../../engine/engine.ts';
import { openLineage } from '../library/lineage.ts';
import { makeRun } from '../library/runs.ts';
import { sharedCommands } from '../library/shared-commands.ts';
import type { AnyHookDefinition, HookContext, HookEvent, HookResult } from './types.ts';

export interface ManagerOptions {
  /** Judges prompt hooks. */
  readonly judge?: NonNullable<Services['judge']>;
  /** Told when a hook with a `statusMessage` starts, and with `undefined` when it has ended. */
  readonly onStatus?: (message: string | undefined) => void;
}

const NOOP_RESULT: HookResult = Object.freeze({ cancelled: false });

/** Runs what it was given, in order, in the caller's process; asks no trust, writes no journal. */
export class HookManager {
  /** What was wrong with the definitions without keeping them from loading. */
  readonly problems: readonly Problem[];
  readonly #engine: Engine;

  constructor(definitions: readonly AnyHookDefinition[] = [], options: ManagerOptions = {}) {
    this.problems = definitions.flatMap(unusedMatcher);
    this.#engine = engineOf(definitions.map(hookOf), options);
  }

  /** Without hooks: the one shared manager that does nothing. */
  static create(definitions?: readonly AnyHookDefinition[], options?: ManagerOptions): HookManager {
    return definitions === undefined || definitions.length === 0
      ? NOOP
      : new HookManager(definitions, options);
  }

  /** Never rejects because of a hook. */
  async fire(event: HookEvent, context: HookContext): Promise<HookResult> {
    const outcome = await this.#engine.fire(eventOf(event, context));
    return outcome === undefined ? NOOP_RESULT : resultOf(outcome);
  }
}

export class NoOpHookManager extends HookManager {
  override fire(_event: HookEvent, _context: HookContext): Promise<HookResult> {
    return Promise.resolve(NOOP_RESULT);
  }
}
const NOOP = new NoOpHookManager();

function engineOf(hooks: readonly Hook[], { judge, onStatus }: ManagerOptions): Engine {
  const services: Services = judge === undefined ? {} : { judge };
  const lineage = openLineage(process.env);
  const endings = new Set(opta.words['session.end']);
  const run = makeRun({ commands: sharedCommands, services, lineage, endings });
  const said = (status: string | undefined) => status !== undefined && onStatus !== undefined;
  return makeEngine({
    dialects: [opta],
    hooks,
    run,
    services,
    onStart: ({ status }) => void (said(status) && onStatus!(status)),
    onEnd: ({ status }) => void (said(status) && onStatus!(undefined)),
  });
}

const CODE = '(definitions)';

function hookOf(definition: AnyHookDefinition, index: number): Hook {
  if (!OPTA_EVENTS.includes(definition.event))
    throw new TypeError(
      `hooks[${index}].event ${JSON.stringify(definition.event)} is none of ${OPTA_EVENTS.join(', ')}`,
    );
  try {
    return hookFrom(definition, { layer: 'session', file: CODE }, index, index + 1);
  } catch (error) {
    const text = `hooks[${index}].matcher ${JSON.stringify(definition.matcher)} is no regular expression`;
    throw new SyntaxError(`${text}: ${(error as Error).message}`, { cause: error });
  }
}

/** Opta's own rule: a matcher where there is no tool fits nothing, so the hook never runs. That must be said. */
function unusedMatcher({ event, matcher }: AnyHookDefinition, index: number): Problem[] {
  if (matcher === undefined || TOOL_EVENTS.has(event)) return [];
  const message = `${event} has no tool that a matcher could fit: the hook never runs`;
  const key = `hooks[${index}].matcher`;
  return [
    {
      code: 'matcher-unused',
      file: CODE,
      key,
      message,
      remedy: 'Leave the matcher out.',
      severity: 'warning',
    },
  ];
}

function eventOf(word: HookEvent, context: HookContext): Event {
  const event = opta.payload.read({ ...context, event: word });
  return { ...event, scene: { ...event.scene, cwd: resolve(context.cwd ?? '.') } };
}

function resultOf(outcome: Outcome): HookResult {
  const { verdict, reasons, flow, changed, payload, said } = outcome;
  const text = reasons
    .map((r) => r.text)
    .filter(Boolean)
    .join('\n');
  if (flow.resume !== undefined) return { cancelled: true, reason: flow.resume };
  if (verdict === 'deny') return { cancelled: true, reason: text };
  if (verdict === 'ask' || verdict === 'defer') return { cancelled: true, decision: 'ask', reason: text };
  const told = said.filter(({ to }) => to === 'model').map((one) => one.text);
  const result: HookResult = { cancelled: false };
  if (verdict === 'allow') result.decision = 'allow';
  if (changed.length > 0) result.updatedInput = (payload['input'] ?? payload) as Record<string, unknown>;
  if (told.length > 0) result.additionalContext = told.join('\n');
  return Object.keys(result).length === 1 ? NOOP_RESULT : result;
}
