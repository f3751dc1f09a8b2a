import type { Actor, Wire } from './wire.ts';

/** Fires an event for every login method that a module offers. */
export async function offerLogins(wire: Pick<Wire, 'hooks' | 'authOffered'>, who: Actor): Promise<void> {
  for (const { provider, methods } of wire.hooks.offers.auth)
    await wire.authOffered(who, {
      provider,
      methods: methods.map(({ kind, label }) => ({ type: kind, label })),
    });
}
