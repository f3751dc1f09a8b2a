/** Writes the corpus of secrets through the real journal and `texts/`, checks the bytes on disk and prints counts. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hookFor } from '../../src/agents/claude-code/dialect/fixtures/hook-for.ts';
import { claudeCode } from '../../src/agents/claude-code/dialect/index.ts';
import { type Ruling, silentOutcome } from '../../src/events/outcome.ts';
import { fire } from '../../src/journal/fixtures/fire.ts';
import { createRedactor, makeRecord, openJournal } from '../../src/journal/index.ts';
import { KEPT_PATTERNS } from '../../src/journal/secret-patterns.ts';
import { makeShorten } from '../../src/library/long-texts.ts';
import { HARMLESS, leaks, PLANTED } from '../corpus/secrets/secrets.ts';
import { figure } from './figures.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Text of a tool, a hook and a model in a record. */
function recordOf(text: string) {
  const { event, ...rest } = fire();
  const answer = {
    effects: [
      { kind: 'deny', reason: text },
      { kind: 'set', at: ['input', 'command'], to: text },
    ] as const,
    failed: { kind: 'failed', detail: text } as const,
    printed: text,
  };
  return makeRecord({
    ...rest,
    event: { ...event, payload: { tool: 'shell', input: { command: text, args: [text] } } } as never,
    outcome: {
      ...rest.outcome,
      reasons: [{ by: 'guard', text }],
      said: [{ by: 'guard', to: 'model', text }],
      runs: [{ hook: 'guard', round: 1, ms: 1, answer }],
    },
  });
}

function written(name: string, texts: readonly string[]): string[] {
  const journal = openJournal({ folder: root, heads: join(root, 'heads'), session: name, env: {} });
  for (const text of texts) journal.write(recordOf(text));
  journal.close();
  return readFileSync(journal.file, 'utf8').trim().split('\n');
}

describe('secrets', () => {
  test('no planted secret is in the journal or in texts/, and harmless text is kept', () => {
    const lines = written(
      'planted',
      PLANTED.map(({ text }) => text),
    );
    const leaked = PLANTED.filter((one, at) => leaks(lines[at]!, one));

    const texts = join(root, 'texts');
    const hook = { ...hookFor('SessionStart'), id: 'h' };
    const shorten = makeShorten([hook], [claudeCode], texts, {});
    const long = (text: string): Ruling => ({
      ...silentOutcome({ name: 'session.start', payload: {} }),
      said: [{ by: 'h', to: 'model', text: `${'word '.repeat(2_100)}\n${text}\n` }],
    });
    for (const { text } of PLANTED) shorten(long(text));
    const files = readdirSync(texts).map((file) => readFileSync(join(texts, file), 'utf8'));
    const kept = PLANTED.filter((one) => files.some((text) => leaks(text, one)));

    const records = written('harmless', HARMLESS);
    const redacted = HARMLESS.filter((_, at) => records[at]!.includes('[redacted:'));

    figure('secrets', 'leaked into the journal, of those planted', leaked.length, PLANTED.length);
    figure('secrets', 'leaked into texts/, of those planted', kept.length, PLANTED.length);
    figure('secrets', 'harmless texts redacted', redacted.length, HARMLESS.length);
    expect([leaked, kept]).toEqual([[], []]);
    expect(redacted.length / HARMLESS.length, redacted.join('\n')).toBeLessThanOrEqual(0.01);
  });

  test('secretlint finds nothing in redacted text and finds the secrets before', async () => {
    const { text } = createRedactor();
    const found = async (content: string) => {
      const said: string[] = [];
      for (const rule of rules) {
        const context = {
          createTranslator: () => () => ({}),
          report: () => void said.push(rule.meta.id),
          ignore: () => {},
          sharedOptions: {},
        };
        const { file } = rule.create(context as never, { allows: [] } as never);
        await file?.({ content, filePath: 'text', ext: '', contentType: 'text' } as never);
      }
      return said.filter((id) => !id.includes('filter-comments'));
    };
    let before = 0;
    const after: string[] = [];
    for (const one of PLANTED) {
      if ((await found(one.text)).length > 0) before++;
      const clean = text(one.text).text.replaceAll(/\[redacted:[^\]]*\]/g, '');
      after.push(...(await found(clean)).map((id) => `${id}: ${one.text}`));
    }
    expect(before).toBeGreaterThan(40);
    expect(after).toEqual([]);
  });

  test.each(KEPT_PATTERNS.map(([label, literals]) => [label, literals] as const))(
    'a text made to be slow for the pattern of %s (%s) is not',
    (_, literals) => {
      const redactor = createRedactor();
      const began = performance.now();
      for (const literal of literals.split(' '))
        for (const tail of ['', 'a', 'aA1-', '1'.repeat(40), 'ey'])
          redactor.text(`${literal}${tail}`.repeat(Math.ceil(1e5 / (literal.length + tail.length))));
      expect(performance.now() - began).toBeLessThan(20_000);
    },
  );
});
