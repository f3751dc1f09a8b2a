/** The doctor's probe against real agents: what it says is what they do. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { probe } from '../../src/hosts/doctor/probe.ts';
import { installed } from './packages.ts';

const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };

test.each(['claude-code', 'goose'] as const)(
  '%s enforces a refusal that comes through our bridge',
  async (agent) => {
    expect(await probe({ agent, program: [await installed(agent)], env })).toEqual({
      agent,
      verdict: 'enforced',
      why: 'without us the command ran, with us it did not',
    });
  },
);
