/**
 * G2: every fault of every kind of hook under every policy. A closed guard never allows, and an observer never blocks.
 */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyhook } from '../../src/agents/anyhook/dialect/index.ts';
import { claudeCode } from '../../src/agents/claude-code/dialect/index.ts';
import { makeEngine } from '../../src/engine/engine.ts';
import type { CallRequest, Limit, Reply } from '../../src/events/exchange.ts';
import type { Hook, OnFailure, Role, WayOf } from '../../src/events/hook.ts';
import type { Ruling } from '../../src/events/outcome.ts';
import { openCommandRunner } from '../../src/runners/command/index.ts';
import { openIsolated } from '../../src/runners/isolated/open-isolated.ts';
import { openMcpRunner } from '../../src/runners/mcp/index.ts';
import { openDepthLimit } from '../../src/runs/depth-limit.ts';
import { makeRun } from '../../src/runs/runs.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { event } from '../../src/testing/index.ts';
import { FAULTS, plant } from '../laws/faults.ts';
import {
  callFaults,
  commandFaults,
  type FaultRow,
  httpFaults,
  isolatedFaults,
  judge,
  mcpFaults,
  promptFaults,
  startBadServer,
} from './faults.ts';
import { control, result } from './results.ts';

const POLICIES = ['block', 'ask', 'allow'] as const;
const HELD: Readonly<Record<OnFailure, string>> = { block: 'deny', ask: 'ask', allow: 'none' };
const AT_ONCE = 4;
const ALIAS = {
  anyhook: fileURLToPath(new URL('../../src/runners/module/fixtures/entry.ts', import.meta.url)),
};
const folder = mkdtempSync(join(tmpdir(), 'anyhook-faults-'));
const commands = openCommandRunner({ graceMs: 200 });
const mcp = openMcpRunner({});
const depthLimit = openDepthLimit({});
let server: Awaited<ReturnType<typeof startBadServer>>;
let rows: readonly FaultRow[];

beforeAll(async () => {
  server = await startBadServer();
  rows = [
    ...commandFaults(folder),
    ...callFaults(),
    ...isolatedFaults(),
    ...httpFaults(server.url),
    ...mcpFaults(),
    ...promptFaults(),
  ];
});
afterAll(async () => {
  await Promise.all([commands.close(), mcp.close()]);
  server.close();
  depthLimit.close();
  removeTree(folder);
});

/** A process per call, so that one fault does not affect the next. */
async function isolated(
  { file, index }: WayOf<'isolated'>,
  request: CallRequest,
  limit: Limit,
): Promise<Reply> {
  const module = await openIsolated(file, { alias: ALIAS });
  if (!module.ok) return { kind: 'broken', why: module.breakage };
  try {
    return await module.run(index, request.args[0] as never, limit);
  } finally {
    module.close();
  }
}
const run = makeRun({
  commands: () => commands,
  services: { judge },
  depthLimit,
  isolated,
  mcp: () => Promise.resolve(mcp),
});

const isOurs = ({ kind }: FaultRow) => kind === 'call' || kind === 'isolated';
const hookOf = (row: FaultRow, onFailure: OnFailure, roles: readonly Role[]): Hook => ({
  id: row.name,
  dialect: isOurs(row) ? 'anyhook' : 'claude-code',
  on: isOurs(row) ? 'tool.before' : 'PreToolUse',
  origin: { layer: 'user', file: 'settings.json', line: 1 },
  roles,
  match: { kind: 'any' },
  run: row.way,
  background: false,
  shadow: false,
  timeoutMs: row.timeoutMs,
  onFailure,
});
const CALL = event('tool.before', { tool: 'shell', input: { command: 'ls' } }, { scene: { cwd: folder } });

type Wrong = 'passed' | 'held' | 'unmarked' | 'misnamed';
async function wrongIn(
  row: FaultRow,
  policy: OnFailure,
  roles: readonly Role[],
  make: typeof makeEngine,
): Promise<Wrong | undefined> {
  const hooks = [hookOf(row, policy, roles)];
  const engine = make({ dialects: [claudeCode, anyhook], hooks, services: {}, run });
  const { verdict, runs } = (await engine.fire(CALL)) as Ruling;
  const wanted = roles.includes('guard') ? HELD[policy] : 'none';
  if (verdict !== wanted) return wanted === 'none' ? 'held' : 'passed';
  const failed = runs[0]?.answer?.failed?.kind;
  if (failed === undefined || (wanted === 'none' && runs[0]?.failedOpen !== true)) return 'unmarked';
  return row.called.includes(failed) ? undefined : 'misnamed';
}

interface Cell {
  readonly row: FaultRow;
  readonly policy: OnFailure;
  readonly roles: readonly Role[];
}
async function wrongAmong(cells: readonly Cell[], make: typeof makeEngine) {
  const wrong: { readonly cell: string; readonly wrong: Wrong }[] = [];
  const waiting = [...cells];
  const worker = async () => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      const { row, policy, roles } = cell;
      const fault = await wrongIn(row, policy, roles, make);
      if (fault !== undefined)
        wrong.push({ cell: `${row.kind}: ${row.name}, ${policy}, ${roles.join()}`, wrong: fault });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}

test('every fault of every kind of hook has the expected result under every policy', async () => {
  const cells: readonly Cell[] = rows.flatMap((row) => [
    ...POLICIES.map((policy): Cell => ({ row, policy, roles: ['guard'] })),
    { row, policy: 'block', roles: ['observer'] },
  ]);
  const wrong = await wrongAmong(cells, makeEngine);
  const of = (kind: Wrong) => wrong.filter((one) => one.wrong === kind).length;
  const kinds = new Set(rows.map(({ kind }) => kind)).size;
  result(
    'G2',
    `${rows.length} faults, ${kinds} kinds of hooks, 3 policies and observers: ${cells.length} cells`,
    `${of('passed')} passed a closed or asking guard, ${of('held')} held by an open guard or an observer, ${of('unmarked')} without a mark, ${of('misnamed')} by another name`,
  );
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(40);
});

test('control: an engine that treats a failure as consent is detected', async () => {
  const fault = FAULTS.find(({ name }) => name === 'a failure reads as consent')!;
  const { makeEngine: consenting } = await plant(fault.edits);
  const cells = callFaults().map((row): Cell => ({ row, policy: 'block', roles: ['guard'] }));
  const wrong = await wrongAmong(cells, consenting);
  const passed = wrong.filter((one) => one.wrong === 'passed').length;
  control(
    'G2',
    'an engine that takes a failure for consent',
    `${passed} of ${cells.length} passed a closed guard`,
  );
  expect(passed).toBe(cells.length);
});
