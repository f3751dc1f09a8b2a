export {
  createHookManager,
  fireCompact,
  fireError,
  firePromptPre,
  fireSessionEnd,
  fireSessionStart,
  fireStop,
  fireToolPost,
  fireToolPre,
  fireTurnDone,
} from './firing.ts';
export { type FromServer, hooksFromServer } from './mcp-hooks.ts';
export { HookManager, type ManagerOptions, NoOpHookManager } from './manager.ts';
export { HookDefinitionSchema, OptaConfigSchema } from './schema.ts';
export type {
  AnyHookDefinition,
  HookContext,
  HookDefinition,
  HookEvent,
  HookResult,
  OptaSession,
  PromptHookDefinition,
} from './types.ts';
