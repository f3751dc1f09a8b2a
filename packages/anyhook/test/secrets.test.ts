/** Checks redaction on the corpus of secrets. `guards/secrets.test.ts` checks the journal and `texts/`. */

import { describe, expect, test } from 'vitest';
import { createRedactor } from '../src/journal/redact.ts';
import { HARMLESS, leaks, PLANTED } from './corpus/secrets/secrets.ts';

const redactor = createRedactor();

describe('secrets in running text', () => {
  test('redaction removes every planted secret from running text', () => {
    const left = PLANTED.filter((one) => leaks(redactor.text(one.text).text, one));
    expect(left.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
    expect(PLANTED.length).toBeGreaterThanOrEqual(200);
  });

  test('control: without redaction every planted secret leaks', () => {
    expect(PLANTED.filter((one) => !leaks(one.text, one))).toEqual([]);
  });

  test('redaction keeps text that only looks like a secret', () => {
    const touched = HARMLESS.filter((text) => redactor.text(text).text !== text);
    expect(touched.length / HARMLESS.length, touched.join('\n')).toBeLessThanOrEqual(0.01);
    expect(HARMLESS.length).toBeGreaterThanOrEqual(200);
  });
});
