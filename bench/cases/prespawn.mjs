// Unmodified scripts of Node and Python: a fresh process that waits at its stdin, against one that is started for the event.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCommandRunner, removeTree } from '../../packages/anyhook/dist/internals.js';
import { versus } from '../measure.mjs';

const folder = mkdtempSync(join(tmpdir(), 'anyhook-prespawn-'));
const script = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const NODE = script(
  'guard.js',
  `const event = JSON.parse(require('fs').readFileSync(0, 'utf8'));
if (event.command.includes('push')) { console.error('no'); process.exit(2); }
`,
);
const PYTHON = script(
  'guard.py',
  `import json, re, sys
event = json.load(sys.stdin)
if re.search('push', event['command']): sys.exit(2)
`,
);
/** A shim of a version manager would be measured in its place. */
const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout?.trim();

const runner = openCommandRunner();
const { signal } = new AbortController();
const stdin = JSON.stringify({ command: 'ls' });
const run = (argv, more = {}) =>
  runner.run(
    { kind: 'command', run: { argv }, env: 'inherit', ...more },
    { kind: 'command', cwd: folder, stdin },
    { timeoutMs: 60_000, signal },
  );
/** As between two events of an agent: time enough for the next one to be ready. */
const PAUSE_MS = 400;
const timed = (argv, more) => async (times) => {
  let ms = 0;
  for (let i = 0; i < times; i++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const began = performance.now();
    const { kind, code } = await run(argv, more);
    ms += performance.now() - began;
    if (kind !== 'exited' || code !== 0) throw new Error(`ended with ${kind} ${code}`);
  }
  return ms;
};
const row = async (name, argv) => ({
  name: `${name}, \`"warm": "prespawn"\``,
  against: 'the same, started for the event',
  target: 0.25,
  ...(await versus(timed(argv, { warm: 'prespawn' }), timed(argv), { times: 2, rounds: 9 })),
});
const node = await row('a Node script', [process.execPath, NODE]);
const also = python ? [await row('a Python script', [python, PYTHON])] : [];
await runner.close();
removeTree(folder);
export default { ...node, also };
