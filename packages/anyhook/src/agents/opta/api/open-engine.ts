/** The engine of a manager: only the Opta dialect, with commands started by the program's helper process. */

import { type Engine, makeEngine } from '../../../engine/engine.ts';
import type { Dialect } from '../../../events/dialect.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Run } from '../../../events/outcome.ts';
import type { Services } from '../../../events/services.ts';
import { NO_TOOLS } from '../../../events/tools.ts';
import { type DepthLimit, openDepthLimit } from '../../../runs/depth-limit.ts';
import { makeRun } from '../../../runs/runs.ts';
import { sharedCommands } from '../../../runs/shared-commands.ts';
import { opta } from '../dialect/index.ts';

export interface EngineOptions {
  /** Judges prompt hooks. */
  readonly judge?: NonNullable<Services['judge']>;
  /** Receives the `statusMessage` of the running hook, and `undefined` when none is running. */
  readonly onStatus?: (message: string | undefined) => void;
  /** Receives the record of every considered hook, including failed and background ones. */
  readonly onRun?: (run: Run) => void;
}

/** A program with a manager names its tools itself: a tool called `shell` stays `shell`, untranslated. */
const AS_NAMED: Dialect = {
  ...opta,
  tools: NO_TOOLS,
};

export function openEngine(hooks: readonly Hook[], { judge, onStatus, onRun }: EngineOptions): Engine {
  const services: Services = judge === undefined ? {} : { judge };
  return makeEngine({
    dialects: [AS_NAMED],
    hooks,
    run: makeRun({ commands: sharedCommands, services, depthLimit: depthLimit() }),
    services,
    ...(onStatus && makeStatus(onStatus)),
    ...(onRun && { onLate: onRun }),
  });
}

/** Shared by all managers, because a program is one level of nesting. */
let shared: DepthLimit | undefined;
const depthLimit = (): DepthLimit => (shared ??= openDepthLimit(process.env));

/** The status line shows the message of the most recently started hook that is still running. */
function makeStatus(show: (message: string | undefined) => void) {
  const running: string[] = [];
  const tell = () => {
    try {
      show(running.at(-1));
    } catch {
      // A status line that cannot be drawn must not affect whether a tool runs.
    }
  };
  return {
    onStart({ status }: Hook): void {
      if (status === undefined) return;
      running.push(status);
      tell();
    },
    onEnd({ status }: Hook): void {
      if (status === undefined) return;
      running.splice(running.lastIndexOf(status), 1);
      tell();
    },
  };
}
