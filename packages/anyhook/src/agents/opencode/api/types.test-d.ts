/** Type tests: code for OpenCode's own package, and examples of its documentation, compile with our types. */

import type * as theirs from '@opencode-ai/plugin';
import { tool } from '@opencode-ai/plugin';
import type * as ours from './types/index.ts';

/**
 * Both clients are the SDK's, but of different versions. They are treated as equal, and everything else is compared.
 */
type TheirInput = Omit<theirs.PluginInput, 'client'> & Pick<ours.PluginInput, 'client'>;
type TheirPlugin = (
  input: TheirInput,
  ...rest: Parameters<theirs.Plugin> extends [unknown, ...infer Rest] ? Rest : never
) => ReturnType<theirs.Plugin>;

declare const theirPlugin: TheirPlugin;
declare const theirModule: Omit<theirs.PluginModule, 'server'> & { server: TheirPlugin };
declare const theirHooks: Required<theirs.Hooks>;
declare const ourInput: ours.PluginInput;
declare const ourContext: ours.ToolContext;
declare const ourShell: ours.BunShell;

/** Assigned as values, so that each name is compared completely. */
export const plugin: ours.Plugin = theirPlugin;
export const module: ours.PluginModule = theirModule;
export const hooks: ours.Hooks = theirHooks;
export const toolDefinition: ours.AnyToolDefinition = {} as theirs.ToolDefinition;
export const auth: ours.AuthHook = {} as theirs.AuthHook;
export const authResult: ours.AuthOAuthResult = {} as theirs.AuthOAuthResult;
export const authOuathResult: ours.AuthOuathResult = {} as theirs.AuthOuathResult;
export const provider: ours.ProviderHook = {} as theirs.ProviderHook;
export const options: ours.PluginOptions = {} as theirs.PluginOptions;

/** The reverse: what we pass to a plugin matches its types. */
export const input: TheirInput = ourInput;
export const context: theirs.ToolContext = ourContext;
export const shell: theirs.PluginInput['$'] = ourShell;

/** Every client method of their version exists in ours. */
type TheirClient = theirs.PluginInput['client'];
type OurClient = ours.PluginInput['client'];
type MissingInOurs = {
  [K in keyof TheirClient]: K extends keyof OurClient ? Exclude<keyof TheirClient[K], keyof OurClient[K]> : K;
}[keyof TheirClient];
export const clientIsWhole: [MissingInOurs] extends [never] ? true : MissingInOurs = true;
/** Control: a missing method is detected. */
export const isSeen: Exclude<'list' | 'nowhere', keyof OurClient['session']> = 'nowhere';
/** The most used methods have the same types. */
export const usesOfClient = async (client: OurClient): Promise<TheirAnswers> => ({
  sessions: (await client.session.list()).data,
  messages: (await client.session.messages({ path: { id: 's' } })).data,
  logged: (await client.app.log({ body: { service: 's', level: 'info', message: 'm' } })).data,
  toast: (await client.tui.showToast({ body: { message: 'm', variant: 'info' } })).data,
  set: (await client.auth.set({ path: { id: 'p' }, body: { type: 'api', key: 'k' } })).data,
});
interface TheirAnswers {
  sessions: readonly { id: string; directory: string; title: string }[] | undefined;
  messages:
    | readonly { info: { id: string; role: 'user' | 'assistant' }; parts: readonly { type: string }[] }[]
    | undefined;
  logged: boolean | undefined;
  toast: boolean | undefined;
  set: boolean | undefined;
}

/** Every hook of theirs has a name in ours. */
export const names: Record<keyof theirs.Hooks, true> = {} as Record<keyof ours.Hooks, true>;

export const withTool: TheirPlugin = async () => ({
  tool: {
    greet: tool({
      description: 'Greets',
      args: { name: tool.schema.string() },
      execute: async (args) => `Hello ${args.name}`,
    }),
  },
});
export const withToolHere: ours.Plugin = withTool;

/** Wrong values do not compile: these types are wide, not empty. */
// @ts-expect-error a status is one of three words
export const wrongStatus: ours.Hooks = { 'permission.ask': async (_i, o) => void (o.status = 'no') };
// @ts-expect-error no such hook
export const wrongName: ours.Hooks = { 'tool.execute.befor': async () => {} };

const sanitizePath = (path: string): string => path;

/** Examples of the documentation. */
export const documented: ours.Plugin = async (input) => {
  const logFile = `${input.directory}/.opencode/audit.log`;
  return {
    config: async (config) => void config.theme,
    event: async ({ event }) => {
      await input.$`echo "${event.type}" >> ${logFile}`;
    },
    'permission.ask': async (input, output) => {
      if (input.tool === 'bash' && input.args?.command?.includes('rm -rf /')) {
        output.status = 'deny';
        return;
      }
      output.status = input.tool === 'read' ? 'allow' : 'ask';
    },
    'tool.execute.before': async (input, output) => {
      if (input.tool === 'write') output.args.path = sanitizePath(output.args.path);
      if (input.tool === 'bash') {
        output.args.command = output.args.command.replace(/--force/g, '');
      }
    },
    'tool.execute.after': async (toolInput, output) => {
      const filePath = output.metadata?.path as string;
      if (toolInput.callID && filePath?.endsWith('.py')) await input.$`black ${filePath}`;
    },
    'chat.params': async (_input, output) => {
      output.temperature = 0;
      output.options.seed = 7;
    },
    'chat.message': async (input, output) => {
      if (input.sessionID) output.parts.pop();
    },
  };
};

/** Synchronous handlers are accepted too. */
export const atOnce: ours.Plugin = () => ({
  'shell.env': (_input, output) => void (output.env.CI = '1'),
  dispose: () => {},
});
