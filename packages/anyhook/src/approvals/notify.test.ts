import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeNotify } from './notify.ts';
import type { Question } from './question.ts';

const QUESTION = {
  agent: 'codex',
  tool: 'shell',
  call: '{"command":"echo <b>$(id)</b> \u202e --urgency=low"}',
  project: '/p',
  reasons: [{ by: 'h', hook: 'h', text: 'a & b', isManaged: false }],
} as unknown as Question;

test.skipIf(process.platform !== 'linux')(
  'notify-send gets a hostile call as text, not as options or markup',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'anyhook-notify-'));
    const program = join(folder, 'notify-send');
    writeFileSync(program, `#!/bin/sh\nfor word in "$@"; do printf '%s\\0' "$word"; done > ${folder}/args\n`);
    chmodSync(program, 0o755);
    const notify = makeNotify(['desktop'], { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' });
    expect(await notify(QUESTION)).toEqual({ sent: 1, failed: [] });
    const words = readFileSync(join(folder, 'args'), 'utf8').split('\0').slice(0, -1);
    expect(words.slice(0, 4)).toEqual([
      '--app-name=anyhook',
      '--urgency=critical',
      '--',
      'codex asks: shell',
    ]);
    expect(words).toHaveLength(5);
    expect(words[4]).toContain('echo &lt;b&gt;$(id)&lt;/b&gt; \\u202e --urgency=low');
    expect(words[4]).toContain('a &amp; b');
    rmSync(folder, { recursive: true, force: true });
  },
);

test.skipIf(process.platform !== 'linux')(
  'without a display or a program nothing is sent and nothing fails',
  async () => {
    for (const env of [{ PATH: '/usr/bin:/bin' }, { PATH: '/nowhere', DISPLAY: ':0' }])
      expect(await makeNotify(['desktop'], env)(QUESTION)).toEqual({ sent: 0, failed: [] });
  },
);
