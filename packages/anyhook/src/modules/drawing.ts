/** A component of a module in another process: drawn there to lines, shown here, keys sent over. */
import { KEYBINDINGS } from './keybindings.ts';

/** What a component is, to terminals of the pi family. */
export interface DrawnComponent {
  render(width: number): string[];
  handleInput?(data: string): void;
  invalidate?(): void;
  dispose?(): void;
}
/** The component over there, as its host calls it. */
export interface RemoteComponent {
  open(screen: RemoteScreen): Promise<void>;
  render(width: number): Promise<string[]>;
  key(data: string): Promise<void>;
  refresh(): Promise<void>;
  close(): Promise<void>;
}
/** The screen, as the component over there calls it. */
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

/** In the module's process. The document's factories take `(tui, theme, done)`, later ones `(tui, theme, keybindings, done)`. */
export function drawingOf(factory: unknown, theme: unknown): Promised<RemoteComponent> {
  const make = factory as Factory; // checked by whoever wrote the module
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

/** In the host: a factory as its `ui.custom` takes them. When the other process is gone, the dialog is done. */
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
      await undefined; // what is asked for in one go is drawn once
      isAsked = false;
      lines = (await far.render(width)).map(String);
      (tui as Tui | undefined)?.requestRender?.();
    };
    const redraw = () => void draw().catch(lost);
    const screen: Promised<RemoteScreen> = { redraw, done: finish };
    await far.open(screen as unknown as RemoteScreen); // over there its methods answer with promises
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
