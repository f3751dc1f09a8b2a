/**
 * Probes a real agent under an unknown name, given only that its hooks look like Claude Code's. The result must match
 * the record of that agent.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { gradeOf } from '../../src/agents/capabilities.ts';
import { AGENTS } from '../../src/agents/index.ts';
import { CELLS } from '../../src/agents/shared/cells.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { PACKAGE } from './package-under-test.ts';
import { CHOSEN, installed, node22 } from './packages.ts';

test.runIf(CHOSEN.includes('qwen-code'))(
  'Qwen Code, as a custom agent that is like Claude Code',
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'stranger-')));
    try {
      for (const folder of ['home', 'project']) mkdirSync(join(root, folder));
      const anyhook = (...words: string[]) =>
        spawnSync(process.execPath, [join(PACKAGE, 'dist/bin/anyhook.cjs'), ...words], {
          cwd: join(root, 'project'),
          env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: join(root, 'home') },
          encoding: 'utf8',
        });
      const keys = 'OPENAI_API_KEY=sk-dummy OPENAI_BASE_URL="$MODEL_URL/v1" OPENAI_MODEL=fake-model';
      const start = `${keys} '${node22()}' '${await installed('qwen-code')}' -p "$PROMPT" --yolo --auth-type openai`;
      anyhook(
        'install',
        'strange',
        '--like',
        'claude-code',
        '--into',
        '~/.qwen/settings.json',
        '--start',
        start,
      );
      const { stdout, stderr } = anyhook('doctor', '--probe', 'strange', '--json');
      const { probe } = JSON.parse(stdout || '{}') as { probe: object[] };
      const record = CELLS.map((cell) => [cell, gradeOf(AGENTS['qwen-code'], cell) === 'full']);
      expect(probe, stderr).toEqual([
        expect.objectContaining({
          agent: 'strange',
          verdict: 'enforced',
          measured: Object.fromEntries(record),
        }),
      ]);
    } finally {
      removeTree(root);
    }
  },
);
