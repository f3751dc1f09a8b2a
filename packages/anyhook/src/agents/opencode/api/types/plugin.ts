import type { createOpencodeClient, Project, Config as SdkConfig } from '@opencode-ai/sdk';
import type { Hooks } from './hooks.ts';
import type { BunShell } from './shell.ts';

export interface PluginInput {
  client: ReturnType<typeof createOpencodeClient>;
  project: Project;
  directory: string;
  worktree: string;
  serverUrl: URL;
  $: BunShell;
  /** OpenCode's remote workspaces. */
  experimental_workspace: { register(type: string, adapter: object): void };
}

/** The second part of a `[spec, options]` pair in the settings. */
export type PluginOptions = Record<string, unknown>;

/** The settings, as passed to a plugin's `config` hook. */
export type Config = Omit<SdkConfig, 'plugin'> & {
  plugin?: (string | [string, PluginOptions])[];
};

export type Plugin = (input: PluginInput, options?: PluginOptions) => Promise<Hooks> | Hooks;

/** The newer export format: an object as default export. */
export interface PluginModule {
  id?: string | undefined;
  server: Plugin;
  tui?: undefined;
}
