/** One call of a hook in its module's process, until it is answered. */
import type { Limit, Reply } from '../../events/exchange.ts';
import type { Wait } from '../deadline.ts';
import type { PackWriter } from './pack.mjs';

/** Beside the deadline: whoever keeps one of their own is told when it stands still. */
export interface PausedLimit extends Limit {
  readonly pause?: () => () => void;
}
export interface HookCall {
  readonly index: number;
  /** The arguments, written once, however many hooks get them. */
  readonly args: PackWriter;
  readonly limit: PausedLimit;
  readonly settle: (reply: Reply) => void;
  /** Its number in the RPC of the process it was sent to. */
  id?: number;
  clock: Wait;
  tries: number;
  state: 'waiting' | 'sent' | 'begun';
}

/** Said by the module's process, which may be hostile. */
export function isReply(value: unknown): value is Reply {
  const { kind, args, why } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === 'broken') return typeof why === 'object' && why !== null;
  return (kind === 'returned' || kind === 'threw') && Array.isArray(args);
}
