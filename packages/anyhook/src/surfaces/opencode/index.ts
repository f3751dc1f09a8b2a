export {
  credentialFolder,
  type CredentialStore,
  login,
  type LoginResult,
  openCredentialStore,
} from './auth/index.ts';
export { configHooks } from './config-hooks.ts';
export { type LoadPluginsOptions, loadPlugins } from './load-plugins.ts';
export { middleware } from './middleware.ts';
export type { PluginSpec } from './plugin-spec.ts';
export type { Plugins, TriggerName } from './plugins.ts';
export { tool } from './tools/tool.ts';
export type * from './types/index.ts';
