import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { discoverAndLoadHooks } from './discover-and-load.ts';
import { discoverHooks } from './discover.ts';
import { scratch } from './fixtures/scratch.ts';

let ground: ReturnType<typeof scratch>;
beforeEach(() => void (ground = scratch()));
afterEach(() => ground.remove());
const home = () => join(ground.root, 'home');
const cwd = () => join(ground.root, 'project');
const HOOK = 'export default (pi) => pi.on("tool_call", () => {});';
const put = (...paths: string[]) => paths.map((path) => ground.write(path, HOOK));
const shown = (paths: readonly { path: string }[]) => paths.map(({ path }) => relative(ground.root, path));

describe('discovery', () => {
  test('hooks are found in pre and post of all roots, by priority, user before project, files sorted', () => {
    put(
      'project/.codex/hooks/pre-bash.ts',
      'home/.codex/hooks/post-edit.js',
      'project/.claude/hooks/post/x.ts',
      'home/.claude/hooks/pre/y.ts',
      'project/.omp/hooks/pre/b.ts',
      'project/.omp/hooks/pre/a.ts',
      'project/.omp/hooks/post/c.ts',
      'home/.omp/agent/hooks/pre/z.ts',
    );
    expect(shown(discoverHooks(cwd(), home()).hooks)).toEqual([
      'home/.omp/agent/hooks/pre/z.ts',
      'project/.omp/hooks/pre/a.ts',
      'project/.omp/hooks/pre/b.ts',
      'project/.omp/hooks/post/c.ts',
      'home/.claude/hooks/pre/y.ts',
      'project/.claude/hooks/post/x.ts',
      'home/.codex/hooks/post-edit.js',
      'project/.codex/hooks/pre-bash.ts',
    ]);
  });

  test('project hooks are found from a subfolder', () => {
    put('project/.omp/hooks/pre/a.ts');
    ground.write('project/src/deep/a.ts', '');
    expect(shown(discoverHooks(join(cwd(), 'src/deep'), home()).hooks)).toEqual([
      'project/.omp/hooks/pre/a.ts',
    ]);
  });

  test('a found hook has name, type, tool, level and source', () => {
    put(
      'project/.omp/hooks/pre/bash.ts',
      'project/.claude/hooks/post/edit.sh',
      'project/.codex/hooks/lint.ts',
    );
    const record = (path: string, over: object) => ({ path: join(cwd(), path), level: 'project', ...over });
    expect(discoverHooks(cwd(), home()).hooks).toEqual([
      record('.omp/hooks/pre/bash.ts', { name: 'bash.ts', type: 'pre', tool: 'bash', provider: 'native' }),
      record('.claude/hooks/post/edit.sh', {
        name: 'edit.sh',
        type: 'post',
        tool: 'edit',
        provider: 'claude',
      }),
      record('.codex/hooks/lint.ts', { name: 'lint.ts', type: 'pre', tool: 'lint', provider: 'codex' }),
    ]);
  });

  test('of one type, tool and name the first wins, and the others are marked', () => {
    put(
      'project/.omp/hooks/pre/bash.sh',
      'project/.claude/hooks/pre/bash.sh',
      'project/.claude/hooks/post/bash.sh',
    );
    const { hooks, shadowed } = discoverHooks(cwd(), home());
    expect(shown(hooks)).toEqual(['project/.omp/hooks/pre/bash.sh', 'project/.claude/hooks/post/bash.sh']);
    expect(shadowed.map(({ path, shadowed: mark }) => [relative(ground.root, path), mark])).toEqual([
      ['project/.claude/hooks/pre/bash.sh', true],
    ]);
  });

  test('a project cannot replace a user guard by using its name', () => {
    put('home/.omp/agent/hooks/pre/guard.ts', 'project/.omp/hooks/pre/guard.ts');
    expect(shown(discoverHooks(cwd(), home()).hooks)).toEqual(['home/.omp/agent/hooks/pre/guard.ts']);
  });

  test('dot files and sub-folders are ignored; a file or folder in the wrong place is reported', () => {
    const [, lost] = put('project/.omp/hooks/pre/.hidden.ts', 'project/.omp/hooks/guard.ts');
    put('project/.omp/hooks/pre/deep/x.ts', 'project/.omp/hooks/before/y.ts');
    const { hooks, warnings } = discoverHooks(cwd(), home());
    expect(hooks).toEqual([]);
    expect(warnings).toEqual([
      { path: lost, error: expect.stringContaining('is not loaded: hooks must be in') },
      { path: join(cwd(), '.omp/hooks/before'), error: expect.stringContaining("folders 'pre' and 'post'") },
      { path: join(cwd(), '.omp/hooks/pre/deep'), error: expect.stringContaining('is ignored') },
    ]);
  });

  test.each(['.omp/hooks', '.omp/hooks/pre', '.claude/hooks/post', '.codex/hooks'])(
    'a file %s in place of a folder is reported once',
    (place) => {
      const [file] = put(`project/${place}`);
      const { hooks, warnings } = discoverHooks(cwd(), home());
      expect([hooks, warnings]).toEqual([
        [],
        [{ path: file, error: 'is a file, not a folder: hooks must be in a folder of that name' }],
      ]);
    },
  );

  test('a folder with the name of a module is reported and loads nothing', async () => {
    put('project/.omp/hooks/pre/a.ts/index.ts');
    mkdirSync(join(cwd(), '.omp/hooks/pre/b.ts'));
    const { hooks, warnings } = await discoverAndLoadHooks([join(cwd(), '.omp')], cwd(), { home: home() });
    expect([hooks, warnings.map(({ path }) => relative(cwd(), path))]).toEqual([
      [],
      ['.omp/hooks/pre/a.ts', '.omp/hooks/pre/b.ts'],
    ]);
  });

  test('scripts of Claude Code next to its pre and post folders are ignored', () => {
    put('project/.claude/hooks/guard.sh');
    expect(discoverHooks(cwd(), home())).toEqual({ hooks: [], shadowed: [], warnings: [] });
  });

  test('a link counts as its target, and a dangling one is ignored', () => {
    put('real.ts', 'project/.omp/hooks/pre/a.ts');
    symlinkSync(join(ground.root, 'real.ts'), join(cwd(), '.omp/hooks/pre/b.ts'));
    symlinkSync(join(ground.root, 'gone.ts'), join(cwd(), '.omp/hooks/pre/c.ts'));
    expect(discoverHooks(cwd(), home()).hooks.map(({ name }) => name)).toEqual(['a.ts', 'b.ts']);
  });
});

