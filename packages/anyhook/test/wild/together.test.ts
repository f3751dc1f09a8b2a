/** Other people's packages do not know of each other: in one home they keep nobody from working, and a guard among them holds. */

import { expect, test } from 'vitest';
import { install } from './install.ts';
import { WILD } from './packages.ts';
import { together } from './with-us.ts';

/** What loads on this Node and does not refuse everything at first, as it is at home. */
const REFUSE_ALL: ReadonlySet<string> = new Set(['@gotgenes/pi-permission-system']);
const isWanted = process.env['WILD_ONLY']?.split(' ').includes('together') ?? true;

test.runIf(isWanted).each(['opencode', 'pi'] as const)(
  'all packages of %s in one home: the agent starts, the guard refuses, the rest runs, and it ends',
  async (kind) => {
    const wilds = WILD.filter(
      (wild) => wild.kind === kind && wild.needs === undefined && !REFUSE_ALL.has(wild.name),
    );
    for (const wild of wilds) await install(wild);
    const { code, ran, stderr } = await together(wilds);
    expect({ code, ran }, stderr).toEqual({ code: 0, ran: { danger: false, harmless: true } });
    expect(stderr).not.toMatch(/\[not-loaded\]|MaxListenersExceeded|wants to change/);
  },
);
