import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endPause, LONGEST_PAUSE_MS, readPause, watchPause, writePause } from './pause.ts';

const root = mkdtempSync(join(tmpdir(), 'anyhook-pause-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const file = join(root, 'config', 'paused.json');

describe('a pause', () => {
  test('a pause is read while it lasts and expires by itself', () => {
    writePause(file, { sinceMs: 1000, untilMs: 5000 });
    expect(readPause(file, 2000)).toEqual({ sinceMs: 1000, untilMs: 5000 });
    expect(readPause(file, 5000)).toBeUndefined();
  });

  test('a pause ends when it is removed', () => {
    writePause(file, { sinceMs: 1000, untilMs: 5000 });
    endPause(file);
    expect(readPause(file, 2000)).toBeUndefined();
    expect(() => endPause(file)).not.toThrow();
  });

  test('a pause that is damaged, endless, in the future or writable by others does not count', () => {
    for (const text of ['', '{', '{}', '{"sinceMs":0,"untilMs":1e400}', '{"sinceMs":"0","untilMs":"9e9"}']) {
      writeFileSync(file, text, { mode: 0o600 });
      expect(readPause(file, 2000)).toBeUndefined();
    }
    writePause(file, { sinceMs: 1000, untilMs: 1001 + LONGEST_PAUSE_MS });
    expect(readPause(file, 2000)).toBeUndefined();
    writePause(file, { sinceMs: 3000, untilMs: 5000 });
    expect(readPause(file, 2000)).toBeUndefined();
    writePause(file, { sinceMs: 1000, untilMs: 5000 });
    chmodSync(file, 0o666);
    expect([readFileSync(file, 'utf8').length > 0, readPause(file, 2000)]).toEqual([true, undefined]);
  });

  test('a running program notices the start and the end of a pause', async () => {
    endPause(file);
    const isPaused = watchPause(file, 0);
    expect(isPaused()).toBe(false);
    writePause(file, { sinceMs: Date.now() - 1, untilMs: Date.now() + 60_000 });
    await expect.poll(isPaused, { timeout: 5000 }).toBe(true);
    endPause(file);
    await expect.poll(isPaused, { timeout: 5000 }).toBe(false);
  });
});
