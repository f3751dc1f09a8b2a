/** Entry point of the process of a foreign module. Loads the module as its host would. */

import type { Hook } from '../events/hook.ts';
import type { ForeignHook, Link, OpenedModule } from '../runners/isolated/child.mjs';
import { importFile } from '../runners/isolated/import-file.mjs';
import type { Method } from '../runners/isolated/rpc.mjs';
import { moduleAdapters } from './child-adapters.ts';
import { describe } from './description.ts';
import type { ForeignModule, LoadModule } from './loader.ts';
import { offerMethods } from './offer-methods.ts';
import type { Palette } from './theme.ts';

/** Information about the module from the host. */
export interface About {
  /** The URL of the file that loads the module: `ModuleLoader`. */
  readonly loader: string;
  readonly module: ForeignModule;
  readonly cwd: string;
  readonly home: string;
  readonly deadlineMs: number;
  readonly handlerMs?: number;
  readonly kept?: string;
  /** The colours of the host, which may change. */
  readonly palette?: Palette;
}

export async function open({ call, about, services, offer }: Link): Promise<OpenedModule> {
  const settings = () => about() as About; // written by `isolate.ts`
  const { loader, module, cwd, home, deadlineMs, handlerMs, kept } = settings();
  const { load } = (await importFile(loader)) as { load: LoadModule };
  const loaded = await load(module, {
    cwd,
    home,
    env: process.env,
    services: services(moduleAdapters(call, () => settings().palette)),
    deadlineMs,
    ...(kept !== undefined && { kept }),
    ...(handlerMs !== undefined && { handlerMs }),
  });
  const { hooks, offers, description } = describe(loaded);
  offer(offerMethods(offers, loaded.dispose?.bind(loaded)) as unknown as Readonly<Record<string, Method>>);
  return { hooks: hooks.map(called), description };
}

const called =
  ({ run }: Hook): ForeignHook =>
  (args, signal) => {
    if (run.kind !== 'call') throw new TypeError(`a hook that runs as ${run.kind} cannot run here`);
    return Reflect.apply(run.fn as (...given: readonly unknown[]) => unknown, { signal }, args);
  };
