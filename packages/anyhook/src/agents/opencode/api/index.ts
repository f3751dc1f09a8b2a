export { login, type LoginResult } from './auth/login.ts';
export { credentialFolder, type CredentialStore, openCredentialStore } from './auth/store.ts';
export { configHooks } from './config-hooks.ts';
export { type LoadPluginsOptions, loadPlugins } from './load-plugins.ts';
export { middleware } from './middleware.ts';
export type { PluginSpec } from './plugin-spec.ts';
export type { Plugins, TriggerName } from './plugins.ts';
export { tool } from './tools/tool.ts';
export type * from './types/index.ts';
