/** As much of the AI SDK's shapes as is touched here, so that neither code nor types need `ai` to be installed. */

export interface AiTool {
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly needsApproval?: boolean | ((input: never, options: never) => unknown) | undefined;
}
export type AiTools = Readonly<Record<string, AiTool>>;

/** What it hands to a tool besides its input; what is not named here passes through as it came. */
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
