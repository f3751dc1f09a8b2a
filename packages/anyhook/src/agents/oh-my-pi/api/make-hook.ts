/** The registrations of one module, and the API that it uses for them. */

import { createRequire } from 'node:module';
import { nearest } from '../../../events/problems.ts';
import { beyond } from './beyond.ts';
import { EXTENSION_EVENTS, FIRED_FOR_EXTENSIONS, HOOK_EVENTS, isHookEvent } from './event-names.ts';
import { execCommand } from './exec-command.ts';
import { extensionApi } from './extension-api.ts';
import { type SourcePosition, placeOf } from './place-of.ts';
import type {
  AppendEntryHandler,
  HookAPI,
  HookLogger,
  LoadedHook,
  SendMessageHandler,
  StoredHandler,
} from './types/index.ts';

/** Loaded on demand, because most modules never use schemas. */
const requireHere = createRequire(import.meta.url);

export interface Making {
  readonly path: string;
  readonly resolvedPath: string;
  readonly cwd: string;
  /** Reports calls that do not work as their author expects, with their location. */
  readonly warn: (message: string, place?: SourcePosition) => void;
}

interface MadeHook {
  readonly hook: LoadedHook;
  readonly api: HookAPI;
  /** Whether it has used members that only extensions have. */
  usesMore(): boolean;
}

export function makeHook({ path, resolvedPath, cwd, warn: told }: Making): MadeHook {
  const warn = (message: string, word: string) => told(message, placeOf(word, resolvedPath));
  let isMore = false;
  const more = () => void (isMore = true);
  let send: SendMessageHandler = () => tooEarly('sendMessage');
  let append: AppendEntryHandler = () => tooEarly('appendEntry');
  let host = { cwd, logger: QUIET };
  const hook: LoadedHook = {
    path,
    resolvedPath,
    handlers: new Map(),
    messageRenderers: new Map(),
    commands: new Map(),
    tools: new Map(),
    flags: new Map(),
    shortcuts: new Map(),
    providers: new Set(),
    setSendMessageHandler: (handler) => void (send = handler),
    setAppendEntryHandler: (handler) => void (append = handler),
    setHost: (given) => void (host = given),
  };
  const own: HookAPI = {
    on(event, handler) {
      needs('function', handler, `pi.on(${JSON.stringify(event)}, …)`);
      if (!isHookEvent(event) && !FIRED_FOR_EXTENSIONS.has(event))
        warn(unknownEvent(String(event)), String(event));
      if (EXTENSION_EVENTS.has(event)) more();
      const known = hook.handlers.get(event) ?? [];
      // Stored under the event name, and the runner only calls it with that event.
      hook.handlers.set(event, [...known, handler as StoredHandler]);
      return () => {
        const left = (hook.handlers.get(event) ?? []).filter((one) => one !== handler);
        if (left.length > 0) hook.handlers.set(event, left);
        else hook.handlers.delete(event);
      };
    },
    sendMessage: (message, options) => send(message, options),
    appendEntry: (customType, data) => append(customType, data),
    registerMessageRenderer(customType, renderer) {
      needs('function', renderer, `pi.registerMessageRenderer(${JSON.stringify(customType)}, …)`);
      hook.messageRenderers.set(customType, renderer as never); // only called for messages of this type
    },
    registerCommand(name, { description, handler }) {
      needs('function', handler, `pi.registerCommand(${JSON.stringify(name)}, { handler })`);
      hook.commands.set(name, { name, ...(description !== undefined && { description }), handler });
    },
    exec: (command, args, options) => execCommand(command, args, host.cwd, options),
    get logger() {
      return host.logger;
    },
    supportedEvents: HOOK_EVENTS,
    get zod() {
      return requireHere('zod') as HookAPI['zod'];
    },
  };
  const extension = extensionApi(hook, { warn, more, send: (message, options) => send(message, options) });
  Object.setPrototypeOf(own, Object.setPrototypeOf(extension, beyond(warn, more)) as object);
  return { hook, api: own, usesMore: () => isMore };
}

function unknownEvent(event: string): string {
  if (EXTENSION_EVENTS.has(event))
    return `listens to ${JSON.stringify(event)}, an extension event that hook modules do not receive`;
  const near = nearest(event, HOOK_EVENTS);
  return `listens to ${JSON.stringify(event)}, which is never fired${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}`;
}

function needs(type: 'function', value: unknown, where: string): void {
  if (typeof value !== type) throw new TypeError(`${where} needs a ${type}, not ${typeof value}`);
}

function tooEarly(name: string): never {
  throw new Error(
    `pi.${name} was called before the runner was initialised; call it from a handler or a command`,
  );
}

const QUIET: HookLogger = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} });
