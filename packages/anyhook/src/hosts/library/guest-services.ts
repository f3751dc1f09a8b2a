/** The host's services in an isolated module's process. */
import type { Dialogs, Services, Sessions } from '../../canon/services.ts';
import type { Deed, Desk } from './guest-desk.ts';
import { Drawing } from './guest-drawing.ts';
import { sessionOf } from './guest-session.ts';
import { type Palette, themeOf } from './guest-theme.ts';

/** What goes over lines already: everything that is plain. */
type Plain = Readonly<Record<string, unknown>>;
/** The desk, as it is called from here. */
export type CalledDesk = {
  [M in 'custom' | 'act']: (...args: unknown[]) => Promise<Awaited<ReturnType<Desk[M]>>>;
};

export function servicesHere(host: Plain, desk: CalledDesk, palette: Palette | undefined): Services {
  const { signal: _, ui, session, ...rest } = host as Plain & { ui?: Dialogs; session?: Sessions };
  return {
    ...(rest as Services), // the very names the host offered
    ...(ui && {
      ui: {
        ...ui,
        ...(ui.custom && { custom: (factory) => desk.custom(new Drawing(factory, themed(palette))) }),
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
