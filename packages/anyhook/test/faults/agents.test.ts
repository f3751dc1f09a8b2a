/**
 * Known ways in which hooks fail, in every agent with a bridge: what the agent reads, what is reported, and both
 * failure modes. Runs real commands and reads the answer as the agent does.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AGENT_NAMES, AGENTS, type AgentName } from '../../src/agents/index.ts';
import type { WayOf } from '../../src/events/hook.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { openBridge } from './bridges.ts';
import { commandFaults, type FaultRow } from './faults.ts';
import { result } from './results.ts';

const MODES = ['block', 'allow'] as const;
type Mode = (typeof MODES)[number];
/** Number of hooks that run at once. Each hanging hook takes one and a half seconds. */
const AT_ONCE = 12;

/** Results that are not failures in any failure mode. An empty answer is neither an approval nor a refusal. */
interface Said {
  readonly name: string;
  readonly run: string;
  readonly came: 'refused' | 'asked' | 'passed' | 'approved';
  readonly text?: string;
}
const DENY = `{"decision":"deny","reason":"not so"}`;
const SAID: readonly Said[] = [
  {
    name: 'a program too old for its subcommand exits 2',
    run: 'echo unknown command: judge >&2; exit 2',
    came: 'refused',
    text: 'unknown command',
  },
  { name: 'a script that its shell cannot read exits 2', run: 'case; esac', came: 'refused' },
  { name: 'a refusal by exit 2', run: 'echo not so >&2; exit 2', came: 'refused', text: 'not so' },
  { name: 'a refusal by exit 2 without a word', run: 'exit 2', came: 'refused' },
  { name: 'a refusal by exit 0 and JSON', run: `echo '${DENY}'`, came: 'refused', text: 'not so' },
  {
    name: 'a refusal after a log line',
    run: `echo checking; echo '${DENY}'`,
    came: 'refused',
    text: 'not so',
  },
  { name: 'exit 2 beside an approval', run: `echo '{"decision":"allow"}'; exit 2`, came: 'refused' },
  { name: 'nothing at all', run: 'exit 0', came: 'passed' },
  { name: 'plain text', run: 'echo looks fine', came: 'passed' },
  { name: 'a child keeps the pipe open', run: 'sleep 300 & exit 0', came: 'passed' },
  { name: 'an approval', run: `echo '{"decision":"allow"}'`, came: 'approved' },
  { name: 'a question', run: `echo '{"decision":"ask","reason":"sure?"}'`, came: 'asked', text: 'sure?' },
];
const saidName = (at: number, mode: Mode) => `said-${at}-${mode}`;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-agents-')));
const project = join(root, 'project');
const SHAPES = commandFaults(root);
const nameOf = (at: number, mode: Mode) => `shape-${at}-${mode}`;

beforeAll(() => {
  mkdirSync(project);
  mkdirSync(join(root, '.config/anyhook'), { recursive: true });
  vi.stubEnv('HOME', root);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
  const entries = SHAPES.flatMap(({ way, timeoutMs }, at) => {
    const { run } = way as WayOf<'command'>;
    return MODES.map((onFailure) => ({
      name: nameOf(at, onFailure),
      match: `shell(${nameOf(at, onFailure)})`,
      run: 'line' in run ? run.line : run.argv,
      timeoutMs,
      onFailure,
    }));
  });
  const said = SAID.flatMap(({ run }, at) =>
    MODES.map((onFailure) => ({ match: `shell(${saidName(at, onFailure)})`, run, onFailure })),
  );
  const control = { name: 'no', match: 'shell(refused)', run: 'echo not this >&2; exit 2' };
  writeFileSync(
    join(root, '.config/anyhook/hooks.json'),
    JSON.stringify({ hooks: { 'tool.before': [...entries, ...said, control] } }),
  );
});
afterAll(() => {
  vi.unstubAllEnvs();
  removeTree(root);
});

