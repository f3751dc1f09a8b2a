/** Tests all services from a complete host in a real process, with our own modules. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Services } from '../../events/services.ts';
import { NEVER } from '../../events/signal.ts';
import { openIsolated } from './open-isolated.ts';
import { SERVICES } from './service-table.mjs';

const root = mkdtempSync(join(tmpdir(), 'anyhook-services-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const alias = { anyhook: fileURLToPath(new URL('../module/fixtures/entry.ts', import.meta.url)) };

const heard: unknown[] = [];
const EVERY: Services = {
  ui: {
    select: async () => 'picked',
    confirm: async () => true,
    input: async () => 'typed',
    editor: async () => 'edited',
    custom: async () => 1,
    notify: (...said) => void heard.push(said),
    status: () => {},
    setEditorText: () => {},
    getEditorText: () => 'draft',
  },
  session: {
    entries: () => [],
    view: () => ({}),
    act: async () => ({ cancelled: false }),
    isIdle: () => true,
    waitForIdle: async () => {},
    abort: () => {},
    hasQueued: () => false,
    history: async () => [],
  },
  history: async (session) => [{ tool: session, input: {}, atMs: 0, state: 'started' }],
  sessions: {
    open: async ({ title = '' }) => ({ id: 'side', title, isIdle: true }),
    list: async () => [],
    entries: async () => [],
    prompt: async () => {},
    abort: async () => {},
    rename: async () => {},
    remove: async () => {},
  },
  config: () => ({ theme: 'dark' }),
  messages: { send: () => {}, append: () => {} },
  commands: { register: () => {} },
  tools: { register: () => {}, call: async (name) => `called ${name}` },
  log: (...said) => void heard.push(said),
  model: { current: () => ({ id: 'm1' }), all: () => [{ id: 'm1' }, { id: 'm2' }] },
  exec: async () => ({ stdout: '', stderr: '', code: 0, killed: false }),
  permit: async ({ permission }, signal) => ({
    proceed: 'no',
    reason: `${permission}, with a signal: ${signal instanceof AbortSignal}`,
  }),
  judge: async (prompt, { signal }) => `${prompt} ${signal instanceof AbortSignal}`,
};

test('an isolated module has every service of the host, and each one works', async () => {
  const file = join(root, 'every.mjs');
  writeFileSync(
    file,
    `import { defineHook, notice } from 'anyhook';
     const seen = (host) => Object.entries(host).flatMap(([name, service]) =>
       typeof service === 'function' ? [name] : Object.keys(service).map((method) => name + '.' + method));
     export default defineHook({ on: 'tool.before', async run(event, host) {
       const { signal, ...services } = host;
       const request = { permission: 'edit', patterns: [], metadata: {}, session: 's' };
       return notice(JSON.stringify({
         seen: seen(services),
         model: [host.model.current(), host.model.all()],
         permit: await host.permit(request),
         judged: await host.judge('fine?', { signal }),
         called: await host.tools.call('read', {}, signal),
         opened: await host.sessions.open({ title: 'mine' }),
         config: await host.config(),
         past: await host.session.history(),
       }));
     } });`,
  );
  const module = await openIsolated(file, { alias, services: EVERY });
  if (!module.ok) throw new Error(module.problem.message);
  const reply = await module.run(
    0,
    {
      name: 'tool.before',
      payload: { tool: 'read', input: {} },
      ids: { session: 's' },
      scene: { cwd: '/' },
      round: 1,
    } as never,
    { timeoutMs: 30_000, signal: NEVER },
  );
  module.close();
  const { seen, ...said } = JSON.parse((reply as { value: { text: string } }).value.text) as Record<
    string,
    unknown
  >;
  expect((seen as string[]).toSorted()).toEqual(
    [...SERVICES.keys()].filter((name) => name !== 'ui.theme').toSorted(),
  );
  expect(said).toEqual({
    model: [{ id: 'm1' }, [{ id: 'm1' }, { id: 'm2' }]],
    permit: { proceed: 'no', reason: 'edit, with a signal: true' },
    judged: 'fine? true',
    called: 'called read',
    opened: { id: 'side', title: 'mine', isIdle: true },
    config: { theme: 'dark' },
    past: [{ tool: 's', input: {}, atMs: 0, state: 'started' }],
  });
}, 60_000);
