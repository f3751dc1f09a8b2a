import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../dialects.ts';
import { settingsSample } from '../testing/settings-sample.ts';
import { projectLocations } from './project-root.ts';

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

interface FileWithHook {
  readonly dialect: string;
  readonly content: object | string;
}
/** Files that are not the first of their dialect, or contain code. */
const FURTHER: Readonly<Record<string, FileWithHook>> = {
  '.anyhook/hooks/guard.ts': { dialect: 'anyhook', content: '' },
  '.claude/settings.local.json': {
    dialect: 'claude-code',
    content: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
  },
  'opencode.json': { dialect: 'opencode', content: { plugin: ['./guard.ts'] } },
  '.opencode/plugin/guard.ts': { dialect: 'opencode', content: '' },
  '.omp/hooks/pre/guard.ts': { dialect: 'oh-my-pi', content: '' },
};
/** One file with a hook for every dialect that has files, and for every kind of file. */
const WITH_HOOKS: Readonly<Record<string, FileWithHook>> = {
  ...Object.fromEntries(
    DIALECTS.flatMap((dialect) => {
      const sample = settingsSample(dialect);
      return sample === undefined ? [] : [[sample.file, { dialect: dialect.name, content: sample.text }]];
    }),
  ),
  ...FURTHER,
};
const FILES = Object.keys(WITH_HOOKS);

/** Files by content, or with a hook. Names that end with a slash are folders. */
type PlacedFile = string | readonly [path: string, content: string];
function groundOf(...paths: readonly PlacedFile[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-root-')));
  made.push(root);
  for (const one of ['home/', ...paths]) {
    const [path, text] = typeof one === 'string' ? [one] : one;
    const isFolder = path.endsWith('/');
    mkdirSync(isFolder ? join(root, path) : dirname(join(root, path)), { recursive: true });
    const known = FILES.find((name) => path.endsWith(`/${name}`));
    const content = text ?? (known === undefined ? '' : WITH_HOOKS[known]!.content);
    if (!isFolder)
      writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}
const foundFrom = (root: string, cwd: string): string =>
  projectLocations({ home: join(root, 'home'), cwd: join(root, cwd), env: {} }).cwd.slice(root.length + 1);
const rootOf = (cwd: string, ...paths: readonly PlacedFile[]): string =>
  foundFrom(groundOf(`${cwd}/`, ...paths), cwd);

describe('the project', () => {
  test.each<[string, string, string[], string]>([
    ['is here when nobody has any', 'home/p/a', ['home/p/.git/'], 'home/p/a'],
    [
      'is above, in the root of the repository',
      'home/p/a/b',
      ['home/p/.git/', 'home/p/.claude/settings.json'],
      'home/p',
    ],
    [
      'is the root of a worktree, whose .git is a file',
      'home/w/a',
      ['home/w/.git', 'home/w/.codex/hooks.json'],
      'home/w',
    ],
    [
      'is not outside the repository',
      'home/p/r/a',
      ['home/p/r/.git/', 'home/p/.goose/settings.json'],
      'home/p/r/a',
    ],
    [
      'is never the home above, even if it is a repository',
      'home/a',
      ['home/.git/', 'home/.claude/settings.json'],
      'home/a',
    ],
    ['is home only for who is there', 'home', ['home/.gemini/settings.json'], 'home'],
  ])('%s', (_title, cwd, paths, root) => expect(rootOf(cwd, ...paths)).toBe(root));

  test('every dialect with hook files is covered below', () => {
    const tried = new Set(Object.values(WITH_HOOKS).map(({ dialect }) => dialect));
    const here = { home: '/h', cwd: '/p', env: {}, list: () => ['guard.json'] };
    const inProjects = DIALECTS.filter(({ config }) =>
      config.places(here).some(({ layer }) => layer === 'project'),
    );
    expect(inProjects.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  test.each(FILES)('the project is found from a folder below by %s', (file) => {
    expect(rootOf('home/p/a/b', 'home/p/.git/', `home/p/${file}`)).toBe('home/p');
  });

  test.each(FILES)('the nearest project wins: a package with %s is a project of its own', (file) => {
    const outer = `home/p/${file === '.opta/config.json' ? '.claude/settings.json' : '.opta/config.json'}`;
    expect(rootOf('home/p/a/b', 'home/p/.git/', outer, `home/p/a/${file}`)).toBe('home/p/a');
  });

  test.each(FILES.filter((file) => file.endsWith('.json')))(
    'a folder whose %s has no hook is not a project, so the guards above still apply',
    (file) => {
      const inner = [`home/p/a/${file}`, '{}'] as const;
      expect(rootOf('home/p/a/b', 'home/p/.git/', 'home/p/.anyhook/hooks/guard.ts', inner)).toBe('home/p');
    },
  );

  test('a folder with unreadable settings is a project, because they may contain a guard', () => {
    const broken = ['home/p/a/.claude/settings.json', '{ "hooks": '] as const;
    expect(rootOf('home/p/a/b', 'home/p/.git/', 'home/p/.opta/config.json', broken)).toBe('home/p/a');
  });

  test('a world-writable folder above is not a project', () => {
    const root = groundOf('open/p/a/', 'open/.goose/settings.json');
    expect(foundFrom(root, 'open/p/a')).toBe('open');
    chmodSync(join(root, 'open'), 0o1777);
    expect(foundFrom(root, 'open/p/a')).toBe('open/p/a');
  });

  test('a project is found through the logical path of a link', () => {
    const root = groundOf('p/.anyhook/hooks.json', 'elsewhere/deep/');
    symlinkSync(join(root, 'elsewhere'), join(root, 'p/link'));
    expect(foundFrom(root, 'p/link/deep')).toBe('p');
  });
});
