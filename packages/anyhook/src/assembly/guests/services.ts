/** The host's services in an isolated module's process. */
import type { Dialogs, Services, Sessions } from '../../canon/services.ts';
import { withAbort } from './abort.ts';
import type { Deed, Desk } from './desk.ts';
import { Drawing } from './drawing.ts';
import { sessionOf } from './session.ts';
import { type Palette, themeOf } from './theme.ts';

/** What goes over lines already: everything that is plain. */
type Plain = Readonly<Record<string, unknown>>;
/** The desk, as it is called from here. */
export type CalledDesk = {
  [M in 'custom' | 'act']: (...args: unknown[]) => Promise<Awaited<ReturnType<Desk[M]>>>;
};

/** The host may offer other services later: what is there is looked up with every use. */
export function liveServices(desk: CalledDesk, now: () => { host: Plain; palette?: Palette }): Services {
  let known: Plain | undefined;
  let services: Services = {};
  const current = () => {
    const { host, palette } = now();
    if (host !== known) [known, services] = [host, servicesHere(host, desk, palette)];
    return services;
  };
  return new Proxy<Services>(
    {},
    {
      get: (_, name) => Reflect.get(current(), name) as unknown,
      has: (_, name) => Reflect.has(current(), name),
      ownKeys: () => Reflect.ownKeys(current()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(current(), name);
        return found && { ...found, configurable: true };
      },
    },
  );
}

function servicesHere(host: Plain, desk: CalledDesk, palette: Palette | undefined): Services {
  const { signal: _, ui, session, ...rest } = host as Plain & { ui?: Dialogs; session?: Sessions };
  return {
    ...(rest as Services), // the very names the host offered
    ...(ui && {
      ui: {
        ...ui,
        ...(ui.custom && {
          custom: (factory, signal) =>
            withAbort(signal, (aborted) => desk.custom(new Drawing(factory, themed(palette)), aborted)),
        }),
        ...(palette && { theme: themeOf(palette) }),
      },
    }),
    ...(session && {
      session: {
        ...session,
        ...(session.view && { view: () => sessionOf(session.view!() as Plain) }),
        ...(session.act && { act: (what, how) => acted(desk, what, how) }),
      },
    }),
  };
}

const themed = (palette: Palette | undefined) => themeOf(palette ?? { fg: {}, bg: {}, styles: {} });

type Setup = (manager: Readonly<Record<string, unknown>>) => unknown;

/** `setup` runs here on a session that writes down what is done to it; the host does it to the real one. */
async function acted(desk: CalledDesk, what: string, how: Plain): Promise<{ cancelled: boolean }> {
  const { setup, ...plain } = how as Plain & { setup?: Setup };
  const crossed =
    setup === undefined
      ? null
      : async (view: Plain): Promise<Deed[]> => {
          const deeds: Deed[] = [];
          const note =
            (method: Deed[0]) =>
            (...args: unknown[]) => {
              deeds.push([method, ...args]);
              return `pending-${deeds.length}`;
            };
          await setup({
            ...sessionOf(view),
            appendMessage: note('appendMessage'),
            appendCustomEntry: note('appendCustomEntry'),
          });
          return deeds;
        };
  const { cancelled } = await desk.act(what, plain, crossed);
  return { cancelled };
}
