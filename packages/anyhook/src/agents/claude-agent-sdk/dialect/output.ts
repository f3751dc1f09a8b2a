/**
 * Converts a callback's answer to effects. An answer is an object in Claude Code's JSON format, without exit code or
 * stderr.
 */

import type { Event } from '../../../events/event.ts';
import type { ExitReply, Reply, ReturnReply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer, Outcome } from '../../../events/outcome.ts';
import { output as kin } from '../../claude-code/dialect/output.ts';
import { checkOutput } from './check-output.ts';
import type { HookEvent } from './hook-event.ts';

export const output = { read, write };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  if (reply.kind !== 'returned') return kin.read(reply, event, hook);
  const checked = checkOutput(hook.on as HookEvent, reply.value);
  if (!checked.ok) return { effects: [], failed: { kind: 'unreadable', detail: checked.message } };
  // It continues in the background and decides nothing.
  if ('async' in checked.output && checked.output.async) return { effects: [] };
  return kin.read({ ...reply, value: checked.output }, event, hook);
}

function write(outcome: Outcome, event: Event): ReturnReply {
  return { kind: 'returned', value: objectIn(kin.write(outcome, event), event), args: [] };
}

/**
 * Converts the output of Claude Code's writer to a return value: a bare path is a worktree, and exit 2 alone is a
 * block.
 */
function objectIn({ code, stdout, stderr }: ExitReply, event: Event): unknown {
  const text = stdout.trim();
  if (text.startsWith('{')) return JSON.parse(text);
  if (text !== '') return { hookSpecificOutput: { hookEventName: wordIn(event), worktreePath: text } };
  return code === 0 ? {} : { decision: 'block', reason: stderr.trim() };
}

const wordIn = ({ payload }: Event): unknown => (payload as { word?: unknown }).word;
