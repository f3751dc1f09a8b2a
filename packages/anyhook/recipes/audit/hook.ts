/** Writes every tool call down, one line of JSON each, and decides nothing: `~/.local/state/anyhook-audit/<day>.jsonl`. */

import { appendFile, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defineHook } from 'anyhook';

const FOLDER = join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'anyhook-audit');

export default defineHook({
  on: 'tool.before',
  name: 'audit',
  roles: ['observer'],
  async run({ payload, ids, scene }) {
    const at = new Date().toISOString();
    await mkdir(FOLDER, { recursive: true });
    const line = { at, session: ids.session, cwd: scene.cwd, tool: payload.tool, input: payload.input };
    await appendFile(join(FOLDER, `${at.slice(0, 10)}.jsonl`), `${JSON.stringify(line)}\n`, { mode: 0o600 });
    return undefined;
  },
});
