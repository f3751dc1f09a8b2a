import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deny } from '../events/effects.ts';
import { exportView } from './export.ts';
import { viewGround, write } from './fixtures/ground.ts';
import type { ExportedView } from './wire.ts';

const dataIn = (html: string): ExportedView =>
  JSON.parse(
    /<script type="application\/json" id="exported">(.*?)<\/script>/s.exec(html)![1]!,
  ) as ExportedView;

/** Text that could close or open an element, leave an attribute or a comment, or reverse the text direction. */
const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<!--<script>',
  ']]><svg/onload=alert(1)>',
  '"\'`${alert(1)}&lt;b&gt;',
  'javascript:alert(1)',
  '\u2028\u2029\u202ekcab\u0000\u001b[31m',
];
const refusing = (text: string) => ({
  verdict: 'deny' as const,
  reasons: [{ by: 'guard', text }],
  runs: [{ hook: 'guard', round: 1 as const, ms: 1, answer: { effects: [deny(text)], printed: text } }],
});

describe('an export', () => {
  test('an export is one file without requests: its policy allows exactly its own script and style', async () => {
    const ground = viewGround();
    write(ground.open('s'), 'ls', refusing('no'));
    const { html, fires, leftOut } = await exportView({ session: 's' }, ground);
    expect([fires, leftOut]).toEqual([1, 0]);
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
    );
    expect(html).not.toMatch(/<(?:link|img|iframe|script src)/);
  });

  test('an export contains hostile text as data and never as HTML', async () => {
    const ground = viewGround();
    const journal = ground.open('s');
    for (const text of HOSTILE) write(journal, text, refusing(text));
    const { html } = await exportView({ session: 's' }, ground);
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual(['<script type="application/json" id="exported">', '<script>']);
    const inside = /id="exported">(.*?)<\/script>/s.exec(html)![1]!;
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(inside).not.toMatch(/[<>&\u2028\u2029\u202e\u0000-\u001f]/);
    expect(dataIn(html).parts[0]?.entries).toHaveLength(HOSTILE.length);
    expect(JSON.stringify(dataIn(html))).toContain('onerror=alert(1)'); // shown, not dropped
  });

  test('an export is redacted with the secrets known here, and does not contain the home folder', async () => {
    const ground = viewGround();
    const value = 'correct-horse-battery';
    write(ground.open('s'), `use ${value} in ${ground.home}/notes`, refusing('no'));
    const env = { ...ground.env, DEPLOY_PASSWORD: value };
    const { html, redacted } = await exportView({ session: 's' }, { ...ground, env });
    expect(html).not.toContain(value);
    expect(html).not.toContain(ground.home);
    expect(redacted).toBeGreaterThan(0);
    expect((await exportView({ session: 's' }, ground)).html).toContain(value); // not a known secret
  });

  test('an export of a day has its sessions; an unknown day or session is an error', async () => {
    const ground = viewGround();
    write(ground.open('a'), 'one');
    write(ground.open('b'), 'two');
    const today = new Date().toLocaleDateString('sv');
    const { html, fires } = await exportView({ day: today }, ground);
    expect(fires).toBe(2);
    expect(
      dataIn(html)
        .state.sessions.map(({ key }) => key)
        .toSorted(),
    ).toEqual(['a', 'b']);
    await expect(exportView({ day: '2001-01-01' }, ground)).rejects.toThrow(
      'nothing was recorded on 2001-01-01',
    );
    await expect(exportView({ session: 'c' }, ground)).rejects.toThrow('no session "c" was recorded');
  });
});
