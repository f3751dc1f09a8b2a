/** A hook call in a module's process, until it is answered. */

import type { Limit, Reply } from '../../events/exchange.ts';
import type { Wait } from '../deadline.ts';
import type { PackWriter } from './pack.mjs';

/** A limit whose owner can also pause its own clock. */
export interface PausedLimit extends Limit {
  readonly pause?: () => () => void;
}
export interface HookCall {
  readonly index: number;
  /** The arguments, serialised once for all hooks. */
  readonly args: PackWriter;
  readonly limit: PausedLimit;
  readonly settle: (reply: Reply) => void;
  /** Its id in the RPC of the process. */
  id?: number;
  clock: Wait;
  tries: number;
  state: 'waiting' | 'sent' | 'begun';
}

/** Checks a reply of the module's process, which may be hostile. */
export function isReply(value: unknown): value is Reply {
  const { kind, args, why } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === 'broken') return typeof why === 'object' && why !== null;
  return (kind === 'returned' || kind === 'threw') && Array.isArray(args);
}
