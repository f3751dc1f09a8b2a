import { resolve } from 'node:path';
import type { Dialect } from '../../canon/dialect.ts';
import type { Event } from '../../canon/event.ts';
import type { Run } from '../../canon/outcome.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { TOOLS, type ToolColumn, type ToolName } from '../../canon/tools.ts';
import { opta } from '../../dialects/opta/index.ts';
import { type Engine, makeEngine } from '../../engine/engine.ts';
import { type Lineage, openLineage } from '../library/lineage.ts';
import { makeResumes } from '../library/resumes.ts';
import { makeRun } from '../library/runs.ts';
import { sharedCommands } from '../library/shared-commands.ts';
import { hookOf, problemOf } from './definitions.ts';
import { NOT_CANCELLED, resultOf } from './result.ts';
import { makeStatus } from './status.ts';
import type { AnyHookDefinition, HookContext, HookEvent, HookResult } from './types.ts';

export interface ManagerOptions {
  /** Judges prompt hooks. */
  readonly judge?: NonNullable<Services['judge']>;
  /** Told the `statusMessage` of the hook that runs, and `undefined` when none does any more. */
  readonly onStatus?: (message: string | undefined) => void;
  /** The record of every hook that was considered: also of one that failed and let pass, and of background ones. */
  readonly onRun?: (run: Run) => void;
}

/** Runs what it was given, in order, for the caller's process; asks no trust, writes no journal. */
export class HookManager {
  /** What was wrong with the definitions without keeping them from loading. */
  readonly problems: readonly Problem[];
  readonly #engine: Engine;
  readonly #resumes = makeResumes();
  readonly #onRun: ManagerOptions['onRun'];

  constructor(definitions: readonly AnyHookDefinition[] = [], options: ManagerOptions = {}) {
    this.#engine = engineOf(definitions, options);
    this.problems = definitions.flatMap(problemOf);
    this.#onRun = options.onRun;
  }

  /** Without hooks: the one shared manager that does nothing. */
  static create(definitions?: readonly AnyHookDefinition[], options?: ManagerOptions): HookManager {
    return definitions === undefined || definitions.length === 0
      ? NOOP
      : new HookManager(definitions, options);
  }

  /** Never rejects because of a hook. */
  async fire(event: HookEvent, context: HookContext): Promise<HookResult> {
    const asked = this.#resumes.flag(eventOf(event, context));
    const outcome = await this.#engine.fire(asked);
    if (outcome === undefined) return NOT_CANCELLED;
    for (const run of outcome.runs) this.#onRun?.(run);
    return resultOf(this.#resumes.cap(outcome, asked), asked);
  }
}

export class NoOpHookManager extends HookManager {
  override fire(_event: HookEvent, _context: HookContext): Promise<HookResult> {
    return Promise.resolve(NOT_CANCELLED);
  }
}
const NOOP = new NoOpHookManager();

/** Who uses this class names its tools itself: a tool called `shell` is heard as `shell`. */
const AS_NAMED: Dialect = {
  ...opta,
  tools: Object.fromEntries((Object.keys(TOOLS) as ToolName[]).map((tool) => [tool, null])) as ToolColumn,
};

function engineOf(definitions: readonly AnyHookDefinition[], options: ManagerOptions): Engine {
  const { judge, onStatus, onRun } = options;
  const services: Services = judge === undefined ? {} : { judge };
  const endings = new Set(opta.words['session.end']);
  return makeEngine({
    dialects: [AS_NAMED],
    hooks: definitions.map(hookOf),
    run: makeRun({ commands: sharedCommands, services, lineage: lineage(), endings }),
    services,
    ...(onStatus && makeStatus(onStatus)),
    ...(onRun && { onLate: onRun }),
  });
}

/** One for all managers: a program is one level, however many it makes. */
let shared: Lineage | undefined;
function lineage(): Lineage {
  if (shared === undefined) {
    shared = openLineage(process.env);
    process.once('exit', shared.close);
  }
  return shared;
}

function eventOf(word: HookEvent, context: HookContext): Event {
  const event = opta.payload.read({ ...context, event: word });
  return { ...event, scene: { ...event.scene, cwd: resolve(event.scene.cwd) } };
}
