/** The host, as an isolated module reaches it with handles: dialogs that draw, a new session's set-up. */
import { RpcTarget } from 'capnweb';
import type { Services } from '../../canon/services.ts';
import { type Aborted, followed } from './abort.ts';
import { factoryFor, type Pen } from './drawing.ts';
import { viewOf } from './session.ts';

/** One thing that `setup` did to the new session, to be done to the real one. */
export type Deed = readonly [method: 'appendMessage' | 'appendCustomEntry', ...args: unknown[]];
type Setup = (view: Readonly<Record<string, unknown>>) => Promise<readonly Deed[]>;
type Writable = Readonly<Record<string, (...args: unknown[]) => unknown>>;

export class Desk extends RpcTarget {
  readonly #services: () => Services;
  readonly #pause: () => () => void;

  constructor(services: () => Services, pause: () => () => void) {
    super();
    this.#services = services;
    this.#pause = pause;
  }

  /** Making the component is charged to the hook; the person's time begins when it is there. */
  async custom(pen: Pen, aborted: Aborted): Promise<unknown> {
    const { ui } = this.#services();
    const { signal, release } = followed(aborted);
    let goOn: (() => void) | undefined;
    const make = factoryFor(pen);
    // Three parameters: the document's form of a factory.
    const factory = async (tui: unknown, theme: unknown, done: unknown) => {
      const component = await make(tui, theme, done);
      goOn ??= this.#pause();
      return component;
    };
    try {
      return await ui?.custom?.(factory, signal);
    } finally {
      release();
      goOn?.();
    }
  }

  async act(
    what: 'new' | 'branch' | 'navigate',
    how: Readonly<Record<string, unknown>>,
    setup: Setup | null,
  ): Promise<{ cancelled: boolean }> {
    const { session } = this.#services();
    const replayed = async (manager: Writable) => {
      for (const [method, ...args] of (await setup?.(viewOf(manager))) ?? []) manager[method]?.(...args);
    };
    const said = await session?.act?.(what, { ...how, ...(setup !== null && { setup: replayed }) });
    return { cancelled: said?.cancelled === true };
  }
}
