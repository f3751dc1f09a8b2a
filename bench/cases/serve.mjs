// What a program in another language waits for: `anyhook serve`, beside the same fire in process and one round trip through a pipe.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHooks } from '../../packages/anyhook/dist/index.js';
import { versus } from '../measure.mjs';

const CLI = fileURLToPath(new URL('../../packages/anyhook/dist/bin/anyhook.cjs', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'ahb-'));
const [home, cwd] = [join(root, 'home'), join(root, 'project')];
mkdirSync(join(home, '.config/anyhook'), { recursive: true });
mkdirSync(cwd);
writeFileSync(
  join(home, '.config/anyhook/hooks.json'),
  JSON.stringify({ hooks: { 'tool.before': [{ match: 'danger:delete' }] } }),
);
const env = { PATH: process.env.PATH, HOME: home };
const host = { name: 'bench', can: { 'tool.before': { deny: 'full' } } };
const payload = { tool: 'shell', input: { command: 'ls -l' } };

/** A program that answers each line with one line. @param {string[]} args */
function answering(args) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  let text = '';
  let onLine = (/** @type {string} */ _line) => {};
  child.stdout.on('data', (chunk) => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end === -1) return;
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    onLine(line);
  });
  return {
    /** @param {object} message @returns {Promise<any>} */
    ask: (message) =>
      new Promise((resolve) => {
        onLine = (line) => resolve(JSON.parse(line));
        child.stdin.write(`${JSON.stringify(message)}\n`);
      }),
    end: () => child.kill(),
  };
}

const server = answering([CLI, 'serve']);
const open = { protocol: 1, host, cwd, home, env, watch: false };
const { result: opened } = await server.ask({ jsonrpc: '2.0', id: 0, method: 'open', params: open });
const echo = answering(['-e', 'process.stdin.pipe(process.stdout)']);
// As `serve` opens them.
const hooks = await createHooks({ host, cwd, home, env, sessionStore: 'file' });

const request = {
  jsonrpc: '2.0',
  id: 1,
  method: 'fire',
  params: { session: opened.session, event: 'tool.before', payload },
};
const outcome = await hooks.fire({ name: 'tool.before', payload });
const row = await versus(
  async (times) => {
    for (let i = 0; i < times; i++) await server.ask(request);
  },
  async (times) => {
    for (let i = 0; i < times; i++) {
      await hooks.fire({ name: 'tool.before', payload });
      await echo.ask({ ...request, result: outcome });
    }
  },
  { times: 200, rounds: 21 },
);
server.end();
echo.end();
await hooks.close();
rmSync(root, { recursive: true, force: true });

export default {
  name: '`anyhook serve`: one event, record written',
  against: 'the same in process, and one round trip through a pipe',
  target: 1.3,
  ...row,
};