describe('discovering and loading', () => {
  test('found hooks load before named ones, each absolute path once', async () => {
    const [found] = put('project/.omp/hooks/pre/a.ts');
    const [named, own] = put('project/named.ts', 'home/own.ts');
    const { hooks, errors } = await discoverAndLoadHooks(
      ['.omp/hooks/pre/a.ts', 'named.ts', named!, '~/own.ts'],
      cwd(),
      { home: home() },
    );
    expect(errors).toEqual([]);
    expect(hooks.map(({ resolvedPath }) => resolvedPath)).toEqual([found, named, own]);
  });

  test('a shell script is found and reported as not a module', async () => {
    const script = ground.write('project/.claude/hooks/pre/bash.sh', '#!/bin/sh\nexit 2\n');
    put('project/.claude/hooks/pre/guard.ts');
    const { hooks, errors } = await discoverAndLoadHooks([], cwd(), { home: home() });
    expect([hooks.length, errors]).toEqual([
      1,
      [{ path: script, error: expect.stringContaining('not a JavaScript or TypeScript module') }],
    ]);
  });

  test('a file in the wrong place is a warning', async () => {
    const [lost] = put('project/.omp/hooks/guard.ts');
    const { hooks, warnings } = await discoverAndLoadHooks([], cwd(), { home: home() });
    expect([hooks, warnings.map(({ path }) => path)]).toEqual([[], [lost]]);
  });
});
