/** The extension API of one module: everything that extensions may register besides hooks. */

import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { ownFile } from '../../../own-files.mjs';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import type * as Typebox from './host-packages/packed-typebox.mjs';
import type {
  HookMessage,
  LoadedHook,
  RegisteredFlag,
  RegisteredTool,
  SendMessageHandler,
} from './types/index.ts';

/** Modules in one process may send each other events. An error of a listener does not affect the sender. */
type Listener = (data: unknown) => unknown;
const emitter = new EventEmitter({ captureRejections: false }).setMaxListeners(0);

const moduleBus = Object.freeze({
  emit: (channel: string, data: unknown): void => void emitter.emit(`on ${channel}`, data),
  /** Returns a function that removes the listener. */
  on(channel: string, listener: Listener): () => void {
    const guarded = async (data: unknown) => {
      try {
        await listener(data);
      } catch (error) {
        process.emitWarning(`a listener to ${channel} failed: ${describeThrown(error).message}`);
      }
    };
    emitter.on(`on ${channel}`, guarded);
    return () => void emitter.off(`on ${channel}`, guarded);
  },
});

const requireHere = createRequire(import.meta.url);

interface ExtensionTerms {
  /** Reports calls that do not work as their author expects. */
  readonly warn: (message: string, name: string) => void;
  /** Called for members that only extensions use. */
  readonly more: () => void;
  readonly send: SendMessageHandler;
}
type UserContent = HookMessage['content'];

export function extensionApi(hook: LoadedHook, { warn, more, send }: ExtensionTerms): object {
  return {
    registerTool(tool: RegisteredTool) {
      more();
      if (typeof tool?.name === 'string' && typeof tool.execute === 'function')
        hook.tools.set(tool.name, tool);
      else
        warn(`pi.registerTool needs a name and a function 'execute'; the tool is left out`, 'registerTool');
    },
    registerFlag(name: string, flag: Omit<RegisteredFlag, 'name'>) {
      more();
      hook.flags.set(name, { ...flag, name });
    },
    /** Returns the default, because no host here sets flags. */
    getFlag: (name: string) => hook.flags.get(name)?.default,
    registerShortcut(key: string, { description }: { description?: string } = {}) {
      more();
      hook.shortcuts.set(key, description === undefined ? {} : { description });
      warn(`registers the shortcut ${key}, but modules get no keyboard input here`, 'registerShortcut');
    },
    registerProvider(provider: string | { readonly id?: string }) {
      more();
      const name = typeof provider === 'string' ? provider : (provider.id ?? 'unnamed');
      hook.providers.add(name);
      warn(`registers the provider ${name}, but modules cannot add providers here`, 'registerProvider');
    },
    unregisterProvider: (name: string) => void hook.providers.delete(name),
    sendUserMessage(content: UserContent, options: { deliverAs?: 'steer' | 'followUp' } = {}) {
      more();
      send({ customType: 'user', content, display: true }, { triggerTurn: true, ...options });
    },
    events: moduleBus,
    get typebox() {
      return (requireHere(ownFile('agents/oh-my-pi/api/host-packages/packed-typebox.mjs')) as typeof Typebox)
        .root;
    },
  };
}
