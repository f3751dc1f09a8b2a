/** Hooks join the agent's trace: each gets a span below the span in its record. */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { hookSpanOf, type TraceHeaders } from '../events/trace.ts';
import { readFolder } from '../journal/index.ts';
import { removeTree } from '../settings/remove-tree.ts';
import { createHooks } from './create-hooks.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const AGENT: TraceHeaders = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'vendor=1' };
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anyhook-trace-'));
});
afterEach(() => removeTree(root));

async function fired(env: Record<string, string>, traceHeaders?: TraceHeaders) {
  const [home, cwd, journal] = ['home', 'project', 'journal'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(
      request.headers['traceparent'] as string | undefined,
      request.headers['tracestate'] as string | undefined,
    );
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  for (const folder of ['.config/anyhook', '.claude']) mkdirSync(join(home, folder), { recursive: true });
  mkdirSync(cwd);
  const told = join(root, 'told');
  const hooks = {
    'tool.before': [
      { name: 'command', run: `printf '%s %s' "$TRACEPARENT" "$TRACESTATE" > '${told}'` },
      { name: 'another', run: `printf '%s' "$TRACEPARENT" > '${told}-another'` },
    ],
  };
  writeFileSync(join(home, '.config/anyhook/hooks.json'), JSON.stringify({ hooks }));
  const address = { type: 'http', url: `http://127.0.0.1:${port}/` };
  const theirs = { hooks: { PreToolUse: [{ hooks: [address] }] } };
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(theirs));
  const opened = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd,
    env: { PATH: process.env['PATH']!, ...env },
    journal: { folder: journal },
  });
  const named = (name: string) => opened.hooks.find(({ id }) => id.includes(name))?.id ?? '';
  await opened.fire({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command: 'ls' } },
    ...(traceHeaders !== undefined && { traceHeaders }),
  });
  await opened.close();
  server.close();
  const [entry] = readFolder(journal);
  const record = entry?.kind === 'record' ? entry.record : undefined;
  return {
    trace: record?.trace,
    ids: [named('command'), named('another'), opened.hooks.find(({ run }) => run.kind === 'http')?.id ?? ''],
    command: readFileSync(told, 'utf8'),
    another: readFileSync(`${told}-another`, 'utf8'),
    heard,
  };
}

test.each([
  ['the program’s environment', { TRACEPARENT: AGENT.traceparent, TRACESTATE: 'vendor=1' }, undefined],
  ['what the host says with the event', { TRACEPARENT: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00` }, AGENT],
])('the trace comes from %s, and each hook gets a span of its own under it', async (_, env, headers) => {
  const { trace, ids, command, another, heard } = await fired(env, headers);
  expect(trace).toEqual({
    id: TRACE,
    span: expect.stringMatching(/^[\da-f]{16}$/),
    parent: 'b7ad6b7169203331',
    flags: '01',
    state: 'vendor=1',
  });
  const parents = ids.map((id) => `00-${TRACE}-${hookSpanOf(trace!, id, 1)}-01`);
  expect([command, another, ...heard]).toEqual([
    `${parents[0]} vendor=1`,
    parents[1],
    parents[2],
    'vendor=1',
  ]);
  expect(new Set([...parents, AGENT.traceparent]).size).toBe(4);
});

test.each(['', 'nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `ff-${TRACE}-b7ad6b7169203331-01`])(
  'an invalid trace context is left unchanged: %j',
  async (traceparent) => {
    const { trace, command, heard } = await fired({ TRACEPARENT: traceparent });
    expect([trace, command, heard]).toEqual([undefined, `${traceparent} `, [undefined, undefined]]);
  },
);
