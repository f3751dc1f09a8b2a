/**
 * An agent that has renamed what it says: an event about a call that does not name its tool is refused by every bridge. Found here:
 * it passed, as no guard knew the call for its own.
 */
import { expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../../src/agents/index.ts';
import type { CommandRequest } from '../../src/canon/exchange.ts';
import { fireRequest } from '../../src/hosts/fire/answer.ts';
import { event } from '../../src/testing/index.ts';
import { control, result } from './results.ts';
import { SEATS } from './seats.ts';

/** Agents that start a command and hand it JSON; by its text, what names the tool there. */
const BRIDGES = AGENT_NAMES.filter((name) => AGENTS[name].inside === null).flatMap((name) => {
  const { dialect } = AGENTS[name];
  const seat = SEATS.find((one) => one.dialect.name === dialect && one.about.name === 'tool.before')!;
  const about = event('tool.before', { tool: 'shell', input: { command: 'ls' } }, { ids: { session: 's' } });
  const { stdin } = seat.dialect.payload.write(about, seat.hook) as CommandRequest;
  const said = JSON.parse(stdin!) as Readonly<Record<string, unknown>>;
  const keys = Object.keys(said).filter((key) => /^tool_?name$/i.test(key));
  return keys.length === 0 ? [] : [{ name, dialect, said, keys }];
});
const asked = (dialect: string, agent: string, payload: object): string => {
  try {
    const { event: read } = fireRequest(['--as', dialect, '--host', agent], JSON.stringify(payload));
    return read.name;
  } catch (error) {
    return (error as Error).message;
  }
};
const DRIFTS: Readonly<Record<string, (tool: unknown) => unknown>> = {
  'the name is gone': () => undefined,
  'the name is an object': (tool) => ({ name: tool }),
  'the name is a list': (tool) => [tool],
  'the name is a number': () => 7,
  'the name is empty': () => '',
};

test('a call that does not name its tool is refused, in every agent', () => {
  const wrong: string[] = [];
  for (const { name, dialect, said, keys } of BRIDGES)
    for (const [drift, make] of Object.entries(DRIFTS)) {
      const other = Object.fromEntries(keys.map((key) => [key, make(said[key])]));
      const came = asked(dialect, name, { ...said, ...other });
      if (!came.includes('does not say which tool it is about')) wrong.push(`${name}: ${drift}: ${came}`);
    }
  const drifts = Object.keys(DRIFTS).length;
  result(
    'G2',
    `${drifts} ways in which an agent may rename the tool of a call, ${BRIDGES.length} agents`,
    `${wrong.length} of ${BRIDGES.length * drifts} taken for a call that nobody guards`,
  );
  expect([wrong, BRIDGES.length >= 6]).toEqual([[], true]);
});

test('control: as the agent says it, it is a call', () => {
  const came = BRIDGES.map(({ name, dialect, said }) => asked(dialect, name, said));
  control(
    'G2',
    'calls that name their tool',
    `${came.filter((one) => one === 'tool.before').length} of ${came.length} read`,
  );
  expect(new Set(came)).toEqual(new Set(['tool.before']));
});
