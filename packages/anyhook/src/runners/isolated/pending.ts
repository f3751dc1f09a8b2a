/** One call of a hook in an isolated process, until it is answered. */
import type { Limit, Reply } from '../../canon/exchange.ts';
import type { Wait } from '../deadline.ts';

/** What is said to a hook, as a part of a message: written once, however many hooks get it. */
export type Body = `"event":${string}` | `"args":${string}`;
/** Beside the deadline: whoever keeps one of their own is told when it stands still. */
export interface PausedLimit extends Limit {
  readonly pause?: () => () => void;
}
export interface Pending {
  readonly id: number;
  readonly index: number;
  readonly body: Body;
  readonly limit: PausedLimit;
  readonly settle: (reply: Reply) => void;
  clock: Wait;
  tries: number;
  state: 'waiting' | 'sent' | 'begun';
}
