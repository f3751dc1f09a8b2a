/** What extensions may register beyond hooks, and what their API hands them: one module's. */
import { createRequire } from 'node:module';
import { ownFile } from '../../../own-files.mjs';
import { moduleBus } from './module-bus.ts';
import type * as Typebox from './host-packages/packed-typebox.mjs';
import type {
  HookMessage,
  LoadedHook,
  RegisteredFlag,
  RegisteredTool,
  SendMessageHandler,
} from './types/index.ts';

const requireHere = createRequire(import.meta.url);

interface ExtensionTerms {
  /** Told what will not do what its author meant. */
  readonly warn: (message: string, name: string) => void;
  /** Told that only extensions do this. */
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
    /** As it is unless somebody says otherwise, and nobody here does. */
    getFlag: (name: string) => hook.flags.get(name)?.default,
    registerShortcut(key: string, { description }: { description?: string } = {}) {
      more();
      hook.shortcuts.set(key, description === undefined ? {} : { description });
      warn(`binds the key ${key}, which nobody can press here`, 'registerShortcut');
    },
    registerProvider(provider: string | { readonly id?: string }) {
      more();
      const name = typeof provider === 'string' ? provider : (provider.id ?? 'unnamed');
      hook.providers.add(name);
      warn(`brings the provider ${name}, which no host here takes from a module`, 'registerProvider');
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
