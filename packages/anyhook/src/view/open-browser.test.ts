import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeTree } from '../settings/remove-tree.ts';
import { until } from './fixtures/ground.ts';
import { openBrowser } from './open-browser.ts';

const ADDRESS = 'http://127.0.0.1:1/#the-token';

test.runIf(process.platform === 'linux')(
  'the browser opens the page through a private file, so the token is in no command line',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'anyhook-opener-'));
    onTestFinished(() => removeTree(folder));
    const opener = join(folder, 'xdg-open');
    writeFileSync(
      opener,
      `#!/bin/sh\necho "$*" > ${folder}/words.part && mv ${folder}/words.part ${folder}/words\n`,
    );
    chmodSync(opener, 0o755);
    const opened = openBrowser(ADDRESS, { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0' });
    await until(
      async () => existsSync(join(folder, 'words')),
      (isThere) => isThere,
    );
    const words = readFileSync(join(folder, 'words'), 'utf8').trim();
    expect(words).toMatch(/\/open\.html$/);
    expect(readFileSync(words, 'utf8')).toContain(ADDRESS);
    expect(statSync(words).mode & 0o077).toBe(0);
    opened?.forget();
    expect(existsSync(words)).toBe(false);
  },
);

test.runIf(process.platform === 'linux')('without a display nothing is opened and nothing is written', () => {
  expect(openBrowser(ADDRESS, { PATH: process.env['PATH'] })).toBeUndefined();
});
