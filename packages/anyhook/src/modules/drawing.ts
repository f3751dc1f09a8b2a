/**
 * Shows a component of a module in another process: the module draws lines, the host shows them and sends keys back.
 */

import { KEYBINDINGS } from './keybindings.ts';

/** A component in terminals of the pi family. */
export interface DrawnComponent {
  render(width: number): string[];
  handleInput?(data: string): void;
  invalidate?(): void;
  dispose?(): void;
}
/** The component in the other process, as the host calls it. */
export interface RemoteComponent {
  open(screen: RemoteScreen): Promise<void>;
  render(width: number): Promise<string[]>;
  key(data: string): Promise<void>;
  refresh(): Promise<void>;
  close(): Promise<void>;
}
/** The screen, as the component in the other process calls it. */
interface RemoteScreen {
  redraw(): Promise<void>;
  done(value: unknown): Promise<void>;
}
type Promised<T> = {
  [M in keyof T]: T[M] extends (...args: infer A) => Promise<infer R>
    ? (...args: A) => R | Promise<R>
    : never;
};
interface Tui {
  requestRender?(): void;
}
type Factory = (...args: unknown[]) => DrawnComponent | Promise<DrawnComponent>;

/**
 * Runs in the module's process. Documented factories take `(tui, theme, done)`, later ones `(tui, theme, keybindings,
 * done)`.
 */
export function drawingOf(factory: unknown, theme: unknown): Promised<RemoteComponent> {
  const make = factory as Factory; // checked by the author of the module
  let component: DrawnComponent | undefined;
  return {
    async open({ redraw, done: finish }) {
      const tui = { requestRender: () => void redraw().then(nothing, nothing) };
      const done = (value: unknown) => void finish(value).then(nothing, nothing);
      component = make.length >= 4 ? await make(tui, theme, KEYBINDINGS, done) : await make(tui, theme, done);
    },
    render: (width) => component?.render(width) ?? [],
    key: (data) => component?.handleInput?.(data),
    refresh: () => component?.invalidate?.(),
    close: () => component?.dispose?.(),
  };
}

/** Runs in the host: creates a factory for `ui.custom`. If the other process ends, the dialog closes. */
export function factoryFor(far: RemoteComponent): Factory {
  return async (tui, _theme, done) => {
    let [lines, width, isAsked, isDone] = [[] as string[], 80, false, false];
    const finish = (value: unknown) => {
      if (isDone) return;
      isDone = true;
      (done as (value: unknown) => void)(value);
    };
    const lost = () => finish(undefined);
    const draw = async () => {
      if (isAsked) return;
      isAsked = true;
      await undefined; // several requests in one tick are drawn once
      isAsked = false;
      lines = (await far.render(width)).map(String);
      (tui as Tui | undefined)?.requestRender?.();
    };
    const redraw = () => void draw().catch(lost);
    const screen: Promised<RemoteScreen> = { redraw, done: finish };
    await far.open(screen as unknown as RemoteScreen); // the methods in the other process return promises
    lines = (await far.render(width)).map(String);
    return {
      render(wanted) {
        if (wanted !== width) {
          width = wanted;
          redraw();
        }
        return lines;
      },
      handleInput: (data) => void far.key(data).then(redraw, lost),
      invalidate: () => void far.refresh().then(redraw, lost),
      dispose: () => void far.close().then(nothing, nothing),
    };
  };
}

const nothing = (): void => {};
