import type { EffectKind } from '../../events/effects.ts';
import type { EventName } from '../../events/events.ts';

/** Capabilities that the client tests check for every agent. */
export const CELLS = [
  'session.start context',
  'prompt.submit deny',
  'prompt.submit context',
  'tool.before deny',
  'tool.before set',
  'tool.before context',
  'tool.after set',
  'tool.after context',
  'turn.stop resume',
] as const satisfies readonly `${EventName} ${EffectKind}`[];
export type CapabilityCell = (typeof CELLS)[number];
