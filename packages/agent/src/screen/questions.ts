/** Dialogs in place of the prompt, one at a time. Hook modules and the agent use them. */

import type { Services } from 'anyhook';
import { safe } from 'anyhook/views';
import { editorLooks, selectLooks } from './looks.ts';
import {
  type Component,
  Container,
  Editor,
  Input,
  matchesKey,
  SelectList,
  Text,
  type TUI,
} from './packed-pi-tui.ts';
import type { Theme } from './theme.ts';

type Dialogs = NonNullable<Services['ui']>;
type Asking = Pick<Dialogs, 'select' | 'confirm' | 'input'> & Required<Pick<Dialogs, 'editor' | 'custom'>>;

export interface Stage {
  readonly tui: TUI;
  readonly theme: Theme;
  /** Shows a component with keyboard focus in place of the prompt. `undefined` restores the prompt. */
  show(component: Component | undefined): void;
}
/** Opens a dialog; `done` closes it. */
type PutUp<T> = (done: (value: T) => void) => Component | Promise<Component>;

const MOST_ROWS = 12;

export function questions(stage: Stage): Asking {
  const { tui, theme } = stage;
  let queue: Promise<unknown> = Promise.resolve();

  /** `nothing` is the result when the user cancels or the caller aborts. */
  function ask<T>(put: PutUp<T>, nothing: T, signal?: AbortSignal): Promise<T> {
    const turn = queue.then(() => (signal?.aborted === true ? nothing : shown(stage, put, nothing, signal)));
    queue = turn.catch(() => {}); // Queue dialogs: two at once would compete for keys.
    return turn;
  }
  return {
    select: (title, options, signal) =>
      ask<string | undefined>((done) => chooser(options, { title, theme, done }), undefined, signal),
    confirm: (title, message, signal) =>
      ask<boolean>(
        (done) => chooser(['Yes', 'No'], { title, message, theme, done: (chosen) => done(chosen === 'Yes') }),
        false,
        signal,
      ),
    input: (title, placeholder, signal) =>
      ask<string | undefined>((done) => line({ title, placeholder, theme, done }), undefined, signal),
    editor: (title, prefill = '', signal) =>
      ask<string | undefined>((done) => page({ title, prefill, tui, theme, done }), undefined, signal),
    custom: (factory, signal) =>
      ask<unknown>((done) => made(factory, { tui, theme, done }), undefined, signal),
  };
}

async function shown<T>(stage: Stage, put: PutUp<T>, nothing: T, signal?: AbortSignal): Promise<T> {
  let leave: () => void = () => {};
  let component: (Component & { dispose?(): void }) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      leave = () => resolve(nothing);
      signal?.addEventListener('abort', leave, { once: true });
      Promise.resolve(put(resolve)).then((made) => {
        component = made;
        stage.show(made);
      }, reject);
    });
  } finally {
    signal?.removeEventListener('abort', leave);
    component?.dispose?.();
    stage.show(undefined);
  }
}

interface Chooser {
  readonly title: string;
  readonly message?: string;
  readonly theme: Theme;
  readonly done: (chosen: string | undefined) => void;
}
function chooser(options: readonly string[], { title, message, theme, done }: Chooser): Component {
  const items = options.map((option, index) => ({ value: String(index), label: oneLine(option) }));
  // There is no second column, so options get the whole width.
  const list = new SelectList(items, MOST_ROWS, selectLooks(theme), { maxPrimaryColumnWidth: 1000 });
  list.onSelect = ({ value }) => done(options[Number(value)]);
  list.onCancel = () => done(undefined);
  return framed(title, message, list, theme, 'enter chooses · esc leaves');
}

function line(terms: Omit<Chooser, 'message'> & { readonly placeholder: string | undefined }): Component {
  const input = new Input();
  input.focused = true;
  input.onSubmit = (value) => terms.done(value);
  input.onEscape = () => terms.done(undefined);
  const hint = terms.placeholder === undefined ? undefined : `(${terms.placeholder})`;
  return framed(terms.title, hint, input, terms.theme, 'enter sends · esc leaves');
}

interface Page extends Omit<Chooser, 'message'> {
  readonly prefill: string;
  readonly tui: TUI;
}
function page({ title, prefill, tui, theme, done }: Page): Component {
  const editor = new Editor(tui, editorLooks(theme));
  editor.focused = true;
  editor.setText(prefill);
  editor.onSubmit = (text) => done(text);
  const frame = framed(
    title,
    undefined,
    editor,
    theme,
    'enter keeps it · shift+enter a new line · esc leaves',
  );
  const type = frame.handleInput.bind(frame);
  frame.handleInput = (data) => (matchesKey(data, 'escape') ? done(undefined) : type(data));
  return frame;
}

interface Frame extends Component {
  handleInput(data: string): void;
}
function framed(
  title: string,
  message: string | undefined,
  body: Component,
  theme: Theme,
  keys: string,
): Frame {
  const box = new Container();
  box.addChild(new Text(theme.bold(theme.fg('accent', safe(title))), 1, 0));
  if (message !== undefined && message !== '') box.addChild(new Text(safe(message), 1, 0));
  box.addChild(body);
  box.addChild(new Text(theme.fg('dim', keys), 1, 0));
  return {
    render: (width) => [theme.fg('borderAccent', '─'.repeat(width)), ...box.render(width)],
    invalidate: () => box.invalidate(),
    handleInput: (data) => body.handleInput?.(data),
  };
}

interface FactoryArguments {
  readonly tui: TUI;
  readonly theme: Theme;
  readonly done: (value: unknown) => void;
}
/** The documented factories take `(tui, theme, done)`, newer ones `(tui, theme, keybindings, done)`. */
function made(factory: unknown, { tui, theme, done }: FactoryArguments): Component | Promise<Component> {
  if (typeof factory !== 'function') throw new TypeError('ui.custom takes a function that makes a component');
  const make = factory as (...args: unknown[]) => Component | Promise<Component>; // The module author is responsible for the result type.
  return make.length >= 4 ? make(tui, theme, KEYBINDINGS, done) : make(tui, theme, done);
}
const KEYBINDINGS = {
  matches: (data: string, key: Parameters<typeof matchesKey>[1]) => matchesKey(data, key),
};

const oneLine = (text: string): string => safe(text).trim().replaceAll(/\s+/g, ' ');
