/** Parses one line of the control channel into our own format. Accepts the nested and the flat form. */

import { isFields } from '../../../events/fields.ts';

export type LooseFields = Readonly<Record<string, unknown>>;

export type Frame =
  | { readonly kind: 'request'; readonly id: string; readonly subtype: string; readonly body: LooseFields }
  | { readonly kind: 'answer'; readonly id: string; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: string; readonly code: string | null; readonly message: string }
  | { readonly kind: 'cancel'; readonly id: string }
  /** Not part of the control protocol: a message of the agent. */
  | { readonly kind: 'message'; readonly message: LooseFields }
  | { readonly kind: 'noise'; readonly why: string };

export function readFrame(line: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return noise(`it is not JSON: ${(error as Error).message}`);
  }
  if (!isFields(value) || typeof value['type'] !== 'string') return noise('it is not an object with a type');
  const read = Object.hasOwn(READERS, value['type']) ? READERS[value['type']] : undefined;
  return read === undefined ? { kind: 'message', message: value } : read(value);
}

const READERS: Readonly<Record<string, (frame: LooseFields) => Frame>> = {
  control_request: (frame) => {
    const id = frame['request_id'];
    if (typeof id !== 'string') return noise('a request without request_id');
    const body = isFields(frame['request']) ? frame['request'] : frame;
    return { kind: 'request', id, subtype: textOrEmpty(body['subtype']), body };
  },
  control_response: (frame) => {
    const response = isFields(frame['response']) ? frame['response'] : frame;
    const id = response['request_id'] ?? frame['request_id'];
    if (typeof id !== 'string') return noise('a response without request_id');
    const refused = response['subtype'] === 'error' || response['error'] !== undefined;
    if (refused) return { kind: 'refusal', id, ...errorOf(response['error']) };
    return { kind: 'answer', id, value: response === frame ? frame['result'] : response['response'] };
  },
  control_cancel_request: (frame) => {
    const id = frame['request_id'];
    return typeof id === 'string' ? { kind: 'cancel', id } : noise('a cancel without request_id');
  },
};

function errorOf(error: unknown): { code: string | null; message: string } {
  if (!isFields(error)) return { code: null, message: textOrEmpty(error) || 'no reason given' };
  const code = typeof error['code'] === 'string' ? error['code'] : null;
  return { code, message: textOrEmpty(error['message']) || 'no reason given' };
}

/** Returns the id of a request whose line was too long, if the start of the line is unambiguous. */
export const idInHead = (head: string): string | undefined =>
  /^\s*\{\s*"type"\s*:\s*"control_request"\s*,\s*"request_id"\s*:\s*"([^"\\]{1,256})"/.exec(head)?.[1];

const noise = (why: string): Frame => ({ kind: 'noise', why });
const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
