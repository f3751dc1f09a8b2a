/** A callback gets `(input, toolUseId, context)`; the signal in its context is added where it is called. */
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { documentOf, payload as kin } from '../../claude-code/dialect/payload.ts';
import type { HookContext } from './hook-callback.ts';
import type { HookEvent } from './hook-event.ts';

export const payload = { write, read: kin.read };

function write(event: Event, hook: Hook): Request {
  const document = documentOf(event, hook.on as HookEvent); // a hook of this dialect has a word of this dialect
  const input: unknown = JSON.parse(JSON.stringify(document)); // its own: a callback may write to it
  return { kind: 'call', args: [input, event.ids.call ?? null, contextOf(event)] };
}

const contextOf = ({ ids, scene }: Event): Omit<HookContext, 'signal'> => ({
  sessionId: ids.session || null,
  transcriptPath: scene.transcript || null,
  cwd: scene.cwd || null,
  permissionMode: scene.mode ?? null,
});
