/**
 * The agent as a library: open it, send prompts, listen. See `docs/agent.md`. `openAgent` returns an `Agent` that asks
 * the `Person` you pass in. `Wire` is the file to copy for your own agent: one function per event. The agent reports
 * everything it does as a `Happening` to its listeners.
 */
export type { Happening, Listen } from './front/happening.ts';
export { openWire, type Call, type Actor, Wire, type WireOptions } from './hooks/wire.ts';
export { Agent } from './loop/agent.ts';
export { type AgentOptions, openAgent } from './loop/open-agent.ts';
export type { Mode } from './loop/rules.ts';
export { BadSettings, type Settings } from './loop/settings.ts';
export type { Spot } from './front/spot.ts';
export { NoModel } from './models/no-model.ts';
export { type OpenedModel, openModel } from './models/open-model.ts';
export {
  type Dialogs,
  nobody,
  type Permission,
  type PermissionQuestion,
  type Person,
} from './front/person.ts';
export { type Output, type Result, resultOf, streamLine } from './screen/outputs.ts';
export { plainLines } from './screen/plain.ts';
export { UnreadableSession } from './session/read-session.ts';
export type { ListedSession } from './session/store.ts';
export { type McpTerms, type McpTools, openMcpTools } from './tools/mcp.ts';
export type { AgentTool, ToolResult, ToolScene } from './tools/tool.ts';
