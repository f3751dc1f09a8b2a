import type { Event } from '../../canon/event.ts';
import type { Ruling } from '../../canon/outcome.ts';
import { decides } from '../../canon/roles.ts';
import { nothingSaid } from '../../engine/direct.ts';

/** No hook could be asked. That is no consent: refused where something can be refused, and said where nothing can. */
export function refused(event: Event, why: string): Ruling {
  const silence = nothingSaid(event);
  if (!decides(event.name)) return { ...silence, lost: [`no hook was asked: ${why}`] };
  return { ...silence, verdict: 'deny', reasons: [{ by: 'host', text: why, broken: true }] };
}
