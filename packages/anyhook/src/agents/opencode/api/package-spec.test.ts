import { expect, test } from 'vitest';
import { packageSpec } from './resolve-plugin.ts';

test.each([
  ['acme', { name: 'acme', version: 'latest' }],
  ['acme@1.2.3', { name: 'acme', version: '1.2.3' }],
  ['acme@^1', { name: 'acme', version: '^1' }],
  ['acme@latest', { name: 'acme', version: 'latest' }],
  ['acme@', { name: 'acme', version: 'latest' }],
  ['@scope/acme', { name: '@scope/acme', version: 'latest' }],
  ['@scope/acme@2', { name: '@scope/acme', version: '2' }],
  ['acme@npm:@other/real@1.0.0', { name: 'acme', version: 'npm:@other/real@1.0.0' }],
  ['npm:@other/real@1.0.0', { name: '@other/real', version: '1.0.0' }],
  ['acme@git+https://example.com/a.git#v1', { name: 'acme', version: 'git+https://example.com/a.git#v1' }],
  [
    '@scope/acme@git+ssh://git@example.com/a.git',
    { name: '@scope/acme', version: 'git+ssh://git@example.com/a.git' },
  ],
  ['git+https://example.com/a.git', undefined],
  ['github:owner/repo', undefined],
  ['owner/repo', undefined],
  ['https://example.com/a.tgz', undefined],
  ['@scope', undefined],
  ['../escape', undefined],
  ['..', undefined],
  ['', undefined],
])('%j is read as %j', (spec, expected) => {
  expect(packageSpec(spec)).toEqual(expected);
});
