/**
 * Slow tests that resemble other tests. `npm test` skips them and `npm run test:deep` runs them. SAMPLED in
 * `vitest.config.ts` lists their files.
 */

import { test } from 'vitest';

export const isSample = process.env['ANYHOOK_SAMPLE'] === '1';
export const deepTest = isSample ? test.skip : test;
