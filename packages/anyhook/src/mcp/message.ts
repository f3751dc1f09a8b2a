/** The parts of JSON-RPC that a proxy must look at. Everything else passes unchanged. */

import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';

export type MessageId = string | number;
export type Message = Fields;
export interface RequestMessage extends Message {
  readonly id: MessageId;
  readonly method: string;
}
export type NotificationMessage = Message & { readonly method: string };
export type ResponseMessage = Message & { readonly id: MessageId };
/** A response without its id. */
export type RpcReply = { readonly result: unknown } | { readonly error: RpcError };
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A larger number would lose precision and come back as a different id. */
const isId = (id: unknown): id is MessageId => typeof id === 'string' || Number.isSafeInteger(id);

export const isRequest = (message: Message): message is RequestMessage =>
  typeof message['method'] === 'string' && isId(message['id']);
export const isNotification = (message: Message): message is NotificationMessage =>
  typeof message['method'] === 'string' && message['id'] === undefined;
export const isResponse = (message: Message): message is ResponseMessage =>
  message['method'] === undefined && isId(message['id']) && ('result' in message || 'error' in message);

/** `1` and `"1"` are different ids. */
export const requestKey = (id: MessageId): string => JSON.stringify(id);
export const paramsOf = ({ params }: Message): Fields => (isFields(params) ? params : {});

export const INVALID = -32_600;
export const INVALID_PARAMS = -32_602;
/** The official SDK's code for a closed connection. */
export const CLOSED = -32_000;

export const responseTo = (id: MessageId | null, reply: RpcReply): Message => ({
  jsonrpc: '2.0',
  id,
  ...reply,
});
export const rpcFailure = (code: number, message: string): RpcReply => ({ error: { code, message } });
export const replyIn = ({ result, error }: ResponseMessage): RpcReply =>
  isFields(error) ? { error: error as Fields & RpcError } : { result };
