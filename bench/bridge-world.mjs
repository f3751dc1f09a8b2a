// A home with a bridge in it, and what that agent would start there for an event.

import { fork, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AGENTS,
  carryOut,
  clientFile,
  daemonPlaceIn,
  daemonState,
  nodeClient,
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

/**
 * @param {{ hook: 'none' | 'shell' | 'module', match?: string, agent?: 'codex' | 'claude-code', client?: 'native' | 'node' }} about
 *   `match`: the hook's tool; without `client`, the one that fits this machine
 */
export function bridgeWorld({ hook, match = 'shell', agent = 'claude-code', client }) {
  const root = mkdtempSync(join(tmpdir(), 'ahb-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  const line = installBridge({ home, project, hook, match, agent, client });
  const env = { PATH: process.env.PATH, HOME: home };
  const payload = ({ padding = '', session = 's' } = {}) =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: session,
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
  return {
    home,
    project,
    payload,
    ...daemonControls(home),
    /** @param {string} [input] */
    line: (input = payload()) => run('/bin/sh', ['-c', line], input),
    /** The same line, with `true` in the place of the client. */
    lineOfTrue: run('/bin/sh', ['-c', line.replace(clientFile({ home }), '/bin/true')], payload()),
    /** The client without a shell around it. */
    client: run(clientFile({ home }), [agent], payload()),
    direct: run(process.execPath, [CLI, 'bridge', agent], payload()),
    sh: (script) => run('/bin/sh', ['-c', script], payload()),
    node: run(process.execPath, ['-e', '0'], ''),
    /** Another program of Node in our place, with the same event. @param {string[]} args */
    program: (...args) => run(process.execPath, args, payload()),
    /**
     * Until its folders are as old as those of a home are: for a few seconds what lies in a folder that has just changed is
     * looked at one by one, because some file systems have a coarse clock.
     */
    async rest() {
      this.line()(1);
      await new Promise((resolve) => setTimeout(resolve, 3000));
      this.line()(1);
    },
    close() {
      spawnSync(process.execPath, [CLI, 'daemon', 'stop'], { env });
      removeTree(root);
    },
  };
}

/** Writes a home with one hook and the bridge, and returns the line that the agent starts for an event. */
function installBridge({ home, project, hook, match, agent, client }) {
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
  const setup = { ...setupFor('closed'), ...(client === 'node' && { client: nodeClient() }) };
  carryOut(planInstall(AGENTS[agent], { scope: 'user', home, cwd: project, env: {} }, setup));
  const { hooks } = JSON.parse(readFileSync(join(home, SETTINGS[agent]), 'utf8'));
  return hooks.PreToolUse[0].hooks[0].command;
}

function daemonControls(home) {
  const place = daemonPlaceIn(join(home, '.local/state/anyhook/daemon'));
  return {
    async state() {
      const found = await daemonState(place, 5000);
      if (typeof found !== 'object') throw new Error(`the daemon is ${found}`);
      return found;
    },
    /** From now on every event is answered at once. Returns what ends that. */
    async answeredAtOnce() {
      const program = fileURLToPath(new URL('instant-daemon.mjs', import.meta.url));
      const child = fork(program, [place.folder], { execArgv: [] });
      await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
      return () => child.kill();
    },
    async withoutDaemon() {
      const found = await daemonState(place, 5000);
      if (typeof found === 'object') process.kill(found.pid, 'SIGKILL');
      while (existsSync(place.socket) && (await daemonState(place, 5000)) !== 'none')
        await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}
