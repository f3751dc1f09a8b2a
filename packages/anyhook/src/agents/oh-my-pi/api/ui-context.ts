/** The host's dialogs in the format of hook modules. A handler's time pauses while one is open. */

import type { Dialogs } from '../../../events/services.ts';
import { UI_BEYOND } from './context-beyond.ts';
import { statusText } from './status-line.ts';
import { currentWatch } from './stopwatch.ts';
import { PLAIN } from './theme.ts';
import type { CustomFactory, HookUIContext, Theme } from './types/index.ts';

export function uiContext(dialogs: Dialogs | undefined): HookUIContext {
  const own: HookUIContext = {
    select: (title, options) => asked((signal) => dialogs?.select(title, options, signal), undefined),
    confirm: (title, message) => asked((signal) => dialogs?.confirm(title, message, signal), false),
    input: (title, placeholder) => asked((signal) => dialogs?.input(title, placeholder, signal), undefined),
    editor: (title, prefill, options) =>
      asked((signal) => dialogs?.editor?.(title, prefill, either(signal, options?.signal)), undefined),
    custom: <T>(factory: CustomFactory<T>) => drawn(dialogs, factory),
    notify: (message, type) => dialogs?.notify(message, type),
    setStatus: (key, text) => dialogs?.status?.(key, text === undefined ? undefined : statusText(text)),
    setEditorText: (text) => dialogs?.setEditorText?.(text),
    getEditorText: () => dialogs?.getEditorText?.() ?? '',
    get theme() {
      return (dialogs?.theme as Theme | undefined) ?? PLAIN; // the host's own, read on each access
    },
  };
  return Object.setPrototypeOf(own, UI_BEYOND) as HookUIContext;
}

/** A handler after its deadline opens no dialogs. */
async function asked<T>(ask: (signal?: AbortSignal) => Promise<T> | undefined, otherwise: T): Promise<T> {
  const watch = currentWatch();
  if (watch?.signal.aborted) return otherwise;
  const goOn = watch?.pause();
  try {
    return (await ask(watch?.signal)) ?? otherwise;
  } finally {
    goOn?.();
  }
}

/** The handler's deadline covers creating the component and pauses once the user sees it. */
async function drawn<T>(dialogs: Dialogs | undefined, factory: CustomFactory<T>): Promise<T> {
  const watch = currentWatch();
  if (watch?.signal.aborted) return undefined as T; // like without a screen
  let goOn: (() => void) | undefined;
  // Has the same number of parameters as the module's factory, because hosts use it to tell the two forms apart.
  const made = Object.defineProperty(
    async (...args: unknown[]) => {
      const component: unknown = await (factory as (...given: unknown[]) => unknown)(...args);
      goOn ??= watch?.pause();
      return component;
    },
    'length',
    { value: factory.length },
  );
  try {
    // The value that the module passes to `done`; undefined without a screen.
    return (await dialogs?.custom?.(made, watch?.signal)) as T;
  } finally {
    goOn?.();
  }
}

const either = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
