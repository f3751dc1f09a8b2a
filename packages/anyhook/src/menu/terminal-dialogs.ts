/** Dialogs in a terminal. Escape cancels one prompt, ctrl+c all later ones. No answer never counts as yes. */

import { emitKeypressEvents } from 'node:readline';
import type { Dialogs } from '../events/services.ts';
import type { Paint } from '../render/paint.ts';
import { safe, safeLine } from '../render/safe.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly paint: Paint;
}
interface Context {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}
type MenuDialogs = Pick<Dialogs, 'select' | 'confirm' | 'input' | 'notify'>;

/** Rows of a list shown at once. */
const PAGE_ROWS = 12;

export function terminalDialogs(terminal: Terminal): MenuDialogs {
  const { output, paint } = terminal;
  const prompts = import('./packed-prompts.ts'); // loaded while the hooks are read
  const ask = prompter(terminal);
  return {
    select: (title, options, signal) =>
      ask<string | undefined>(
        async (context) => {
          const { select } = await prompts;
          const choices = options.map((value) => ({ value, name: safe(value) }));
          const question = { message: safe(title), choices, pageSize: PAGE_ROWS, loop: false, theme: THEME };
          return select(question, context);
        },
        undefined,
        signal,
      ),
    confirm: (title, message, signal) =>
      ask(
        async (context) => {
          const { confirm } = await prompts;
          return confirm(
            { message: `${safe(title)} ${paint('dim', safe(message))}`, default: false },
            context,
          );
        },
        false,
        signal,
      ),
    input: (title, placeholder, signal) =>
      ask<string | undefined>(
        async (context) => {
          const { input: line } = await prompts;
          // Text with control characters is not offered as input.
          const isPlain = placeholder !== undefined && safe(placeholder) === placeholder;
          const prefill = isPlain ? { default: placeholder, prefill: 'editable' as const } : {};
          return line({ message: safe(title), transformer: safe, ...prefill }, context);
        },
        undefined,
        signal,
      ),
    notify: (message, level = 'info') => {
      // Our own text may be coloured.
      const lines = message.split('\n').map((line) => coloured(safeLine(line), level, paint));
      output.write(`${lines.join('\n')}\n`);
    },
  };
}

type Ask = <T>(
  question: (context: Context) => Promise<T>,
  /** The result of a cancelled prompt. */
  nothing: T,
  given?: AbortSignal,
) => Promise<T>;

/** Returns a function that shows one prompt. After ctrl+c or the end of the input it shows no more. */
function prompter({ input, output }: Terminal): Ask {
  let isLeft = false;
  emitKeypressEvents(input);
  return async (question, nothing, given) => {
    if (isLeft) return nothing;
    const leaving = new AbortController();
    const signal = given === undefined ? leaving.signal : AbortSignal.any([leaving.signal, given]);
    const onKey = (_: unknown, key: { name?: string } | undefined) => {
      if (key?.name === 'escape') leaving.abort();
    };
    const onEnd = () => {
      isLeft = true;
      leaving.abort();
    };
    input.on('keypress', onKey).on('end', onEnd);
    try {
      return await question({ input, output, signal });
    } catch (error) {
      const { name } = error as Error;
      if (!LEFT.has(name)) throw error;
      if (name === 'ExitPromptError') isLeft = true;
      return nothing;
    } finally {
      input.removeListener('keypress', onKey).removeListener('end', onEnd);
    }
  };
}

const THEME = {
  style: {
    keysHelpTip: (keys: [key: string, action: string][]) =>
      [...keys, ['esc', 'back']].map((pair) => pair.join(' ')).join(' · '),
  },
};

/** Errors that mean the prompt was cancelled. */
const LEFT: ReadonlySet<string> = new Set(['AbortPromptError', 'ExitPromptError', 'CancelPromptError']);

function coloured(line: string, level: 'info' | 'warning' | 'error', paint: Paint): string {
  if (level !== 'info') return paint(level === 'error' ? 'red' : 'yellow', line);
  if (/^\s*\+/.test(line)) return paint('green', line);
  return /^\s*-/.test(line) ? paint('red', line) : line;
}
