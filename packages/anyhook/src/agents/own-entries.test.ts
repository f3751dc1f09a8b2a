import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { carryOut } from '../install/carry-out.ts';
import { planInstall } from '../install/plan.ts';
import { createHooks } from '../library/create-hooks.ts';
import { AGENT_NAMES, type AgentName, AGENTS } from './index.ts';
import type { Setup } from './shared/bridge.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'own-')));
  for (const name of ['home', 'project']) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const setup = (failure: Setup['failure']): Setup => ({
  node: process.execPath,
  bin: '/opt/anyhook/bin.cjs',
  moduleUrl: 'file:///no/such/module.js',
  client: { kind: 'native', file: import.meta.filename },
  failure,
});
const where = () =>
  ({ scope: 'user', home: join(root, 'home'), cwd: join(root, 'project'), env: {} }) as const;
const hooksHere = async () => {
  const hooks = await createHooks({
    host: { name: 'a test', can: EVERYTHING },
    home: join(root, 'home'),
    cwd: join(root, 'project'),
    journal: false,
    trust: { selfProtection: false },
  });
  const found = hooks.hooks.map(({ dialect, label }) => `${dialect}: ${label}`);
  await hooks.close();
  return found;
};

test('bridges into any agent are not hooks, and a guard next to them is one', async () => {
  mkdirSync(join(root, 'home', '.claude'));
  const guard = { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard' }] }] };
  writeFileSync(join(root, 'home', '.claude', 'settings.json'), JSON.stringify({ hooks: guard }));
  for (const agent of AGENT_NAMES) carryOut(planInstall(AGENTS[agent], where(), setup('closed')));
  expect(await hooksHere()).toEqual(['claude-code: guard']);
});

interface Heard {
  on(word: string, listener: () => unknown): void;
}
type Module = { anyhook?: (input: object) => Promise<Record<string, () => Promise<void>>> } & {
  default?: (pi: Heard) => Promise<void>;
};
async function written(agent: AgentName, failure: Setup['failure']): Promise<Module> {
  const { bridge, dialect } = AGENTS[agent];
  const [piece] = bridge(where());
  if (piece.kind !== 'whole') throw new Error(`${agent} loads no file of ours`);
  const file = join(root, `${agent}-${failure}.mjs`);
  writeFileSync(file, piece.text({ ...setup(failure), ...where(), agent, dialect, file }));
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Module;
}

test('the OpenCode plugin refuses tool calls if anyhook cannot be loaded, unless it is set to fail open', async () => {
  const closed = await (await written('opencode', 'closed')).anyhook!({});
  await expect(closed['tool.execute.before']!()).rejects.toThrow(/^refused: anyhook is installed/);
  expect(await (await written('opencode', 'open')).anyhook!({})).toEqual({});
});

test.each(['pi', 'oh-my-pi'] as const)(
  'the extension of %s refuses tool calls if anyhook cannot be loaded, unless it is set to fail open',
  async (agent) => {
    const heard = async (failure: Setup['failure']) => {
      const answers: unknown[] = [];
      const pi: Heard = { on: (word, listener) => void answers.push(word, listener()) };
      await (
        await written(agent, failure)
      ).default!(pi);
      return answers;
    };
    expect(await heard('closed')).toEqual([
      'tool_call',
      { block: true, reason: expect.stringMatching(/^refused: anyhook is installed/) as string },
    ]);
    expect(await heard('open')).toEqual([]);
  },
);
