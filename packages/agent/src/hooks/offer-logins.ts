import type { Actor, Wire } from './wire.ts';

/** Tells hooks of every way to log in that a module brings. */
export async function offerLogins(wire: Pick<Wire, 'hooks' | 'authOffered'>, who: Actor): Promise<void> {
  for (const { provider, methods } of wire.hooks.offers.auth)
    await wire.authOffered(who, {
      provider,
      methods: methods.map(({ kind, label }) => ({ type: kind, label })),
    });
}
