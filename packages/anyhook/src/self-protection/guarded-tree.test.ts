import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GuardedTree } from './guarded-tree.ts';

const tree = new GuardedTree({
  folders: ['/home/me/.config/anyhook', '/home/me/project/.anyhook'],
  files: ['/home/me/.claude/settings.json', '/home/me/project/guard.sh'],
  code: ['/home/me/project/node_modules/anyhook'],
});

describe('GuardedTree', () => {
  test.each([
    ['/home/me/.config/anyhook', 'inside'],
    ['/home/me/.config/anyhook/trust/x.json', 'inside'],
    ['/home/me/.CONFIG/AnyHook/hooks.json', 'inside'],
    ['/home/me/.claude/settings.json', 'inside'],
    ['/home/me/.claude/settings.json/x', undefined],
    ['/home/me/project/node_modules/anyhook/dist/index.js', 'inside'],
    ['/home/me/project/node_modules', undefined],
    ['/home/me/project', 'above'],
    ['/', 'above'],
    ['/home/you', undefined],
  ])('%s is %s', (path, expected) => {
    expect(tree.touch(path)).toBe(expected);
  });

  test.each([
    ['/home/*/.claude/settings.json', 'inside'],
    ['/home/me/project/*', 'inside'],
    ['/home/me/project/.any*', 'inside'],
    ['/home/me/project/*hook', undefined],
    ['/home/me/*', 'above'],
    ['/home/me/project/node_modules/*', undefined],
    ['/home/me/project/node_modules/any*', 'inside'],
    ['/home/me/project/node_modules/*/dist/*', 'inside'],
    ['/srv/*', undefined],
  ])('the pattern %s is %s', (pattern, expected) => {
    expect(tree.touchPattern(pattern, { dotglob: false })).toBe(expected);
  });

  test('a leading star matches a leading dot only with dotglob', () => {
    const pattern = '/home/me/project/*hook';
    expect(tree.touchPattern(pattern, { dotglob: true })).toBe('inside');
  });

  test('lists the guarded paths below folders, folders first, without our own program', () => {
    expect(tree.below('/home/me/project', '/home/me/.config')).toEqual([
      '/home/me/.config/anyhook',
      '/home/me/project/.anyhook',
      '/home/me/project/guard.sh',
    ]);
  });

  test('finds the same as a comparison with every guarded path', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
      .map((names) => `/${names.join('/')}`);
    const paths = fc.array(path, { maxLength: 4 });
    fc.assert(
      fc.property(fc.record({ folders: paths, files: paths, code: paths }), path, (guarded, asked) => {
        const isIn = (folder: string) => `${asked}/`.startsWith(`${folder}/`);
        const isAbove = (found: string) => found.startsWith(`${asked}/`);
        const { folders, files, code } = guarded;
        const expected =
          [...folders, ...code].some(isIn) || files.includes(asked)
            ? 'inside'
            : [...folders, ...files].some(isAbove)
              ? 'above'
              : undefined;
        const guardedTree = new GuardedTree(guarded);
        expect(guardedTree.touch(asked)).toBe(expected);
        expect(guardedTree.touchPattern(asked, { dotglob: false })).toBe(expected);
        expect(new Set(guardedTree.below(asked))).toEqual(new Set([...folders, ...files].filter(isAbove)));
      }),
    );
  });
});
