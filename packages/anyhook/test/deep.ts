/**
 * Tests that cost seconds of processor and are one of several of their kind: shown as skipped in `npm test`, run by
 * `npm run test:deep`. Their files are named in `vitest.config.ts`, under SAMPLED.
 */
import { test } from 'vitest';

export const isSample = process.env['ANYHOOK_SAMPLE'] === '1';
export const deepTest = isSample ? test.skip : test;
