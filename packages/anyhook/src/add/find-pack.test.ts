/** Published hooks of each agent: found, shown, installed and run. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ground, shell, type TestGround } from '../library/fixtures/ground.ts';
import { putIn } from './added.ts';
import { broughtIn } from './brought-in.ts';
import { findPack } from './find-pack.ts';

type Files = Readonly<Record<string, string | object>>;
const SCRIPT = '#!/bin/sh\nsleep 0; . "$(dirname "$0")/lib.sh"; refuse\n';
const LIB = 'refuse() { echo "not this" >&2; exit 2; }\n';
const grouped = (event: string, command: string) => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] },
});
const flat = (event: string, command: string) => ({ version: 1, hooks: { [event]: [{ command }] } });
const scripts = (folder: string): Files => ({ [`${folder}/guard.sh`]: SCRIPT, [`${folder}/lib.sh`]: LIB });

interface Source {
  readonly files: Files;
  /** Below the folder; by default the folder itself. */
  readonly what?: string;
  readonly dialect: string;
}
const SOURCES: Readonly<Record<string, Source>> = {
  'a Claude Code plugin': {
    dialect: 'claude-code',
    files: {
      '.claude-plugin/plugin.json': { name: 'guard' },
      'hooks/hooks.json': grouped('PreToolUse', '${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh'),
      ...scripts('hooks'),
    },
  },
  'a Gemini extension': {
    dialect: 'gemini-cli',
    files: {
      'gemini-extension.json': { name: 'guard', version: '1.0.0' },
      'hooks/hooks.json': grouped('BeforeTool', 'sh ${extensionPath}${/}hooks${/}guard.sh'),
      ...scripts('hooks'),
    },
  },
  'a Codex plugin with hooks in a file of another name': {
    dialect: 'codex',
    files: {
      '.codex-plugin/plugin.json': { name: 'guard', hooks: './config/all.json' },
      'config/all.json': grouped('PreToolUse', '"${PLUGIN_ROOT}/hooks/guard.sh"'),
      ...scripts('hooks'),
    },
  },
  'a Cursor plugin': {
    dialect: 'cursor',
    files: {
      '.cursor-plugin/plugin.json': { name: 'guard' },
      'hooks/hooks.json': flat('preToolUse', '${CURSOR_PLUGIN_ROOT}/hooks/guard.sh'),
      ...scripts('hooks'),
    },
  },
  'a marketplace of Claude Code plugins': {
    dialect: 'claude-code',
    files: {
      '.claude-plugin/marketplace.json': {
        name: 'm',
        plugins: [{ name: 'guard', source: './plugins/guard' }],
      },
      'plugins/guard/hooks/hooks.json': grouped('PreToolUse', '${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh'),
      ...scripts('plugins/guard/hooks'),
    },
  },
  'a project with .claude/settings.json': {
    dialect: 'claude-code',
    files: {
      '.claude/settings.json': grouped('PreToolUse', '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh'),
      'src/index.ts': 'export {};',
      ...scripts('.claude/hooks'),
    },
  },
  'a .codex folder': {
    what: '.codex',
    dialect: 'codex',
    files: { '.codex/hooks.json': grouped('PreToolUse', './.codex/guard.sh'), ...scripts('.codex') },
  },
  'a .cursor folder': {
    what: '.cursor',
    dialect: 'cursor',
    files: {
      '.cursor/hooks.json': flat('preToolUse', '.cursor/hooks/guard.sh'),
      ...scripts('.cursor/hooks'),
    },
  },
  'a .github folder': {
    what: '.github',
    dialect: 'copilot-cli',
    files: {
      '.github/hooks/guard.json': {
        version: 1,
        hooks: { preToolUse: [{ type: 'command', bash: './.github/hooks/guard.sh' }] },
      },
      ...scripts('.github/hooks'),
    },
  },
  'a .gemini folder': {
    what: '.gemini',
    dialect: 'gemini-cli',
    files: {
      '.gemini/settings.json': grouped('BeforeTool', '$GEMINI_PROJECT_DIR/.gemini/hooks/guard.sh'),
      ...scripts('.gemini/hooks'),
    },
  },
  'a settings file in its folder': {
    what: '.claude/settings.json',
    dialect: 'claude-code',
    files: {
      '.claude/settings.json': grouped('PreToolUse', '$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh'),
      ...scripts('.claude/hooks'),
    },
  },
  'a settings file by itself': {
    what: 'gemini.json',
    dialect: 'gemini-cli',
    files: { 'gemini.json': grouped('BeforeTool', 'echo not this >&2; exit 2') },
  },
};

