/** Two spellings of the same frames: `nested` is used by the real CLI, `flat` by the Go plan. */

import type { OnFailure } from '../../../events/hook.ts';
import type { LooseFields } from './frame.ts';
import type { RegisteredMatcher } from './registry.ts';

export type CodecName = 'nested' | 'flat';
export interface CodedRefusal {
  readonly code: string;
  readonly message: string;
}
export interface Codec {
  /** Writes the line directly, because most frames are answers. */
  answer(id: string, value: unknown): string;
  refusal(id: string, error: CodedRefusal): LooseFields;
  /** The description of the callbacks in `initialize`. */
  hooks(matchers: readonly RegisteredMatcher[]): LooseFields;
}

export const requestFrame = (id: string, request: LooseFields): LooseFields => ({
  type: 'control_request',
  request_id: id,
  request,
});
export const cancelFrame = (id: string): LooseFields => ({ type: 'control_cancel_request', request_id: id });

/** Omits a missing field, as `JSON.stringify` does. */
function field(name: string, value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? '' : `,"${name}":${text}`;
}
const response = (body: LooseFields): LooseFields => ({ type: 'control_response', ...body });

export const CODECS: Readonly<Record<CodecName, Codec>> = {
  nested: {
    answer: (id, value) =>
      `{"type":"control_response","response":{"subtype":"success","request_id":${JSON.stringify(id)}${field('response', value)}}}`,
    refusal: (id, { message }) =>
      response({ response: { subtype: 'error', request_id: id, error: message } }),
    hooks: (matchers) => ({ hooks: matchers.length === 0 ? null : byEvent(matchers) }),
  },
  flat: {
    answer: (id, result) =>
      `{"type":"control_response","request_id":${JSON.stringify(id)}${field('result', result)}}`,
    refusal: (id, { code, message }) => response({ request_id: id, error: { code, message } }),
    hooks: (matchers) => ({
      hookCallbacks: Object.fromEntries(
        matchers.flatMap(({ entry, ids }) => ids.map((id) => [id, entry.event] as const)),
      ),
    }),
  },
};

/** The CLI has two policies. A question that the CLI cannot ask becomes a refusal. */
const THEIRS: Readonly<Record<OnFailure, string>> = { allow: 'continue', ask: 'block', block: 'block' };

function byEvent(matchers: readonly RegisteredMatcher[]): LooseFields {
  const events: Record<string, LooseFields[]> = {};
  for (const { entry, ids } of matchers)
    (events[entry.event] ??= []).push({
      matcher: entry.matcher,
      hookCallbackIds: ids,
      ...(entry.timeoutMs !== undefined && { timeout: entry.timeoutMs / 1000 }),
      ...(entry.onFailure !== undefined && { onFailure: THEIRS[entry.onFailure] }),
    });
  return events;
}
