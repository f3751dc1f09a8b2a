import { KEYBINDINGS } from '../../../modules/keybindings.ts';
import { PLAIN } from './theme.ts';
import type { Component } from './types/index.ts';

interface Screen {
  readonly say: (text: string) => void;
  readonly width: number;
}

/** A component on a terminal of lines: drawn, given the line that was typed, drawn again, until it is done. */
export async function drawCustom(
  factory: unknown,
  line: (prompt: string) => Promise<string | undefined>,
  { say, width }: Screen,
): Promise<unknown> {
  let isDone = false;
  let finish: (value: unknown) => void = () => {};
  const finished = new Promise<unknown>((resolve) => void (finish = resolve));
  const component = await made(factory, (value) => {
    isDone = true;
    finish(value);
  });
  const close = () => finish(undefined); // the input ended, or the dialog was closed
  const type = (typed: string | undefined) =>
    typed === undefined ? close() : component.handleInput?.(`${typed}\r`);
  try {
    while (!isDone) {
      say(component.render(width).join('\n'));
      const typed = line('> ').then(type);
      // A component may be done without a word from the person.
      if ((await Promise.race([typed.then(() => 'typed'), finished.then(() => 'done')])) === 'done') break;
    }
    return await finished;
  } finally {
    component.dispose?.();
  }
}

/** The document's factories take `(tui, theme, done)`, later ones `(tui, theme, keybindings, done)`. */
function made(factory: unknown, done: (value: unknown) => void): Component | Promise<Component> {
  const make = factory as (...args: unknown[]) => Component | Promise<Component>; // checked by whoever wrote the hook
  const tui = { requestRender() {} };
  return make.length >= 4 ? make(tui, PLAIN, KEYBINDINGS, done) : make(tui, PLAIN, done);
}
