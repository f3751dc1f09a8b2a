import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cover, hash, projectWith, scratch } from './fixtures/scratch.ts';
import { locate, openProject } from './project.ts';

/**
 * One script under every possible spelling of its path. Each must lead to the same bytes or be reported as
 * outside.
 */
function ground() {
  const project = projectWith({ 'hooks/g.sh*': ':\n', 'hooks/deep/x.txt': '', 'sub/x.txt': '' });
  const { root } = project;
  const up = dirname(root);
  mkdirSync(join(up, 'out'));
  writeFileSync(join(up, 'out/g.sh'), 'outside');
  mkdirSync(join(up, `${basename(root)}-twin/hooks`), { recursive: true });
  writeFileSync(join(up, `${basename(root)}-twin/hooks/g.sh`), 'twin');
  const link = (name: string, target: string) => symlinkSync(target, join(root, name));
  symlinkSync(root, join(up, 'alias'));
  symlinkSync(up, join(up, 'up-alias'));
  link('hk', 'hooks');
  link('hk2', 'hk');
  link('abs', join(root, 'hooks'));
  link('g-link.sh', 'hooks/g.sh');
  link('g-abs.sh', join(root, 'hooks/g.sh'));
  link('round.sh', `../${basename(root)}/hooks/g.sh`);
  link('out-file.sh', '../out/g.sh');
  link('out-dir', '../out');
  link('out-abs.sh', join(up, 'out/g.sh'));
  link('out-twice.sh', 'out-file.sh');
  link('self', '.');
  link('parent', '..');
  link('dangling.sh', 'nowhere');
  link('loop.sh', 'loop.sh');
  linkSync(join(up, 'out/g.sh'), join(root, 'hard.sh'));
  return { project, root, up, name: basename(root) };
}

type Kind = 'inside' | 'outside' | 'missing' | 'unclear';
const ALIASES: [spelled: string, kind: Kind][] = [
  ['<R>/hooks/g.sh', 'inside'],
  ['<R>/./hooks/./g.sh', 'inside'],
  ['<R>//hooks///g.sh', 'inside'],
  ['<R>/hooks/../hooks/g.sh', 'inside'],
  ['<R>/hooks/deep/../g.sh', 'inside'],
  ['<R>/sub/../hooks/g.sh', 'inside'],
  ['<R>/../<N>/hooks/g.sh', 'inside'],
  ['<R>/sub/../../<N>/hooks/g.sh', 'inside'],
  ['<U>/alias/hooks/g.sh', 'inside'],
  ['<U>/alias/hk/g.sh', 'inside'],
  ['<U>/up-alias/<N>/hooks/g.sh', 'inside'],
  ['<U>/up-alias/alias/hooks/g.sh', 'inside'],
  ['<U>/alias/../alias/hooks/g.sh', 'inside'],
  ['<R>/hk/g.sh', 'inside'],
  ['<R>/hk2/g.sh', 'inside'],
  ['<R>/abs/g.sh', 'inside'],
  ['<R>/hk/deep/../g.sh', 'inside'],
  ['<R>/hk/../hooks/g.sh', 'inside'],
  ['<R>/g-link.sh', 'inside'],
  ['<R>/g-abs.sh', 'inside'],
  ['<R>/round.sh', 'inside'],
  ['<R>/self/hooks/g.sh', 'inside'],
  ['<R>/self/self/hk/g.sh', 'inside'],
  ['/proc/self/root<R>/hooks/g.sh', 'inside'],
  ['<R>/out-file.sh', 'outside'],
  ['<R>/out-abs.sh', 'outside'],
  ['<R>/out-twice.sh', 'outside'],
  ['<R>/out-dir/g.sh', 'outside'],
  ['<R>/parent/out/g.sh', 'outside'],
  ['<R>/parent/<N>/hooks/g.sh', 'outside'], // leaves through a link of the project, even if it comes back
  ['<R>/hk/../../out/g.sh', 'outside'],
  ['<R>/../out/g.sh', 'outside'],
  ['<U>/<N>-twin/hooks/g.sh', 'outside'],
  ['/etc/passwd', 'outside'],
  ['<R>/dangling.sh', 'missing'],
  ['<R>/hooks/g.sh/', 'inside'],
  ['<R>/hooks/g.sh/x', 'missing'],
  ['<R>/hooks/G.SH', 'missing'],
  ['<R>/hooks/g.sh\u0301', 'missing'],
  ['<R>/ hooks/g.sh', 'missing'],
  ['<R>/loop.sh', 'unclear'],
  [`<R>/${'x'.repeat(300)}`, 'missing'],
];

describe('a path, however it is spelled', () => {
  test(`${ALIASES.length} spellings lead to the same file, or are outside or missing`, () => {
    const g = ground();
    const spell = (text: string) =>
      text.replaceAll('<R>', g.root).replaceAll('<U>', g.up).replaceAll('<N>', g.name);
    const result = ALIASES.map(([spelled]) => {
      const found = locate(g.project, spell(spelled));
      if (found.kind === 'file')
        return [spelled, found.name === 'hooks/g.sh' ? 'inside' : `inside as ${found.name}`];
      return [spelled, found.kind];
    });
    expect(result).toEqual(ALIASES);
  });

  test('a located path keeps its links, and only links of the project', () => {
    const g = ground();
    const at = (path: string) => {
      const found = locate(g.project, path);
      return found.kind === 'file' ? [found.spelled, found.links] : found.kind;
    };
    expect(at(`${g.up}/alias/hk2/g.sh`)).toEqual(['hk2/g.sh', [{ name: 'hk2', target: 'hooks' }]]);
    expect(at(`${g.root}/hk/../g-link.sh`)).toEqual([
      'g-link.sh',
      [
        { name: 'hk', target: 'hooks' },
        { name: 'g-link.sh', target: 'hooks/g.sh' },
      ],
    ]);
  });

  test('the bytes of a hard link are bound like any other', () => {
    const g = ground();
    const before = hash(cover(g.project, 'sh hard.sh'));
    writeFileSync(join(g.up, 'out/g.sh'), 'changed outside');
    expect(hash(cover(g.project, 'sh hard.sh'))).not.toBe(before);
  });

  test('an alias of the project is the same project', () => {
    const g = ground();
    expect(openProject(join(g.up, 'alias'))).toEqual(g.project);
    expect(openProject(join(g.root, 'self', 'self'))).toEqual(g.project);
    expect(openProject(join(scratch(), 'none')).obstacle).toBeTypeOf('string');
  });
});
