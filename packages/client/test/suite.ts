/** Runs a suite against both clients. */

import { afterAll, describe } from 'vitest';
import { CLIENTS, type ClientKind, NATIVE_IS_MISSING, World } from './world.ts';

export interface Suite {
  readonly kind: ClientKind;
  /** A new home for a client, removed after the suite. */
  readonly world: () => World;
}

export function forBothClients(suite: (suite: Suite) => void): void {
  for (const kind of CLIENTS) {
    const isMissing = kind === 'native' && NATIVE_IS_MISSING;
    const title = isMissing ? 'the native client (not built: no C compiler)' : `the ${kind} client`;
    describe.skipIf(isMissing)(title, () => {
      const worlds: World[] = [];
      // Not after each test: tests may run at the same time.
      afterAll(() => {
        for (const world of worlds) world.close();
      });
      suite({
        kind,
        world: () => {
          const world = new World(kind);
          worlds.push(world);
          return world;
        },
      });
    });
  }
}
