/**
 * Known ways in which hooks are dropped, inert or run twice, in every agent with a bridge: the result of the call, the
 * report and the record. Tries both failure modes where a failure is involved.
 */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AGENT_NAMES, AGENTS, type AgentName } from '../../src/agents/index.ts';
import { EVERYTHING } from '../../src/events/capabilities.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { createHooks } from '../../src/library/create-hooks.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { type Heard, openBridge } from './bridges.ts';
import { result } from './results.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-unheard-')));
const [home, project] = [join(root, 'home'), join(root, 'project')];
const OWN = 'home/.config/anyhook/hooks.json';
const PROJECTS = 'project/.anyhook/hooks.json';
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const own = (...hooks: readonly object[]) => JSON.stringify({ hooks: { 'tool.before': hooks } });
const REFUSES = { match: 'shell', run: 'echo not this >&2; exit 2' };

beforeEach(() => {
  mkdirSync(home, { recursive: true });
  mkdirSync(project, { recursive: true });
  vi.stubEnv('HOME', home);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
});
afterAll(() => removeTree(root));

let cells = 0;
async function asked(agent: AgentName, tool = 'shell', input: object = { command: 'ls' }): Promise<Heard> {
  cells++;
  const bridge = await openBridge(agent, project);
  const heard = await bridge.ask(tool, { ...input });
  await bridge.close();
  return heard;
}

/** Reasons for skipped hooks in the journal. */
function skipped(): (string | undefined)[] {
  const folder = join(home, '.local/state/anyhook/journal');
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return lines
    .flatMap((line) => (JSON.parse(line) as Partial<JournalRecord>).hooks ?? [])
    .flatMap((one) => ('skipped' in one ? [one.skipped as string] : []));
}
/** Where an agent shows the user nothing during a call, the record and the session start must have the report. */
const isShown = (agent: AgentName): boolean =>
  AGENTS[agent].can['tool.before']?.notice !== undefined && AGENTS[agent].inside === null;

/** Trusts by hash, as on a machine without a user. Without hashes there is no consent, which is another case. */
async function trustAll(hashes?: readonly string[]): Promise<readonly string[]> {
  const host = { name: 'a test', can: EVERYTHING };
  const hooks = await createHooks({ host, cwd: project, ...(hashes && { trust: { hashes } }) });
  const named = hooks.examined.map(({ judgement }) => judgement.hash);
  const kinds = hooks.examined.map(({ entry }) => hooks.grant(entry).kind);
  await hooks.close();
  return hashes === undefined && named.length > 0 ? [...kinds, ...(await trustAll(named))] : kinds;
}

