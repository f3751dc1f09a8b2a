/** Runs the project's own formatter (`npm run format -- <file>`) over what the agent has written. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { context, defineHook } from 'anyhook';

export default defineHook({
  on: 'tool.after',
  match: 'write|edit|multi-edit',
  name: 'format-after-edit',
  status: 'formatting',
  async run({ payload, scene }, { exec }) {
    const manifest = await readFile(join(scene.cwd, 'package.json'), 'utf8').catch(() => '{}');
    const { scripts = {} } = JSON.parse(manifest) as { scripts?: Record<string, string> };
    if (scripts['format'] === undefined) return undefined;
    const file = String(payload.input['path'] ?? '');
    const { code, stderr } = await exec('npm', ['run', '--silent', 'format', '--', file]);
    return code === 0 ? undefined : context(`The formatter does not take ${file}: ${stderr.slice(-500)}`);
  },
});
