/** The module's side of services that exchange code. The host's side is `host-adapters.ts`. */

import type { Adapters } from '../runners/isolated/module-services.mjs';
import { drawingOf } from './drawing.ts';
import type { SetupStep } from './host-adapters.ts';
import { sessionOf } from './session-view.ts';
import { type Palette, themeOf } from './theme.ts';

type Plain = Readonly<Record<string, unknown>>;
type CallHost = (name: string, args: readonly unknown[]) => Promise<unknown>;

export const moduleAdapters = (call: CallHost, palette: () => Palette | undefined): Adapters => ({
  'ui.custom': () => (factory: unknown, signal?: AbortSignal) =>
    call('ui.custom', [drawingOf(factory, themeOf(palette() ?? NO_COLOURS)), signal]),
  'ui.theme': () => themeOf(palette() ?? NO_COLOURS),
  'session.view': (view) => () => sessionOf(view() as Plain),
  'session.act': () => (what: string, how: Plain) => act(call, what, how),
});

const NO_COLOURS: Palette = { fg: {}, bg: {}, styles: {} };

type Setup = (manager: Readonly<Record<string, unknown>>) => unknown;

/** `setup` runs here on a session that records its calls. The host replays them on the real session. */
async function act(call: CallHost, what: string, how: Plain): Promise<unknown> {
  const { setup, ...plain } = how as Plain & { setup?: Setup };
  return await call('session.act', [
    what,
    plain,
    setup && (async (view: Plain) => await stepsOf(setup, view)),
  ]);
}

async function stepsOf(setup: Setup, view: Plain): Promise<SetupStep[]> {
  const steps: SetupStep[] = [];
  const note =
    (method: SetupStep[0]) =>
    (...args: unknown[]) => {
      steps.push([method, ...args]);
      return `pending-${steps.length}`;
    };
  await setup({
    ...sessionOf(view),
    appendMessage: note('appendMessage'),
    appendCustomEntry: note('appendCustomEntry'),
  });
  return steps;
}
