/** Real agents as clients of a server behind the proxy: without hooks, and with the bridge as well. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentName } from '../../src/agents/index.ts';
import { fixture } from '../mcp/ground.ts';
import { put, SECRET } from './guards.ts';
import { type Played, runAgent, type Scene } from './run-agent.ts';

const LINE = [process.execPath, fixture('stdio.mjs'), 'marks'] as const;
const [command, ...args] = LINE;
/** The configuration of the server for each agent. */
const NAMED = {
  'claude-code'({ home }) {
    put(home, '.claude.json', { mcpServers: { full: { command, args } } });
    put(home, '.claude/settings.json', { env: { ENABLE_TOOL_SEARCH: 'false' } }); // Otherwise the model must search for the tools first.
  },
  codex: ({ home }) =>
    put(
      home,
      '.codex/config.toml',
      `[mcp_servers.full]\ncommand = "${command}"\nargs = ["${args.join('", "')}"]\n`,
    ),
  opencode({ home }) {
    const file = join(home, '.config/opencode/opencode.json');
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
    put(home, '.config/opencode/opencode.json', {
      ...before,
      mcp: { full: { type: 'local', command: LINE, enabled: true } },
    });
  },
} as const satisfies Partial<Record<AgentName, (scene: Scene) => void>>;
type Client = keyof typeof NAMED;

const wanted = process.env['CLIENTS']?.split(',') ?? Object.keys(NAMED);
const CLIENTS = (Object.keys(NAMED) as Client[]).filter((name) => wanted.includes(name));

/** Refuses, changes and redacts calls, and logs what it judged. */
const GUARD = `import { appendFileSync } from 'node:fs';
import { defineHook } from 'anyhook';
export const before = defineHook({ on: 'tool.before', run({ payload }) {
  const { file } = payload.input;
  if (file === undefined) return;
  appendFileSync('judged.log', file + '\\n');
  if (file === 'refused.txt') return { kind: 'deny', reason: 'the guard says no' };
  if (file === 'before.txt') return { kind: 'set', at: ['input', 'file'], to: 'after.txt' };
} });
export const after = defineHook({ on: 'tool.after', run: ({ payload }) =>
  JSON.stringify(payload.content).includes(${JSON.stringify(SECRET)}) ? { kind: 'set', at: ['content'], to: [{ type: 'text', text: 'redacted' }] } : undefined });
`;
const touch = (file: string) => ({ tool: '/touch$/', args: { file } });
const SCRIPT = [
  // Agents do not wait for their servers. The model knows the tools only after this server has listed them.
  { shell: 'until [ -e listed ]; do sleep 0.2; done; sleep 2' },
  touch('refused.txt'),
  touch('before.txt'),
  touch('ran.txt'),
  { tool: '/tell$/', args: {} },
  { text: 'done' },
];

const play = (agent: Client, steps: readonly (readonly string[])[]) =>
  runAgent(
    agent,
    {
      script: SCRIPT,
      async prepare(scene) {
        NAMED[agent](scene);
        put(scene.project, 'secret.txt', SECRET);
        put(scene.home, '.config/anyhook/hooks/guard.mjs', GUARD);
        for (const step of steps) await scene.anyhook(['install', agent, ...step, '--json']);
      },
    },
    ({ has, read, asked, output }: Played) => ({
      ran: ['refused.txt', 'before.txt', 'after.txt', 'ran.txt'].filter(has),
      told: asked.includes('the guard says no'),
      leaked: asked.includes(SECRET),
      judged: has('judged.log') ? read('judged.log').trim().split('\n') : [],
      output,
    }),
  );

describe.each(CLIENTS)('%s', (agent) => {
  test('an agent without the proxy calls any tool', async () => {
    const { output, ...seen } = await play(agent, []);
    expect(seen, output).toEqual({
      ran: ['refused.txt', 'before.txt', 'ran.txt'],
      told: false,
      leaked: true,
      judged: [],
    });
  });

  test('an agent without hooks obeys ours through the proxy: refused, changed, redacted', async () => {
    const { output, ...seen } = await play(agent, [['--mcp']]);
    expect(seen, output).toEqual({
      ran: ['after.txt', 'ran.txt'],
      told: true,
      leaked: false,
      judged: ['refused.txt', 'before.txt', 'ran.txt'],
    });
  });

  test('an agent with the proxy and the bridge is judged once', async () => {
    const { output, ...seen } = await play(agent, [['--mcp'], []]);
    expect(seen, output).toMatchObject({ told: true, judged: ['refused.txt', 'before.txt', 'ran.txt'] });
    expect(seen.ran, output).not.toContain('refused.txt');
    expect(seen.ran, output).not.toContain('before.txt');
    expect(seen.ran, output).toContain('ran.txt');
  });
});
