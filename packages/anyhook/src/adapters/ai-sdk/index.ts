/** `anyhook/ai-sdk`: hooks around the tools and the models of the AI SDK. */
export { AI_SDK_CAN } from './can.ts';
export { hookedFetch, type HttpHooks, RequestRefused } from './hooked-fetch.ts';
export { type HookMiddleware, hookMiddleware, type MiddlewareOptions } from './middleware.ts';
export type { AiTool, AiTools, SdkGenerated, SdkModel, SdkParams, SdkStreamed } from './sdk.ts';
export { type ApprovalStatus, type ToolApproval, toolApproval } from './tool-approval.ts';
export { type WrapOptions, wrapTools } from './wrap-tools.ts';
export type { AdapterOptions } from '../shared/call-with-hooks.ts';
