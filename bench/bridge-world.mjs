// A home with a bridge in it, and what that agent would start there for an event.
import { fork, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AGENTS,
  askStatus,
  carryOut,
  enginePlaces,
  isRunning,
  ownerIn,
  planInstall,
  removeTree,
  setupFor,
} from '../packages/anyhook/dist/internals.js';

export const CLI = fileURLToPath(new URL('../packages/anyhook/dist/bin/anyhook.cjs', import.meta.url));
export const SHELL_HOOK = 'cat > /dev/null';
const moduleFor = (tool) => `import { defineHook } from 'anyhook';
export default defineHook({ on: 'tool.before', match: '${tool}', run: (): undefined => undefined });
`;

const SETTINGS = { codex: '.codex/hooks.json', 'claude-code': '.claude/settings.json' };

/** @param {{ hook: 'none' | 'shell' | 'module', match?: string, agent?: 'codex' | 'claude-code' }} about `match`: the hook's tool */
export function bridgeWorld({ hook, match = 'shell', agent = 'claude-code' }) {
  const root = mkdtempSync(join(tmpdir(), 'ahb-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  const put = (path, text) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  mkdirSync(project);
  const entry = { match, run: SHELL_HOOK };
  if (hook === 'shell')
    put('.config/anyhook/hooks.json', JSON.stringify({ hooks: { 'tool.before': [entry] } }));
  if (hook === 'module') put('.config/anyhook/hooks/mine.ts', moduleFor(match));
  mkdirSync(home, { recursive: true });
  carryOut(planInstall(AGENTS[agent], { scope: 'user', home, cwd: project, env: {} }, setupFor('closed')));
  const { hooks } = JSON.parse(readFileSync(join(home, SETTINGS[agent]), 'utf8'));
  const line = hooks.PreToolUse[0].hooks[0].command;
  const places = enginePlaces(join(home, '.local/state/anyhook/engine'));
  const env = { PATH: process.env.PATH, HOME: home };
  const payload = (padding = '') =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: project,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      padding,
    });
  const run = (program, args, input) => (times) => {
    for (let i = 0; i < times; i++) {
      const { status, stderr } = spawnSync(program, args, { cwd: project, env, input, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr || `ended with ${status}`);
    }
  };
  const words = ['fire', '--as', agent, '--host', agent, '--deadline-ms', '590000'];
  return {
    home,
    project,
    payload,
    /** @param {string} [input] */
    line: (input = payload()) => run('/bin/sh', ['-c', line], input),
    /** @param {string[]} more */
    cold: (...more) => run(process.execPath, [CLI, ...words, ...more], payload()),
    sh: (script) => run('/bin/sh', ['-c', script], payload()),
    node: run(process.execPath, ['-e', '0'], ''),
    /** Another program of Node in our place, with the same event. @param {string[]} args */
    program: (...args) => run(process.execPath, args, payload()),
    engine: places.folder,
    status: () => askStatus(places, 5000),
    /** Fires until the engine answers. */
    async warmUp() {
      for (let i = 0; i < 400; i++) {
        const before = (await askStatus(places, 5000))?.events ?? 0;
        this.line()(1);
        if (((await askStatus(places, 5000))?.events ?? 0) > before) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error('no engine has answered');
    },
    /**
     * Until its folders are as old as those of a home are: for a few seconds what lies in a folder that has just changed is
     * looked at one by one, because some file systems have a coarse clock.
     */
    async rest() {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      this.line()(1);
    },
    /** From now on somebody answers at once who looks at nothing. Returns what ends that. */
    async answeredAtOnce() {
      const program = fileURLToPath(new URL('instant-engine.mjs', import.meta.url));
      const child = fork(program, [places.folder], { execArgv: [] });
      await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
      return () => child.kill();
    },
    /** The engine that was started for this home has ended, and nobody's turn is left. */
    async withoutEngine() {
      for (const until = performance.now() + 10_000; performance.now() < until;) {
        const owner = ownerIn(places.owner);
        if (owner !== undefined && isRunning(owner)) process.kill(owner.pid, 'SIGKILL');
        else if (!existsSync(places.starting)) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      removeTree(places.folder);
    },
    close() {
      spawnSync(process.execPath, [CLI, 'engine', 'stop'], { env });
      removeTree(root);
    },
  };
}
