/** Runs one event through the layers around the hooks: down to the hooks and back up. */

import type { Event, EventInput } from '../events/event.ts';
import { type Outcome, outcomeOf, type Ruling, silentOutcome } from '../events/outcome.ts';

/** State that the layers share for one event. */
export interface FireCall {
  readonly input: EventInput;
  event: Event;
  startedMs: number;
  isPaused: boolean;
}

export interface FireLayer {
  readonly name: string;
  /** Returning a ruling ends the fire: hooks are not called, and only the layers above this one see it. */
  before?(call: FireCall): Ruling | undefined;
  after?(ruling: Ruling, call: FireCall): Ruling;
  /** The engine failed: releases what `before` acquired. */
  failed?(call: FireCall): void;
}

/** `layers` starts with the outermost. Hooks are called synchronously, unless a layer answers instead. */
export async function fireThrough(
  layers: readonly FireLayer[],
  call: FireCall,
  askHooks: () => Ruling | Promise<Ruling> | undefined,
): Promise<Outcome> {
  for (const [at, layer] of layers.entries()) {
    const ruling = layer.before?.(call);
    if (ruling !== undefined) return finish(layers.slice(0, at), ruling, call);
  }
  let ruling: Ruling | undefined;
  try {
    ruling = await askHooks();
  } catch (error) {
    for (const layer of layers) layer.failed?.(call);
    throw error;
  }
  return finish(layers, ruling ?? silentOutcome(call.event), call);
}

function finish(layers: readonly FireLayer[], ruling: Ruling, call: FireCall): Outcome {
  const last = layers.reduceRight((so, layer) => layer.after?.(so, call) ?? so, ruling);
  return outcomeOf(last, call.input.name);
}
