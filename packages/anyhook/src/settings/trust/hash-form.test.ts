/**
 * The exact bytes that are hashed. Records of earlier versions are valid only as long as they stay the same.
 */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TrustEntry } from './entry.ts';
import { canonicalEntry, isHash, joined, sha256, trustHash } from './hash.ts';

const hex = (text: string) => createHash('sha256').update(text).digest('hex');
const file = (name: string, executable: boolean) => ({ name, executable, sha256: `hash of ${name}` });
const entry = (fields: Readonly<Record<string, unknown>>): TrustEntry => ({
  file: 's.json',
  fields,
  named: { kind: 'text' },
});
const bound = (fields: Readonly<Record<string, unknown>>, root = '/p') =>
  JSON.parse(canonicalEntry(entry(fields), root)) as unknown;

describe('what is hashed', () => {
  test('prefixes every part with its length in bytes', () => {
    expect([joined([]), joined(['', 'ab', 'ü'])].map(String)).toEqual(['', '0:2:ab2:ü']);
    expect(sha256('ab')).toBe(hex('ab'));
  });

  test('hashes the entry, the files by name, the links by name, and folders if there are any', () => {
    const files = [file('b', true), file('a', false)];
    const links = [
      { name: 'm', target: 'b' },
      { name: 'l', target: 'a' },
    ];
    const parts = '15:anyhook trust 15:entry1:21:a1:-9:hash of a1:b1:x9:hash of b1:21:l1:a1:m1:b';
    expect([
      trustHash({ entry: 'entry', files, links }),
      trustHash({ entry: 'entry', files, links, folders: [] }),
      trustHash({ entry: 'entry', files, links, folders: ['z', 'y'] }),
      trustHash({ entry: 'entry', files: [], links: [] }),
    ]).toEqual([
      `sha256:${hex(parts)}`,
      `sha256:${hex(parts)}`,
      `sha256:${hex(`${parts}7:folders1:y1:z`)}`,
      `sha256:${hex('15:anyhook trust 15:entry1:01:0')}`,
    ]);
  });

  test('does not depend on the order of files, links and folders', () => {
    const names = ['a', 'b', 'c'];
    const hashOf = (order: readonly string[]) =>
      trustHash({
        entry: '',
        files: order.map((name) => file(name, false)),
        links: order.map((name) => ({ name, target: 'x' })),
        folders: order,
      });
    const orders = [
      names,
      ['a', 'c', 'b'],
      ['b', 'a', 'c'],
      ['b', 'c', 'a'],
      ['c', 'a', 'b'],
      ['c', 'b', 'a'],
    ];
    expect(new Set(orders.map(hashOf)).size).toBe(1);
  });

  test('isHash accepts only the complete form of a hash', () => {
    const { hash } = { hash: trustHash({ entry: '', files: [], links: [] }) };
    expect([hash, `x${hash}`, `${hash}0`, hash.slice(0, -1)].map(isHash)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('an entry as text', () => {
  test('serialises an entry as its kind and its fields, as pairs sorted by key at every depth', () => {
    expect(bound({ on: 'Stop', dialect: 'x', set: { b: 1, a: null, c: true } })).toEqual({
      fields: [
        ['dialect', 'x'],
        ['kind', 'text'],
        ['on', 'Stop'],
        [
          'set',
          {
            fields: [
              ['a', null],
              ['b', 1],
              ['c', true],
            ],
          },
        ],
      ],
    });
  });

  test('represents numbers that JSON lacks and holes in lists, and omits undefined keys', () => {
    expect(bound({ a: [Infinity, Number.NaN, undefined, 'x', [false]], b: undefined })).toEqual({
      fields: [
        ['a', [{ number: 'Infinity' }, { number: 'NaN' }, null, 'x', [false]]],
        ['kind', 'text'],
      ],
    });
  });

  test('rejects values that are not data and names their type', () => {
    expect(() => bound({ a: 1n })).toThrow(new TypeError('a bigint has no content to trust'));
  });

  test('replaces the project path in texts and keys if the path ends there', () => {
    const texts = ['/p', '/p/x:/p/y', 'a /p b', '/p2/x', '/p.d', '/p-d', '/p_d', '/q', '\0'];
    expect(bound({ '/p/k': texts })).toEqual({
      fields: [
        [
          '\0project/k',
          ['\0project', '\0project/x:\0project/y', 'a \0project b', ...texts.slice(3, 8), '\0\0'],
        ],
        ['kind', 'text'],
      ],
    });
  });

  test('replaces nothing without a project, or if the project is the root', () => {
    for (const root of ['', '/'])
      expect(bound({ a: '/x/y' }, root)).toEqual({
        fields: [
          ['a', '/x/y'],
          ['kind', 'text'],
        ],
      });
  });
});
