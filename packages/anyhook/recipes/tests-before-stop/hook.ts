/** The agent may stop when the tests pass (`npm test`); when they fail it goes on, with what they said. Once per turn. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineHook, resume } from 'anyhook';

export default defineHook({
  on: 'turn.stop',
  name: 'tests-before-stop',
  status: 'running the tests',
  timeoutMs: 600_000,
  async run({ payload, scene }, { exec }) {
    if (payload.active) return undefined; // it went on because of us; a person decides what comes next
    const manifest = await readFile(join(scene.cwd, 'package.json'), 'utf8').catch(() => '{}');
    const { scripts = {} } = JSON.parse(manifest) as { scripts?: Record<string, string> };
    if (scripts['test'] === undefined) return undefined;
    const { code, stdout, stderr } = await exec('npm', ['test', '--silent']);
    return code === 0 ? undefined : resume(`The tests fail:\n${`${stdout}${stderr}`.slice(-2000)}`);
  },
});