describe.each(AGENT_NAMES)('%s', (agent) => {
  test('an untrusted project hook waits for trust, which is reported and recorded', async () => {
    put(PROJECTS, own(REFUSES));
    const { came, text } = await asked(agent);
    expect([came, skipped()]).toEqual(['passed', ['not trusted']]);
    if (isShown(agent)) expect(text).toContain('waits for trust');
    expect(await trustAll()).toEqual(['failed', 'added']);
    expect(await asked(agent)).toMatchObject({ came: 'refused' });
  });

  test('an edited project hook loses its trust, and calls it guarded are asked about or refused until the user decides', async () => {
    put(PROJECTS, own(REFUSES));
    await trustAll();
    expect(await asked(agent)).toMatchObject({ came: 'refused' });
    put(PROJECTS, own({ ...REFUSES, run: 'echo nor this >&2; exit 2' }));
    const { came, text } = await asked(agent);
    const canAsk = AGENTS[agent].can['tool.before']?.ask === 'full';
    expect([came, text.includes('has changed since')]).toEqual([canAsk ? 'asked' : 'refused', true]);
    await trustAll();
    const after = await asked(agent);
    expect([after.came, after.text.includes('nor this')]).toEqual(['refused', true]);
  });

  test('a patch is judged by guards of writing', async () => {
    put(OWN, own({ match: 'write', run: 'echo not there >&2; exit 2' }));
    const patch = '*** Begin Patch\n*** Add File: secret.txt\n+x\n*** End Patch\n';
    const { came, text } = await asked(agent, 'patch', { patch });
    expect([came, text.includes('not there')]).toEqual(['refused', true]);
    expect(await asked(agent, 'read', { path: 'a.txt' })).toMatchObject({ came: 'passed' });
  });

  test('a bad entry does not affect the others and refuses by its own failure mode', async () => {
    put(OWN, own(REFUSES, { match: 'read', run: 7 }));
    expect(await asked(agent)).toMatchObject({ came: 'refused' });
    expect(await asked(agent, 'read', { path: 'a.txt' })).toMatchObject({ came: 'refused' });
    put(OWN, own(REFUSES, { match: 'read', run: 7, onFailure: 'allow' }));
    expect(await asked(agent, 'read', { path: 'a.txt' })).toMatchObject({ came: 'passed' });
  });

  test('an unknown event is reported, and calls that its hook may guard are not allowed silently', async () => {
    put(OWN, JSON.stringify({ hooks: { 'tool.befor': [REFUSES] } }));
    const { came, text } = await asked(agent);
    expect(came).not.toBe('approved');
    if (came === 'passed' && isShown(agent)) expect(text).toContain('see: anyhook list');
    const hooks = await createHooks({ host: { name: agent, can: EVERYTHING }, cwd: project });
    expect(hooks.problems.map(({ remedy = '' }) => remedy).join(' ')).toContain('tool.before');
    await hooks.close();
  });

  test('an unreadable file among several refuses what it may have guarded and is named', async () => {
    const sound = `import { defineHook } from 'anyhook';\nexport default defineHook({ on: 'tool.before', match: 'read', run: () => ({ kind: 'deny', reason: 'not that' }) });`;
    put('home/.config/anyhook/hooks/sound.mjs', sound);
    put('home/.config/anyhook/hooks/torn.mjs', 'export default { on: ;');
    const torn = await asked(agent);
    expect([torn.came, torn.text]).toEqual(['refused', expect.stringContaining('torn.mjs')]);
    rmSync(join(home, '.config/anyhook/hooks/torn.mjs'));
    const [other, own] = [await asked(agent), await asked(agent, 'read', { path: 'a.txt' })];
    expect([other.came, own.came, own.text]).toEqual([
      'passed',
      'refused',
      expect.stringContaining('not that'),
    ]);
  });

  test('a project hook does not replace a user hook with the same name', async () => {
    put(OWN, own({ ...REFUSES, name: 'guard' }));
    put(PROJECTS, own({ name: 'guard', match: 'shell', run: 'exit 0' }));
    await trustAll();
    expect(await asked(agent)).toMatchObject({ came: 'refused' });
  });

  test('a switch in project files disables no user hook', async () => {
    put(OWN, own(REFUSES));
    put('project/.claude/settings.json', '{"disableAllHooks":true}');
    put(PROJECTS, JSON.stringify({ off: true, hooks: { 'tool.before': [] } }));
    expect(await asked(agent)).toMatchObject({ came: 'refused' });
  });

  test('a hook that timed out is not started again', async () => {
    const ran = join(root, 'started');
    rmSync(ran, { force: true });
    put(OWN, own({ match: 'shell', run: `echo x >> '${ran}'; exec sleep 300`, timeoutMs: 500 }));
    expect(await asked(agent)).toMatchObject({ came: 'refused' });
    expect(readFileSync(ran, 'utf8')).toBe('x\n');
  });

  test('a command that is configured twice, and in files that the agent reads itself, runs once', async () => {
    const ran = join(root, 'ran');
    rmSync(ran, { force: true });
    const text = JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `echo x >> '${ran}'` }] }],
      },
    });
    put('home/.claude/settings.json', text);
    put('project/.claude/settings.json', text);
    expect(await trustAll()).toEqual([]); // The user's own hook runs already.
    await asked(agent);
    const isOwn = AGENTS[agent].ownHooks.some((one) => one.split('@')[0] === 'claude-code');
    const times = readdirSync(root).includes('ran') ? readFileSync(ran, 'utf8').length / 2 : 0;
    expect(times).toBe(isOwn ? 0 : 1);
  });
});

test('every case was tried', () => {
  result(
    'G2',
    `in ${AGENT_NAMES.length} agents: hooks dropped, inert or run twice`,
    `${cells} cells: 0 passed in silence, 0 run twice`,
  );
  expect(cells).toBe(AGENT_NAMES.length * 18);
});
