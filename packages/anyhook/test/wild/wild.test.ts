/** Other people's plugins, extensions, hooks and programs, as published: they are with us what they are at home. */

import { describe, expect, test } from 'vitest';
import { install } from './install.ts';
import { keyOf, WILD } from './packages.ts';
import { writeResult } from './results.ts';
import { refuses, refusesAll, resultOf, tryPackage } from './trial.ts';

/** Set by `run.mjs`. */
const only = process.env['WILD_ONLY']?.split(' ') ?? [];
const writes = process.env['WILD_WRITE'] === '1';
const wanted = WILD.filter((wild) => only.length === 0 || only.some((word) => keyOf(wild).includes(word)));

test('every package that was asked for is one of the suite', () => {
  const known = ['together', ...WILD.map(keyOf)];
  expect(only.filter((word) => !known.some((key) => key.includes(word)))).toEqual([]);
});

describe.each(wanted)('$kind: $name $version', (wild) => {
  test('registers and answers as at home, and fire and our agent refuse what it refuses', async () => {
    await install(wild);
    const trial = await tryPackage(wild);
    const result = resultOf(wild, trial);
    if (writes) writeResult(result);
    const { home, ours, fire, agent } = trial;
    expect([home !== undefined, ours !== undefined]).toEqual([true, true]);
    const known = new Set(wild.differs);
    const compared = (side: typeof ours) => ({
      registered: known.has('registered') ? 'known' : side?.registered,
      answers: side?.answers.map((answer, at) => (known.has(at) ? 'known' : answer)),
    });
    expect(compared(ours)).toEqual(compared(home));
    if (fire === undefined || agent === undefined) return;
    const needsBun = wild.needs === 'bun';
    const refused = !needsBun && refuses(wild, trial);
    expect({
      fire: fire.code,
      agent: agent.code,
      ran: agent.ran,
      // On Node it does not load: that is said, and OpenCode's rule for such a plugin lets the call pass. What a part of
      // it that lacks something says may depend on the network.
      isSaid: needsBun || wild.lacks === undefined ? fire.stderr.includes('[not-loaded]') : false,
    }).toEqual({
      fire: refused ? 2 : 0,
      agent: 0,
      ran: { danger: !refused, harmless: !refusesAll(trial) },
      isSaid: needsBun,
    });
  });
});
