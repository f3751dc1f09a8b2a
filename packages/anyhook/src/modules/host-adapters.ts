/** The host's side of services that exchange code: components, session setup, session view and colours. */

import type { Services } from '../events/services.ts';
import type { HostServicesTerms } from '../runners/isolated/host-services.ts';
import type { ServedCall } from '../runners/isolated/rpc.mjs';
import { factoryFor, type RemoteComponent } from './drawing.ts';
import { viewOf } from './session-view.ts';

type Adapters = HostServicesTerms['adapters'] & object;
type Act = NonNullable<NonNullable<Services['session']>['act']>;
type Custom = NonNullable<NonNullable<Services['ui']>['custom']>;
/** One call that `setup` made on the new session, replayed on the real one. */
export type SetupStep = readonly [method: 'appendMessage' | 'appendCustomEntry', ...args: unknown[]];
type Setup = (view: Readonly<Record<string, unknown>>) => Promise<readonly SetupStep[]>;
type Writable = Readonly<Record<string, (...args: unknown[]) => unknown>>;

export const hostAdapters = (pause: () => () => void): Adapters => ({
  'ui.custom': (custom) => showing(custom as Custom, pause),
  'ui.theme': () => () => undefined, // transferred as a palette, with the information about the module
  'session.act': (act) => acting(act as Act),
  'session.view': (view) => () => viewOf((view as () => unknown)()),
});

/** The hook's deadline covers creating the component and pauses once the user sees it. */
const showing = (custom: Custom, pause: () => () => void) =>
  async function show(this: ServedCall, component: RemoteComponent): Promise<unknown> {
    let goOn: (() => void) | undefined;
    const make = factoryFor(component);
    // Three parameters select the documented form of a factory.
    const factory = async (tui: unknown, theme: unknown, done: unknown) => {
      const made = await make(tui, theme, done);
      goOn ??= pause();
      return made;
    };
    try {
      return await custom(factory, this.signal);
    } finally {
      goOn?.();
    }
  };

const acting =
  (act: Act) =>
  async (
    what: Parameters<Act>[0],
    how: Readonly<Record<string, unknown>>,
    setup: Setup | undefined,
  ): Promise<{ cancelled: boolean }> => {
    const replayed = async (manager: Writable) => {
      for (const [method, ...args] of (await setup?.(viewOf(manager))) ?? []) manager[method]?.(...args);
    };
    const { cancelled } = await act(what, { ...how, ...(setup !== undefined && { setup: replayed }) });
    return { cancelled };
  };
