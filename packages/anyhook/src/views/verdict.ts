import type { Outcome } from '../canon/outcome.ts';
import type { Paint, Style } from './paint.ts';

const COLOUR: Record<Outcome['verdict'], Style> = {
  allow: 'green',
  none: 'dim',
  ask: 'yellow',
  defer: 'yellow',
  deny: 'red',
};

export const verdictWord = (verdict: Outcome['verdict'], paint: Paint): string =>
  paint(COLOUR[verdict], verdict === 'none' ? 'no objection' : verdict);
