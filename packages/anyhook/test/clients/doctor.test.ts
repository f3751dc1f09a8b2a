/** The doctor's probe against real agents: what it says is what they do. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { probe } from '../../src/hosts/doctor/probe.ts';
import { CHOSEN, installed } from './packages.ts';

const TRIED = { 'claude-code': ['background', 'subagents', 'mcp'], goose: ['mcp'] };
const PROBED = (['claude-code', 'goose'] as const).filter((agent) => CHOSEN.includes(agent));
const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };

test.each(PROBED)(
  '%s enforces a refusal that comes through our bridge, by every way that can be tried',
  async (agent) => {
    const { routes, ...said } = await probe({ agent: AGENTS[agent], program: [await installed(agent)], env });
    expect(said).toEqual({
      agent,
      verdict: 'enforced',
      why: 'without us the command ran, with us it did not',
    });
    expect(routes.filter(({ verdict }) => verdict !== 'not-tried').map(({ route }) => route)).toEqual(
      TRIED[agent],
    );
  },
);
