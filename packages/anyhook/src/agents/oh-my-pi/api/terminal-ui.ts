/** Line-based dialogs for any host with a terminal. Text from hooks is shown but cannot control the terminal. */

import { createInterface } from 'node:readline/promises';
import type { Dialogs } from '../../../events/services.ts';
import { KEYBINDINGS } from '../../../modules/keybindings.ts';
import { safe } from '../../../render/safe.ts';
import { statusLine } from './status-line.ts';
import { PLAIN } from './theme.ts';
import type { Component } from './types/index.ts';

export interface TerminalOptions {
  readonly input?: NodeJS.ReadableStream;
  readonly output?: NodeJS.WritableStream & { readonly columns?: number };
}
type DialogAnswer = string | undefined;

export function terminalUI({
  input = process.stdin,
  output = process.stderr,
}: TerminalOptions = {}): Dialogs {
  const status = new Map<string, string>();
  let draft = '';
  const say = (text: string) => void output.write(`${safe(text)}\n`);
  const dialog = dialogQueue(input, output);
  return {
    ...questions(say, dialog),
    custom: (factory, signal) =>
      dialog((line) => drawCustom(factory, line, { say, width: output.columns ?? 80 }), signal),
    notify: (message, level = 'info') => say(`${level === 'info' ? '' : `${level}: `}${message}`),
    status(key, text) {
      if (text === undefined) status.delete(key);
      else status.set(key, text);
      const shown = statusLine(status, output.columns ?? 80);
      if (shown !== '') say(shown);
    },
    setEditorText: (text) => void (draft = text),
    getEditorText: () => draft,
    theme: PLAIN,
  };
}

/** Runs a dialog that reads lines. A line is `undefined` if the input ended or the dialog was closed. */
type RunDialog = <T>(
  ask: (line: (prompt: string) => Promise<DialogAnswer>) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/** Runs one dialog after another, because two at once would read each other's answers. */
function dialogQueue(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): RunDialog {
  let queue: Promise<unknown> = Promise.resolve();
  return (ask, signal) => {
    const run = async () => {
      const lines = openLines(input, output, signal);
      try {
        return await ask(lines.next);
      } finally {
        lines.close();
      }
    };
    const turn = queue.then(run, run);
    queue = turn.catch(() => {});
    return turn;
  };
}

const questions = (
  say: (text: string) => void,
  dialog: RunDialog,
): Required<Pick<Dialogs, 'select' | 'confirm' | 'input' | 'editor'>> => ({
  select: (title, options, signal) =>
    dialog(async (line) => {
      say([title, ...options.map((option, index) => `  ${index + 1}. ${option}`)].join('\n'));
      const answer = (await line(`1-${options.length}: `))?.trim();
      return options[Number(answer || NaN) - 1] ?? options.find((option) => option === answer);
    }, signal),
  confirm: (title, message, signal) =>
    dialog(async (line) => {
      say(`${title}\n${message}`);
      return /^\s*y(es)?\s*$/i.test((await line('y/N: ')) ?? '');
    }, signal),
  input: (title, placeholder, signal) =>
    dialog(async (line) => {
      say(title);
      return line(placeholder === undefined ? '> ' : `(${safe(placeholder)}) > `);
    }, signal),
  editor: (title, prefill, signal) =>
    dialog(async (line) => {
      say(`${title}\n${prefill ?? ''}\nEnd with a line that is a dot; a dot alone keeps the text above.`);
      const written: string[] = [];
      for (;;) {
        const text = await line('| ');
        if (text === undefined) return undefined;
        if (text === '.') return written.length === 0 ? (prefill ?? '') : written.join('\n');
        written.push(text);
      }
    }, signal),
});

/** Lines that arrive together are queued until they are read. */
function openLines(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, signal?: AbortSignal) {
  const reading = createInterface({ input, terminal: false });
  const lines = reading[Symbol.asyncIterator]();
  const close = () => reading.close();
  signal?.addEventListener('abort', close, { once: true });
  return {
    async next(prompt: string): Promise<DialogAnswer> {
      if (signal?.aborted) return undefined;
      output.write(prompt);
      const { done, value } = await lines.next();
      return done === true ? undefined : value;
    },
    close() {
      signal?.removeEventListener('abort', close);
      close();
    },
  };
}

interface Screen {
  readonly say: (text: string) => void;
  readonly width: number;
}

/**
 * Shows a component on a line-based terminal: draws it, passes it the typed line, and draws it again until it is done.
 */
async function drawCustom(
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
      // A component may finish without input.
      if ((await Promise.race([typed.then(() => 'typed'), finished.then(() => 'done')])) === 'done') break;
    }
    return await finished;
  } finally {
    component.dispose?.();
  }
}

/** Documented factories take `(tui, theme, done)`, later ones `(tui, theme, keybindings, done)`. */
function made(factory: unknown, done: (value: unknown) => void): Component | Promise<Component> {
  const make = factory as (...args: unknown[]) => Component | Promise<Component>; // checked by the author of the hook
  const tui = { requestRender() {} };
  return make.length >= 4 ? make(tui, PLAIN, KEYBINDINGS, done) : make(tui, PLAIN, done);
}
