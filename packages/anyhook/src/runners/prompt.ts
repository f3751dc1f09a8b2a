/** Runs prompt hooks: a model judges the event. The host decides which model, and how to reach it. */

import type { Limit, Reply, SendRequest } from '../events/exchange.ts';
import type { WayOf } from '../events/hook.ts';
import { type Services, ServiceMissing } from '../events/services.ts';
import { type RunningCall, runCall } from './call.ts';

const PLACEHOLDER = '$ARGUMENTS';

/** `request.body` is the event as JSON. It replaces the placeholder, or is appended to the hook's text. */
export async function runPrompt(
  way: WayOf<'prompt'>,
  request: SendRequest,
  limit: Limit,
  services: Services,
): Promise<Reply> {
  const { judge } = services;
  if (judge === undefined) {
    const missing = new ServiceMissing('judge', 'a prompt hook');
    return { kind: 'broken', why: { kind: 'unavailable', detail: missing.message } };
  }
  const text = promptText(way.text, request.body);
  const asked = (_: unknown, call: RunningCall) =>
    judge(text, {
      ...(way.model !== undefined && { model: way.model }),
      ...(way.looks && { looks: way.looks }),
      signal: call.signal,
    });
  const reply = await runCall({ kind: 'call', fn: asked, direct: true }, { kind: 'call', args: [] }, limit);
  return toReply(reply);
}

/** Replaced literally, because an event may contain `$&`, which `replaceAll` would expand. */
export const promptText = (text: string, event: string): string =>
  text.includes(PLACEHOLDER) ? text.replaceAll(PLACEHOLDER, () => event) : `${text}\n\n${event}`;

function toReply(reply: Reply): Reply {
  if (reply.kind === 'threw')
    return { kind: 'broken', why: { kind: 'failed', detail: `the judge failed: ${reply.message}` } };
  if (reply.kind !== 'returned') return reply;
  if (typeof reply.value === 'string') return { kind: 'answered', status: 200, body: reply.value };
  return {
    kind: 'broken',
    why: { kind: 'unreadable', detail: 'the judge did not return a string' },
  };
}
