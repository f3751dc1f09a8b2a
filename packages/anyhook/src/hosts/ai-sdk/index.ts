/** `anyhook/ai-sdk`: hooks around the tools of the AI SDK. */
export { type AiTool, type AiTools, type WrapOptions, wrapTools } from './wrap-tools.ts';
