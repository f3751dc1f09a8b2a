export { discoverAndLoadHooks, type DiscoverOptions } from './discover-and-load.ts';
export { discoverHooks, type DiscoveredHook, type Discovery } from './discover.ts';
export { execCommand } from './exec-command.ts';
export { HOOK_EVENTS } from './event-names.ts';
export { loadHooks, type LoadHooksOptions } from './load.ts';
export { type RunnerEmitOptions, HookRunner, type RunnerOptions } from './runner.ts';
export { statusLine, statusText } from './status-line.ts';
export {
  type CallContext,
  HookToolWrapper,
  type WrappedToolResult,
  type WrappableTool,
} from './tool-wrapper.ts';
export { terminalUI, type TerminalOptions } from './terminal-ui.ts';
export type * from './types/index.ts';
