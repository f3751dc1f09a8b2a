import { expect, test } from 'vitest';
import type { Happening } from '../front/happening.ts';
import { sdkWarnings } from './sdk-warnings.ts';

test('a warning of the model library is reported once and not written to stdout', () => {
  const seen: Happening[] = [];
  const warn = sdkWarnings((happening) => seen.push(happening));
  const about = { provider: 'acme', model: 'm' };
  for (let n = 0; n < 2; n++)
    warn({
      ...about,
      warnings: [
        { type: 'unsupported', feature: 'topK', details: 'it has none' },
        { type: 'other', message: 'slow today' },
      ],
    });
  expect(seen).toEqual([
    { kind: 'notice', level: 'info', text: 'm: topK: it has none' },
    { kind: 'notice', level: 'info', text: 'm: slow today' },
  ]);
});
