import type { Event, Message, Model, Part, Permission, Provider, UserMessage } from '@opencode-ai/sdk';
import type { AuthHook, ProviderHook } from './auth.ts';
import type { Loose } from './loose.ts';
import type { Config } from './plugin.ts';
import type { AnyToolDefinition } from './tool.ts';

type Done = Promise<void> | void;

/** The provider of a request, and how that provider was found. */
export interface ProviderContext {
  source: 'env' | 'config' | 'custom' | 'api';
  info: Provider;
  options: Record<string, Loose>;
}

/** OpenCode's own fields, and two more that its documentation lists. */
export type PermissionInput = Permission & { tool: string; args?: Loose };

interface ModelCall {
  sessionID: string;
  agent: string;
  model: Model;
  provider: ProviderContext;
  message: UserMessage;
}

interface ToolCall {
  tool: string;
  sessionID: string;
  callID: string;
}

/**
 * All hooks of a plugin. Methods instead of function properties, so that hooks for another version of OpenCode's types
 * are accepted.
 */
export interface Hooks {
  event?(input: { event: Event }): Done;
  config?(input: Config): Done;
  tool?: { [name: string]: AnyToolDefinition };
  auth?: AuthHook;
  provider?: ProviderHook;
  dispose?(): Done;

  'chat.message'?(
    input: {
      sessionID: string;
      agent?: string;
      model?: { providerID: string; modelID: string };
      messageID?: string;
      variant?: string;
    },
    output: { message: UserMessage; parts: Part[] },
  ): Done;
  'chat.params'?(
    input: ModelCall,
    output: {
      temperature: number;
      topP: number;
      topK: number;
      maxOutputTokens: number | undefined;
      options: Record<string, Loose>;
    },
  ): Done;
  'chat.headers'?(input: ModelCall, output: { headers: Record<string, string> }): Done;

  /** Called for every permission request here. OpenCode itself has not called it since early 2026. */
  'permission.ask'?(input: PermissionInput, output: { status: 'ask' | 'deny' | 'allow' }): Done;
  'command.execute.before'?(
    input: { command: string; sessionID: string; arguments: string },
    output: { parts: Part[] },
  ): Done;
  /** A throw fails only this call. */
  'tool.execute.before'?(input: ToolCall, output: { args: Loose }): Done;
  'tool.execute.after'?(
    input: ToolCall & { args: Loose },
    output: { title: string; output: string; metadata: Loose },
  ): Done;
  'shell.env'?(
    input: { cwd: string; sessionID?: string; callID?: string },
    output: { env: Record<string, string> },
  ): Done;
  'tool.definition'?(input: { toolID: string }, output: { description: string; parameters: Loose }): Done;

  'experimental.chat.messages.transform'?(
    input: Record<never, never>,
    output: { messages: { info: Message; parts: Part[] }[] },
  ): Done;
  'experimental.chat.system.transform'?(
    input: { sessionID?: string; model: Model },
    output: { system: string[] },
  ): Done;
  /** A `prompt` replaces the whole prompt; `context` is then ignored. */
  'experimental.session.compacting'?(
    input: { sessionID: string },
    output: { context: string[]; prompt?: string },
  ): Done;
  'experimental.compaction.autocontinue'?(
    input: ModelCall & { overflow: boolean },
    output: { enabled: boolean },
  ): Done;
  'experimental.text.complete'?(
    input: { sessionID: string; messageID: string; partID: string },
    output: { text: string },
  ): Done;
  'experimental.provider.small_model'?(input: { provider: ProviderContext }, output: { model?: Model }): Done;
}
