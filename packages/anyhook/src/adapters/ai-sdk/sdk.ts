/** The AI SDK's types as far as we use them, so that neither code nor types require `ai`. */

export interface AiTool {
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly needsApproval?: boolean | ((input: never, options: never) => unknown) | undefined;
}
export type AiTools = Readonly<Record<string, AiTool>>;

/** What the AI SDK passes to a tool besides its input. Other fields pass through unchanged. */
export interface SdkOptions {
  readonly toolCallId: string;
  readonly messages?: readonly unknown[];
  readonly abortSignal?: AbortSignal;
}
export type Execute = (input: object, options: SdkOptions) => unknown;

export interface SdkModel {
  readonly provider: string;
  readonly modelId: string;
}
export interface SdkParams {
  readonly prompt: readonly object[];
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly providerOptions?: Readonly<Record<string, object>> | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}
export interface SdkGenerated {
  readonly content: readonly object[];
}
export interface SdkStreamed {
  readonly stream: ReadableStream<unknown>;
}
