/** A component of a module in another process: drawn there to lines, shown here, keys sent over. */
import { RpcTarget } from 'capnweb';
import { KEYBINDINGS } from '../keybindings.ts';

/** What a component is, to terminals of the pi family. */
export interface Component {
  render(width: number): string[];
  handleInput?(data: string): void;
  invalidate?(): void;
  dispose?(): void;
}
/** The side that draws, as the other calls it. */
export interface Pen {
  open(board: Board): Promise<void>;
  render(width: number): Promise<string[]>;
  key(data: string): Promise<void>;
  refresh(): Promise<void>;
  close(): Promise<void>;
}
/** The side that shows. */
export interface Board {
  redraw(): Promise<void>;
  done(value: unknown): Promise<void>;
}
interface Tui {
  requestRender?(): void;
}
type Factory = (...args: unknown[]) => Component | Promise<Component>;

/** In the module's process. */
export class Drawing extends RpcTarget {
  readonly #factory: Factory;
  readonly #theme: unknown;
  #component: Component | undefined;

  constructor(factory: unknown, theme: unknown) {
    super();
    this.#factory = factory as Factory; // checked by whoever wrote the module
    this.#theme = theme;
  }

  /** The document's factories take `(tui, theme, done)`, later ones `(tui, theme, keybindings, done)`. */
  async open(board: Board & { dup?(): Board }): Promise<void> {
    const kept = board.dup?.() ?? board; // it is called after this call is over
    const tui = { requestRender: () => void kept.redraw().then(nothing, nothing) };
    const done = (value: unknown) => void kept.done(value).then(nothing, nothing);
    const make = this.#factory;
    this.#component =
      make.length >= 4 ? await make(tui, this.#theme, KEYBINDINGS, done) : await make(tui, this.#theme, done);
  }
  render(width: number): string[] {
    return this.#component?.render(width) ?? [];
  }
  key(data: string): void {
    this.#component?.handleInput?.(data);
  }
  refresh(): void {
    this.#component?.invalidate?.();
  }
  close(): void {
    this.#component?.dispose?.();
  }
}

class Shown extends RpcTarget {
  readonly #told: { readonly redraw: () => void; readonly done: (value: unknown) => void };
  constructor(told: { readonly redraw: () => void; readonly done: (value: unknown) => void }) {
    super();
    this.#told = told;
  }
  redraw(): void {
    this.#told.redraw();
  }
  done(value: unknown): void {
    this.#told.done(value);
  }
}

/** In the host: a factory as its `ui.custom` takes them. `lost`: the other process is gone, and the dialog with it. */
export function factoryFor(pen: Pen): Factory {
  return async (tui, _theme, done) => {
    let [lines, width, isAsked] = [[] as string[], 80, false];
    const isDone = { yet: false };
    const finish = (value: unknown) => {
      if (isDone.yet) return;
      isDone.yet = true;
      (done as (value: unknown) => void)(value);
    };
    const lost = () => finish(undefined);
    const draw = async () => {
      if (isAsked) return;
      isAsked = true;
      await undefined; // what is asked for in one go is drawn once
      isAsked = false;
      const drawn = await pen.render(width);
      lines = [...drawn].map(String);
      (tui as Tui | undefined)?.requestRender?.();
    };
    const redraw = () => void draw().catch(lost);
    await pen.open(new Shown({ redraw, done: finish }) as unknown as Board);
    lines = [...(await pen.render(width))].map(String);
    return {
      render(wanted) {
        if (wanted !== width) {
          width = wanted;
          redraw();
        }
        return lines;
      },
      handleInput: (data) => void pen.key(data).then(redraw, lost),
      invalidate: () => void pen.refresh().then(redraw, lost),
      dispose: () => void pen.close().then(nothing, nothing),
    };
  };
}

const nothing = (): void => {};