/** Matchers of the hooks that the journal marks as failed open. */
function marked(): Set<string> {
  const folder = join(root, '.local/state/anyhook/journal');
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  const hooks = lines.flatMap((line) => (JSON.parse(line) as Partial<JournalRecord>).hooks ?? []);
  return new Set(hooks.flatMap(({ hook, failedOpen }) => (failedOpen === true ? (hook.matcher ?? []) : [])));
}

/** A refusal after a failure names the hook. Goose does not show the name to the model, only the kind of failure. */
const isTold = (agent: AgentName, text: string, name: string, { called }: FaultRow): boolean =>
  agent === 'goose'
    ? called.some((kind) => text.includes(`a hook failed (${kind}), and its failure policy blocks the call`))
    : text.includes(name);

const wrong: string[] = [];
let cells = 0;

describe.each(AGENT_NAMES)('%s', (agent) => {
  test('every kind of failure has the expected result in the agent, closed and open', async () => {
    const bridge = await openBridge(agent, project);
    const ask = (command: string) => bridge.ask('shell', { command }, command);
    const asked = SHAPES.flatMap((shape, at) => MODES.map((mode) => ({ shape, at, mode })));
    let next = 0;
    const found: string[] = [];
    const worker = async () => {
      for (let i = next++; i < asked.length; i = next++) {
        const { shape, at, mode } = asked[i]!;
        const { came, text } = await ask(nameOf(at, mode));
        cells++;
        const title = `${agent}: ${shape.name}, ${mode}`;
        if (came !== (mode === 'block' ? 'refused' : 'passed')) found.push(`${title}: ${came}`);
        else if (mode === 'block' && !isTold(agent, text, nameOf(at, mode), shape))
          found.push(`${title}: it is not told in ${JSON.stringify(text)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const control = await Promise.all([ask('refused'), ask('ls')]);
    await bridge.close();
    wrong.push(...found);
    expect(found).toEqual([]);
    expect(control.map(({ came }) => came)).toEqual(['refused', 'passed']);
    expect(control[0]!.text).toContain('not this');
  });
});

let heardCells = 0;
describe.each(AGENT_NAMES)('%s', (agent) => {
  test('every answer that is not a failure has the expected result in the agent, closed and open', async () => {
    const bridge = await openBridge(agent, project);
    const { ask: askCell } = AGENTS[agent].can['tool.before'] ?? {};
    const found: string[] = [];
    for (const [at, { name, came, text }] of SAID.entries())
      for (const mode of MODES) {
        const heard = await bridge.ask('shell', { command: saidName(at, mode) }, saidName(at, mode));
        heardCells++;
        // An agent without approvals decides itself. For an agent without questions, a question is a refusal.
        const may =
          came === 'approved'
            ? ['approved', 'passed']
            : came === 'asked' && askCell !== 'full'
              ? ['refused']
              : [came];
        if (!may.includes(heard.came)) found.push(`${name}, ${mode}: ${heard.came}`);
        else if (text !== undefined && !heard.text.includes(text))
          found.push(`${name}, ${mode}: it is not told in ${JSON.stringify(heard.text)}`);
      }
    await bridge.close();
    expect(found).toEqual([]);
  });
});

test('every kind of answer was tried in every agent', () => {
  result(
    'G2',
    `in ${AGENT_NAMES.length} agents: ${SAID.length} answers that are no failures, closed and open: ${heardCells} cells`,
    '0 wrong: refusals refuse, questions ask or refuse, silence decides nothing',
  );
  expect(heardCells).toBe(AGENT_NAMES.length * SAID.length * MODES.length);
});

test('every hook that failed open is marked in the journal', () => {
  const found = marked();
  const unmarked = SHAPES.filter((_, at) => !found.has(`shell(${nameOf(at, 'allow')})`)).map(
    ({ name }) => name,
  );
  result(
    'G2',
    `in ${AGENT_NAMES.length} agents: ${SHAPES.length} failure shapes of commands, closed and open: ${cells} cells`,
    `${wrong.length} wrong, ${unmarked.length} without a mark; every refusal says which hook, in Goose how it failed`,
  );
  expect([unmarked, cells]).toEqual([[], AGENT_NAMES.length * SHAPES.length * MODES.length]);
});
