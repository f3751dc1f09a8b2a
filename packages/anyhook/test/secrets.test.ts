/** The corpus of secrets by redaction alone; `guards/secrets.test.ts` looks at what the journal and `texts/` hold. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../src/journal/redact.ts';
import { HARMLESS, leaks, PLANTED } from './corpus/secrets/secrets.ts';

const redactor = createRedactor();

describe('secrets in running text', () => {
  test('of those that were planted none is left', () => {
    const left = PLANTED.filter((one) => leaks(redactor.text(one.text).text, one));
    expect(left.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
    expect(PLANTED.length).toBeGreaterThanOrEqual(200);
  });

  test('without redaction every one of them would be', () => {
    expect(PLANTED.filter((one) => !leaks(one.text, one))).toEqual([]);
  });

  test('what only looks like one stays as it is', () => {
    const touched = HARMLESS.filter((text) => redactor.text(text).text !== text);
    expect(touched.length / HARMLESS.length, touched.join('\n')).toBeLessThanOrEqual(0.01);
    expect(HARMLESS.length).toBeGreaterThanOrEqual(200);
  });
});
