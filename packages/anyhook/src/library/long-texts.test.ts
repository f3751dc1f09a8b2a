import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { anyhook } from '../agents/anyhook/dialect/index.ts';
import { hookFor } from '../agents/claude-code/dialect/fixtures/hook-for.ts';
import { claudeCode } from '../agents/claude-code/dialect/index.ts';
import { type Ruling, silentOutcome } from '../events/outcome.ts';
import { makeShorten } from './long-texts.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function ground() {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-texts-'));
  folders.push(root);
  const hooks = [
    { ...hookFor('SessionStart'), id: 'theirs' },
    { ...hookFor('SessionStart'), id: 'ours', dialect: 'anyhook' },
  ];
  return { root, shorten: makeShorten(hooks, [claudeCode, anyhook], join(root, 'texts'), {}) };
}
const saying = (by: string, text: string): Ruling => ({
  ...silentOutcome({ name: 'session.start', payload: {} }),
  said: [{ by, to: 'model', text }],
});
const textIn = ({ said }: Ruling) => said[0]!.text;

describe('a long text', () => {
  test('a long text continues as a preview, and a file that only its owner can read has the full text', () => {
    const { root, shorten } = ground();
    const text = `${'a'.repeat(20_000)}end`;
    const short = textIn(shorten(saying('theirs', text)));
    const file = /is in (.*)\)$/.exec(short)![1]!;
    expect(short.length).toBeLessThan(1500);
    expect(short).toMatch(/^a{1000}\n… \(20003 characters in all/);
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([text, 0o600]);
    shorten(saying('theirs', text));
    expect(readdirSync(join(root, 'texts'))).toHaveLength(1);
  });

  test('a long text is stored without its secrets', () => {
    const { shorten } = ground();
    const short = textIn(shorten(saying('theirs', `${'a '.repeat(6_000)}\nSMTP_PASS=hunter2Hunter2\n`)));
    const file = /without secrets, is in (.*)\)$/.exec(short)![1]!;
    expect(readFileSync(file, 'utf8')).toMatch(/\nSMTP_PASS=\[redacted:smtp_pass\]\n$/);
  });

  test('a text of exactly ten thousand characters is kept and nothing is written', () => {
    const { root, shorten } = ground();
    const outcome = saying('theirs', 'a'.repeat(10_000));
    expect(shorten(outcome)).toBe(outcome);
    expect(textIn(shorten(saying('theirs', 'a'.repeat(10_001)))).length).toBeLessThan(2000);
    expect(existsSync(join(root, 'texts'))).toBe(true);
  });

  test('a text of the host, or of a dialect without a limit, is kept', () => {
    const { root, shorten } = ground();
    for (const by of ['ours', 'host'])
      expect(textIn(shorten(saying(by, 'a'.repeat(50_000))))).toHaveLength(50_000);
    expect(existsSync(join(root, 'texts'))).toBe(false);
  });

  test('a preview does not cut a character in half', () => {
    const { shorten } = ground();
    expect(textIn(shorten(saying('theirs', `a${'😀'.repeat(10_000)}`)))).toMatch(/^a(?:😀)+\n…/u);
  });

  test('a long text that cannot be stored is still cut, and the loss is reported', () => {
    const { root, shorten } = ground();
    writeFileSync(join(root, 'texts'), 'a file in the way');
    const outcome = shorten(saying('theirs', 'a'.repeat(20_000)));
    expect(textIn(outcome)).toMatch(/cut here, of 20000 characters/);
    expect(outcome.lost).toEqual([expect.stringMatching(/the rest of a long text from theirs/)]);
  });
});
