/**
 * An agent that renamed its fields: every bridge refuses an event about a call that names no tool. Regression: it
 * passed, because no guard matched.
 */

import { expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../../src/agents/index.ts';
import type { CommandRequest } from '../../src/events/exchange.ts';
import { fireRequest } from '../../src/fire/answer.ts';
import { fireArguments } from '../../src/fire/arguments.ts';
import { event } from '../../src/testing/index.ts';
import { control, result } from './results.ts';
import { SEATS } from './seats.ts';

/** Agents that start a command with JSON, and the key that names the tool. */
const BRIDGES = AGENT_NAMES.filter((name) => AGENTS[name].inside === null).flatMap((name) => {
  const { dialect } = AGENTS[name];
  const seat = SEATS.find((one) => one.dialect.name === dialect && one.about.name === 'tool.before')!;
  const about = event('tool.before', { tool: 'shell', input: { command: 'ls' } }, { ids: { session: 's' } });
  const { stdin } = seat.dialect.payload.write(about, seat.hook) as CommandRequest;
  const said = JSON.parse(stdin!) as Readonly<Record<string, unknown>>;
  const keys = Object.keys(said).filter((key) => /^tool_?name$/i.test(key));
  return keys.length === 0 ? [] : [{ name, dialect, said, keys }];
});
const asked = (dialect: string, agent: string, payload: object): string =>
  askedText(dialect, agent, JSON.stringify(payload));
const askedText = (dialect: string, agent: string, payload: string): string => {
  try {
    const args = fireArguments(['--as', dialect, '--host', agent]);
    const { event: read } = fireRequest(args, payload, { env: process.env, cwd: process.cwd() });
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

test('a call that does not name its tool is refused in every agent', () => {
  const wrong: string[] = [];
  for (const { name, dialect, said, keys } of BRIDGES)
    for (const [drift, make] of Object.entries(DRIFTS)) {
      const other = Object.fromEntries(keys.map((key) => [key, make(said[key])]));
      const came = asked(dialect, name, { ...said, ...other });
      if (!came.includes('names no tool')) wrong.push(`${name}: ${drift}: ${came}`);
    }
  const drifts = Object.keys(DRIFTS).length;
  result(
    'G2',
    `${drifts} ways in which an agent may rename the tool of a call, ${BRIDGES.length} agents`,
    `${wrong.length} of ${BRIDGES.length * drifts} taken for a call that nobody guards`,
  );
  expect([wrong, BRIDGES.length >= 6]).toEqual([[], true]);
});

/** For duplicate keys we read the last value, and other parsers the first. */
const TWICE: Readonly<Record<string, (text: string) => string>> = {
  'the tool': (text) => text.replace(/"(tool_?name)":/i, '"$1":"a tool that nobody guards","$1":'),
  'the tool, at the end': (text) =>
    text.replace(/"(tool_?name)":(.*)\}$/i, '"$1":$2,"$1":"a tool that nobody guards"}'),
  'the tool, escaped': (text) => text.replace(/"t(ool_?name)":/i, '"t$1":"read","\\u0074$1":'),
  'the command': (text) => text.replace('"command":', '"command":"rm -rf /","command":'),
  'the arguments': (text) => text.replace(/"(tool_?input|tool_?args)":/i, '"$1":{},"$1":'),
  'the event': (text) =>
    text.replace('"hook_event_name":', '"hook_event_name":"PostToolUse","hook_event_name":'),
};

test('a call that can be read in two ways is refused in every agent, and equal duplicates are allowed', () => {
  const wrong: string[] = [];
  let cells = 0;
  for (const { name, dialect, said } of BRIDGES) {
    const text = JSON.stringify(said);
    for (const [what, twist] of Object.entries(TWICE)) {
      const twisted = twist(text);
      if (twisted === text) continue;
      cells++;
      const came = askedText(dialect, name, twisted);
      if (!came.includes('is ambiguous')) wrong.push(`${name}: ${what}: ${came}`);
    }
    const same = text.replace(/"(tool_?name)":("[^"]*")/i, '"$1":$2,"$1":$2');
    if (askedText(dialect, name, same) !== 'tool.before') wrong.push(`${name}: the same twice`);
  }
  result(
    'G2',
    `calls with a key twice, ${BRIDGES.length} agents: ${cells} cells`,
    `${wrong.length} judged by one reading of two`,
  );
  expect([wrong, cells > BRIDGES.length * 4]).toEqual([[], true]);
});

test('control: the unmodified call is allowed', () => {
  const came = BRIDGES.map(({ name, dialect, said }) => asked(dialect, name, said));
  control(
    'G2',
    'calls that name their tool',
    `${came.filter((one) => one === 'tool.before').length} of ${came.length} read`,
  );
  expect(new Set(came)).toEqual(new Set(['tool.before']));
});
