/** The entry point for agent authors: collects hooks from all sources and exposes `fire`, which returns one outcome. */

import { isEventName } from '../events/events.ts';
import { checkOptions } from '../gather/check-options.ts';
import type { Options } from '../gather/options.ts';
import { hookOn } from '../gather/program-hooks.ts';
import { surviveStrayErrors } from '../runners/module/stray-errors.ts';
import { Closing } from './closing.ts';
import { EventPipeline } from './event-pipeline.ts';
import { explain } from './explain.ts';
import { type Hooks, OpenedHooks } from './hooks.ts';
import { inputFault } from './input-fault.ts';
import { LateTexts } from './late-texts.ts';
import { type Internals, makeMeans } from './means.ts';
import { Opening } from './opening.ts';
import { makeStrayErrors } from './stray-errors.ts';
import { unknownEvent } from './wants.ts';
import { makeWrapTool } from './wrap-tool.ts';

export const createHooks = (options: Options): Promise<Hooks> => createHooksWith(options, {});

/** `internals` are not part of the public options. */
export async function createHooksWith(options: Options, internals: Internals): Promise<Hooks> {
  checkOptions(options);
  if (process.versions['pnp'] !== undefined)
    await (await import('../shell/read-script.ts')).importShellParser();
  const strayErrors = makeStrayErrors((level, message) => means.services.log(level, message));
  const runOwned =
    options.modules?.strayErrors === 'survive'
      ? surviveStrayErrors((owner, text) => strayErrors.heard({ ...owner, text }))
      : undefined;
  const { means, look } = makeMeans(options, {
    ...internals,
    // Hooks may ask for permissions while they are still being opened. No event is fired before all are open.
    fire: (input) => pipeline.fire(input),
    onLate(run, hook, event) {
      opening.state.records?.keepLate(event, run);
      lateTexts.add(run, event);
      options.watch?.onLate?.(run, hook);
    },
    onStray: strayErrors.heard,
    ...(runOwned && { runOwned }),
  });
  const opening = await Opening.open(means, look);
  const lateTexts = new LateTexts(means.store, options.host.can, () => pipeline.updateWanted());
  const pipeline = new EventPipeline({ means, opening, lateTexts, strayErrors });
  const closing = new Closing(means, opening, strayErrors);
  opening.loadSlowModules();

  const fire = ((input) => pipeline.fire(input)) as Hooks['fire']; // an outcome has the payload of its event
  let registered = 0;
  return new OpenedHooks(
    {
      wants: pipeline.wanted.record,
      fire,
      on(event, callback) {
        checkOpen(opening, 'on');
        return opening.add(hookOn(event, callback, registered++));
      },
      wrapTool: makeWrapTool(fire, means.services),
      plan(input) {
        if (!isEventName(input?.name)) throw unknownEvent('hooks.plan', input?.name);
        const fault = inputFault('hooks.plan', input);
        if (fault !== undefined) throw fault;
        return explain(opening.state.engine, opening.reading.eventOf(input));
      },
      grant: (entry) => opening.gate.grant(entry),
      async reload() {
        checkOpen(opening, 'reload');
        await opening.reload();
      },
      async close() {
        await pipeline.close();
        await closing.close();
      },
    },
    () => ({ ...opening.found, problems: [...opening.found.problems, ...strayErrors.problems()] }),
  );
}

function checkOpen({ isClosed }: Opening, method: 'on' | 'reload'): void {
  if (isClosed) throw new Error(`hooks.${method}: the hooks are closed. Open others with createHooks.`);
}
