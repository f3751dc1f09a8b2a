import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { SessionHooks } from '../daemon/session-hooks.ts';
import { fireRequest } from '../fire/answer.ts';
import { bridgeArguments } from '../fire/bridge-arguments.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { open } from '../in-process/open.ts';
import { carryOut } from '../install/carry-out.ts';
import { planInstall } from '../install/plan.ts';
import { setupFor } from '../install/setup.ts';
import { ground } from '../menu/fixtures/ground.ts';
import { lint } from './lints.ts';
import { inspect } from './look/inspection.ts';
import { whereItRuns } from './look/where-it-runs.ts';
import { hostLines } from './show.ts';

/** A machine with one agent of this version, and with our bridge in it. */
function machine(agent: Agent, version: string) {
  const { at, root, where } = ground({});
  const env = { PATH: `${at('bin')}:/usr/bin:/bin`, HOME: at('home') };
  const program = at(`bin/${agent.program.name}`);
  const update = (to: string) => {
    mkdirSync(at('bin'), { recursive: true });
    writeFileSync(program, `#!/bin/sh\necho ${to}\n`);
    chmodSync(program, 0o755);
  };
  update(version);
  const location = { scope: 'user', home: at('home'), cwd: at('project'), env } as const;
  carryOut(planInstall(agent, location, setupFor('closed')));
  const here = { ...where, env };
  return {
    root,
    program,
    update,
    calls: foldersOf(locationsOf(here)).bridgeCalls,
    async found() {
      const findings = lint(await inspect(here));
      return findings.filter(({ code }) => code === 'bridge-not-called');
    },
    async facts() {
      const looked = await inspect(here);
      const hosts = whereItRuns(looked).filter(({ agent: name }) => name === agent.name);
      const screen = {
        paint: (_: unknown, text: string) => text,
        width: 200,
        home: at('home'),
        cwd: at('project'),
      };
      return hostLines(hosts, looked.known, screen as never).join('\n');
    },
    /** An event of the agent, answered as the daemon answers it. */
    async call(payload: object, sessions = new SessionHooks({ refuseImports: true, checksFiles: true })) {
      const caller = { env, cwd: at('project') };
      const text = JSON.stringify({ cwd: at('project'), ...payload });
      await sessions.answer(
        fireRequest(bridgeArguments([agent.name], caller), text, caller),
        performance.now(),
      );
      return sessions;
    },
  };
}
const STOP = { hook_event_name: 'Stop', session_id: 's1' };
const asOld = (file: string) => utimesSync(file, new Date(2020, 1), new Date(2020, 1));

test('doctor warns that an agent newer than any tested version has not called the bridge since its update', async () => {
  const codex = machine(AGENTS.codex, '99.1.0');
  const [finding, ...more] = await codex.found();
  expect(more).toEqual([]);
  expect(finding).toMatchObject({
    severity: 'warning',
    remedy: expect.stringContaining('anyhook doctor --probe codex'),
  });
  expect(finding?.what).toContain('99.1.0 is newer than any tested version');
});

test('doctor does not warn about a newer agent that has called the bridge since its update', async () => {
  const codex = machine(AGENTS.codex, '99.1.0');
  await (await codex.call(STOP)).close();
  expect(await codex.found()).toEqual([]);
});

test('doctor warns again when the agent is updated after its last call', async () => {
  const codex = machine(AGENTS.codex, '99.1.0');
  await (await codex.call(STOP)).close();
  for (const name of readdirSync(codex.calls)) asOld(join(codex.calls, name));
  codex.update('99.2.0');
  expect(await codex.found()).toHaveLength(1);
});

test('doctor does not warn about a tested version, even if it has never called the bridge', async () => {
  expect(await machine(AGENTS.codex, AGENTS.codex.seen[0]!.version).found()).toEqual([]);
});

test('doctor trusts the version that an agent puts into its payload more than the time of the call', async () => {
  const cursor = machine(AGENTS.cursor, '99.1.0');
  const payload = { hook_event_name: 'stop', conversation_id: 'c', workspace_roots: [] };
  await (await cursor.call({ ...payload, cursor_version: '98.0.0' })).close();
  expect(readdirSync(cursor.calls)).toEqual(['cursor@98.0.0']);
  expect(await cursor.found()).toHaveLength(1);
  await (await cursor.call({ ...payload, cursor_version: '99.1.0' })).close();
  expect(await cursor.found()).toEqual([]);
});

test('a version in a payload cannot name a file elsewhere', async () => {
  const cursor = machine(AGENTS.cursor, '99.1.0');
  const payload = { hook_event_name: 'stop', conversation_id: 'c', workspace_roots: [] };
  await (await cursor.call({ ...payload, cursor_version: '../../../../evil' })).close();
  expect(readdirSync(cursor.calls)).toEqual(['cursor@']);
});

test('doctor prints when each bridge was last called, and by which version if that is known', async () => {
  const cursor = machine(AGENTS.cursor, '2.4.0');
  expect(await cursor.facts()).toContain('the bridge has not been called yet');
  const payload = {
    hook_event_name: 'stop',
    conversation_id: 'c',
    workspace_roots: [],
    cursor_version: '2.4.0',
  };
  await (await cursor.call(payload)).close();
  expect(await cursor.facts()).toMatch(
    /the bridge was last called: \d{4}-\d\d-\d\d \d\d:\d\d, by version 2\.4\.0/,
  );
});

test('only the first event of a session writes the record of the call', async () => {
  const codex = machine(AGENTS.codex, '99.1.0');
  const sessions = await codex.call(STOP);
  const [name] = readdirSync(codex.calls);
  const file = join(codex.calls, name!);
  asOld(file);
  const { mtimeMs } = statSync(file);
  await (await codex.call(STOP, sessions)).close();
  // Another process of the same session, as without the daemon.
  await (await codex.call(STOP)).close();
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  await (await codex.call({ ...STOP, session_id: 's2' })).close();
  expect(statSync(file).mtimeMs).toBeGreaterThan(mtimeMs);
  expect(readFileSync(file, 'utf8')).toBe('s2');
});

test('an agent that loads anyhook as a module is recorded at its first event, not when it loads the module', async () => {
  const opencode = machine(AGENTS.opencode, '99.1.0');
  vi.stubEnv('HOME', join(opencode.root, 'home'));
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
  try {
    const plugin = (await open('opencode', { directory: join(opencode.root, 'project') })) as {
      'tool.execute.before'(input: object, output: object): Promise<void>;
      dispose(): Promise<void>;
    };
    expect(existsSync(opencode.calls)).toBe(false);
    await plugin['tool.execute.before']({ tool: 'bash', sessionID: 's' }, { args: { command: 'ls' } });
    await plugin.dispose();
    expect(readdirSync(opencode.calls)).toEqual(['opencode@']);
    expect(await opencode.found()).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