const progress = { say: () => {} } as never;
const placed = (files: Files): TestGround =>
  ground(Object.fromEntries(Object.entries(files).map(([path, text]) => [`source/${path}`, text])));

describe.each(Object.entries(SOURCES))('%s', (name, { files, what = '.', dialect }) => {
  test(`${name} is added as hooks of its own agent, and refuses calls`, async () => {
    const place = placed(files);
    const pack = await findPack(join(place.root, 'source', what), { progress });
    expect(pack.dialect).toBe(dialect);
    putIn(join(place.home, '.config/anyhook/hooks.json'), pack);
    const hooks = await place.open({ journal: false, trust: { selfProtection: false } });
    expect(hooks.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { proceed, reason } = await hooks.fire(shell('ls'));
    expect([proceed, reason]).toEqual(['no', expect.stringContaining('not this')]);
  });
});

test('a git address is cloned and added like its folder', async () => {
  const place = placed(SOURCES['a Gemini extension']!.files);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: join(place.root, 'source'),
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const pack = await findPack(`git+file://${place.root}/source`, { progress });
  expect([pack.dialect, pack.name, pack.version]).toEqual(['gemini-cli', 'source', '1.0.0']);
});

test('a git address that cannot be cloned reports an error', async () => {
  await expect(findPack('git+file:///nowhere/at/all', { progress })).rejects.toThrow(/cannot be cloned/);
});

test('a project without hooks is rejected', async () => {
  const place = placed({ '.claude/settings.json': { permissions: {} }, 'src/index.ts': '' });
  await expect(findPack(join(place.root, 'source'), { progress })).rejects.toThrow('holds no hooks');
});

test('all scripts that would run are shown, even in a large plugin', async () => {
  const place = placed({ ...SOURCES['a Claude Code plugin']!.files, 'data/large.txt': 'x'.repeat(100_000) });
  const pack = await findPack(join(place.root, 'source'), { progress });
  const text = broughtIn(pack, join(place.root, 'nowhere'), (_, line) => line).join('\n');
  expect(text).toContain('── hooks/guard.sh, runs');
  expect(text).toContain('refuse() { echo "not this"'); // a file that the script names
  expect(text).not.toContain('xxxx');
});

test('from a project only the settings and the scripts that they name are added', async () => {
  const place = placed(SOURCES['a project with .claude/settings.json']!.files);
  const pack = await findPack(join(place.root, 'source'), { progress });
  expect([...pack.files.keys()].toSorted()).toEqual([
    '.claude/hooks/guard.sh',
    '.claude/hooks/lib.sh',
    '.claude/settings.json',
  ]);
});

describe('installed beside their own agent', () => {
  const refuses = async (files: Files) => {
    const hooks = await ground(files).open({ journal: false, trust: { selfProtection: false } });
    return (await hooks.fire(shell('ls'))).proceed;
  };
  const extension: Files = {
    'home/.gemini/extensions/guard/gemini-extension.json': { name: 'guard' },
    'home/.gemini/extensions/guard/hooks/hooks.json': grouped('BeforeTool', '${extensionPath}/guard.sh'),
    ...scripts('home/.gemini/extensions/guard'),
  };
  const plugin: Files = {
    'home/.codex/plugins/cache/market/guard/1.2.0/.codex-plugin/plugin.json': { name: 'guard' },
    'home/.codex/plugins/cache/market/guard/1.2.0/hooks/hooks.json': grouped(
      'PreToolUse',
      '$CLAUDE_PLUGIN_ROOT/guard.sh',
    ),
    ...scripts('home/.codex/plugins/cache/market/guard/1.2.0'),
  };

  test('hooks of a Gemini extension run in other agents, unless it is disabled there', async () => {
    expect(await refuses(extension)).toBe('no');
    const disabled = { guard: { overrides: ['!/*'] } };
    expect(
      await refuses({ ...extension, 'home/.gemini/extensions/extension-enablement.json': disabled }),
    ).toBe('yes');
  });

  test('hooks of a Codex plugin run in other agents when config.toml switches it on', async () => {
    const config = '[plugins."guard@market"]\nenabled = true\n';
    expect(await refuses({ ...plugin, 'home/.codex/config.toml': config })).toBe('no');
    expect(await refuses({ ...plugin, 'home/.codex/config.toml': config.replace('true', 'false') })).toBe(
      'yes',
    );
    expect(await refuses(plugin)).toBe('yes');
  });
});
