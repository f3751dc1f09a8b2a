import type { FlowKind } from '../events/effects.ts';
import type { Ruling } from '../events/outcome.ts';
import type { Paint, Style } from './paint.ts';

const COLOUR: Record<Ruling['verdict'], Style> = {
  allow: 'green',
  none: 'dim',
  ask: 'yellow',
  defer: 'yellow',
  deny: 'red',
};
const TURNS: Record<FlowKind, string> = {
  halt: 'the agent stops',
  cancel: 'cancelled',
  resume: 'the agent goes on',
  retry: 'tried again',
};

/** What comes of it, in a word or two: "no objection" only where nobody wanted anything else either. */
export function verdictWord({ verdict, flow, aborted }: Ruling, paint: Paint): string {
  if (aborted) return paint('red', 'aborted');
  if (verdict !== 'none') return paint(COLOUR[verdict], verdict);
  const turn = (Object.keys(TURNS) as FlowKind[]).find((one) => flow[one] !== undefined);
  return turn === undefined ? paint('dim', 'no objection') : paint('yellow', TURNS[turn]);
}
