/**
 * `node bench/view.mjs [folder]`: the view on a journal of 1 GB with 100,000 fires, by its own commands. Prints how long until the
 * page has its first answer, until a new fire is on the stream, until all is counted, and the memory of the process.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRecord, openJournal } from '../packages/anyhook/dist/internals.js';

const FIRES = 100_000;
const SESSIONS = 20;
const TEXT = 'the quick brown fox jumps over the lazy dog, '.repeat(85);
const CLI = new URL('../packages/anyhook/bin/anyhook.cjs', import.meta.url).pathname;

const root = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'anyhook-view-bench-'));
const [home, cwd] = [join(root, 'home'), join(root, 'project')];
const folders = {
  folder: join(home, '.local/state/anyhook/journal'),
  heads: join(home, '.config/anyhook/heads'),
};
const hook = (/** @type {string} */ id) => ({
  id,
  dialect: 'claude-code',
  on: 'PreToolUse',
  origin: { layer: 'user', file: join(home, '.claude/settings.json'), line: 3 },
  roles: ['guard'],
  match: { kind: 'any' },
  run: { kind: 'command', run: { line: `./${id}.sh` }, env: 'inherit' },
  background: false,
  shadow: false,
  timeoutMs: 60_000,
});
const HOOKS = ['guard', 'format', 'watch'].map(hook);

/** @param {string} session @param {number} count @param {number} atMs */
function write(session, count, atMs) {
  const journal = openJournal({ ...folders, session, env: {} });
  for (let i = 0; i < count; i++) {
    const isRefused = i % 40 === 0;
    const reasons = isRefused ? [{ by: 'guard', text: 'not that' }] : [];
    // Three pieces, each short enough to be kept whole: about ten kilobytes a line.
    const input = {
      command: `npm test ${i}`,
      a: TEXT.slice(0, 3300),
      b: TEXT.slice(0, 3300),
      c: TEXT.slice(0, 2400),
    };
    journal.write(
      makeRecord(
        /** @type {any} */ ({
          event: {
            name: 'tool.before',
            payload: { tool: 'shell', input },
            ids: { session, call: `call_${i}` },
            scene: { cwd },
            round: 1,
          },
          outcome: {
            verdict: isRefused ? 'deny' : 'none',
            reasons,
            changed: [],
            voided: [],
            said: [],
            given: [],
            flow: {},
            lost: [],
            unmatched: [],
            aborted: false,
            runs: HOOKS.map(({ id }) => ({
              hook: id,
              round: 1,
              ms: 1 + (i % 97),
              answer: { effects: isRefused && id === 'guard' ? [{ kind: 'deny', reason: 'not that' }] : [] },
            })),
          },
          hookOf: (/** @type {string} */ id) => HOOKS.find((one) => one.id === id),
          host: { name: 'claude-code', version: '2' },
          tookMs: 4 + (i % 97),
          atMs: atMs + i * 1000,
        }),
      ),
    );
  }
  journal.close();
}

mkdirSync(cwd, { recursive: true });
if (!existsSync(folders.folder))
  for (let at = 0; at < SESSIONS; at++)
    write(`session-${at}`, FIRES / SESSIONS, Date.now() - (SESSIONS - at) * 86_400_000);
const bytes = readdirSync(folders.folder).reduce(
  (sum, name) => sum + statSync(join(folders.folder, name)).size,
  0,
);
console.log(`${(bytes / 1e9).toFixed(2)} GB, ${readdirSync(folders.folder).length} sessions`);

const began = performance.now();
const view = spawn(process.execPath, [CLI, 'view', '--no-open'], {
  cwd,
  env: { PATH: process.env['PATH'], HOME: home },
});
const [first] = await once(view.stdout.setEncoding('utf8'), 'data');
const [, origin, token] = /** @type {RegExpExecArray} */ (/(http:\/\/[^/]+)\/#([\w-]+)/.exec(first));
const headers = { 'x-anyhook-token': /** @type {string} */ (token) };
/** @param {string} path @returns {Promise<any>} */
const ask = async (path) => (await fetch(`${origin}${path}`, { headers })).json();
const since = () => Math.round(performance.now() - began);
const memory = () => {
  const status = readFileSync(`/proc/${view.pid}/status`, 'utf8');
  const of = (/** @type {string} */ name) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return `${of('VmRSS')} MB now, ${of('VmHWM')} MB at most`;
};

const script = await (await fetch(`${origin}/page.js`)).text();
const state = await ask('/api/state?count=50');
console.log(`first answer after ${since()} ms (start of the program included), ${memory()}`);
console.log(
  `page ${Math.round(script.length / 1024)} KB, ${state.sessions.length} sessions, counted ${state.counted.records}`,
);
const partAt = performance.now();
const part = await ask(`/api/session?key=${state.sessions[0].key}`);
console.log(
  `a session's last ${part.entries.length} events in ${Math.round(performance.now() - partAt)} ms, ${memory()}`,
);

const stream = await fetch(`${origin}/api/stream`, { headers });
const reader = /** @type {ReadableStream<Uint8Array>} */ (stream.body).getReader();
const wroteAt = performance.now();
write('session-new', 1, Date.now());
for (
  let text = '';
  !text.includes('session-new');
  text += Buffer.from((await reader.read()).value ?? []).toString()
);
console.log(
  `a new fire is on the page's stream after ${Math.round(performance.now() - wroteAt)} ms, while the rest is counted`,
);

for (;;) {
  const { counted } = await ask('/api/state?count=1');
  if (counted.isWhole) {
    console.log(`all ${counted.records} records counted after ${since()} ms, ${memory()}`);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
const hooks = await ask('/api/hooks');
console.log(`${hooks.hooks.length} hooks, ${memory()}`);
view.kill('SIGTERM');
await once(view, 'exit');
if (process.argv[2] === undefined) rmSync(root, { recursive: true, force: true });
