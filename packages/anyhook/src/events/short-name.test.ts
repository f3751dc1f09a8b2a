import { expect, test } from 'vitest';
import { shortName } from './short-name.ts';

test.each([
  ['/home/a/.config/opencode/plugins/env-protection.ts', 'env-protection.ts'],
  ['/home/a/.config/anyhook/added/calm/src/index.ts', 'calm/src/index.ts'],
  ['/home/a/.omp/hooks/pre/index.ts', 'pre/index.ts'],
  ['C:\\hooks\\guard.mjs', 'guard.mjs'],
  ['index.ts', 'index.ts'],
])('%s is known as %s', (file, name) => expect(shortName(file)).toBe(name));
