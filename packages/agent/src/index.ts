/** The agent as a part of another program: open it, give it prompts, listen. */
export type { Happening, Listen } from './happening.ts';
export { openWire, type Seat, Wire, type WireOptions } from './hooks/wire.ts';
export { Agent } from './loop/agent.ts';
export { type AgentOptions, openAgent } from './loop/open-agent.ts';
export { BadSettings, type Settings } from './loop/settings.ts';
export { NoModel } from './models/no-model.ts';
export { nobody, type Permission, type PermissionQuestion, type Person } from './person.ts';
export { UnreadableSession } from './session/read-session.ts';
export type { AgentTool, ToolResult, ToolScene } from './tools/tool.ts';
