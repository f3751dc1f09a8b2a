import { describe, expect, test } from 'vitest';
import { ground } from '../../../library/fixtures/ground.ts';
import { CLAUDE_EVENTS, HOOK_EVENTS, type HookInput, type HookJSONOutput, readSettings } from './index.ts';

const stop = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
const lines = (hooks: readonly { readonly label?: string }[]) => hooks.map(({ label }) => label);

describe('readSettings', () => {
  test('readSettings merges the files of all layers in order, and reads named plugins', () => {
    const here = ground({
      'home/.claude/settings.json': stop('user'),
      'project/.claude/settings.json': stop('project'),
      'project/.claude/settings.local.json': stop('local'),
      'plug/hooks/hooks.json': { description: 'd', ...stop('plugin') },
    });
    const read = readSettings({ home: here.home, cwd: here.cwd, plugins: ['../plug', '../gone'] });
    expect(lines(read.hooks)).toEqual(['user', 'project', 'local', 'plugin']);
    expect(read.files).toHaveLength(4);
    expect(read.hooks[3]?.run).toMatchObject({ set: { CLAUDE_PLUGIN_ROOT: `${here.root}/plug` } });
    expect(read.problems.map(({ code }) => code)).toEqual(['file-unreadable']);
    expect(lines(readSettings({ home: here.home, cwd: here.cwd, layers: ['user'] }).hooks)).toEqual(['user']);
  });

  test('readSettings finds project files from a subfolder, and passes the project to its commands', () => {
    const here = ground({ 'project/.claude/settings.json': stop('project'), 'project/src/a.ts': '' });
    const { hooks } = readSettings({ home: here.home, cwd: `${here.cwd}/src` });
    expect(hooks.map(({ run }) => run)).toMatchObject([{ set: { CLAUDE_PROJECT_DIR: here.cwd } }]);
  });

  test('readSettings reads the other files if one cannot be read', () => {
    const here = ground({
      'home/.claude/settings.json': '{"hooks": {',
      'project/.claude/settings.json/is-a-folder': '',
      'project/.claude/settings.local.json': stop('local'),
    });
    const { hooks, problems } = readSettings({ home: here.home, cwd: here.cwd });
    expect(lines(hooks)).toEqual(['local']);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ['syntax', 1],
      ['file-not-regular', undefined],
    ]);
  });

  test('disableAllHooks of the user disables all hooks, and a project cannot disable user hooks', () => {
    const off = ground({ 'home/.claude/settings.json': { ...stop('user'), disableAllHooks: true } });
    expect(readSettings({ home: off.home, cwd: off.cwd }).hooks).toEqual([]);
    const theirs = ground({
      'home/.claude/settings.json': stop('user'),
      'project/.claude/settings.json': { ...stop('project'), disableAllHooks: true },
    });
    expect(lines(readSettings({ home: theirs.home, cwd: theirs.cwd }).hooks)).toEqual(['user']);
  });

  test('readSettings returns nothing and no problems without files', () => {
    const { home, cwd } = ground();
    expect(readSettings({ home, cwd })).toEqual({ hooks: [], problems: [], files: [] });
  });
});

test('the exported types contain the events of the table', () => {
  expect([...HOOK_EVENTS].toSorted()).toEqual(Object.keys(CLAUDE_EVENTS).toSorted());
  const input = { hook_event_name: 'PreToolUse', tool_name: 'Bash' } as HookInput;
  const command = input.hook_event_name === 'PreToolUse' ? input.tool_name : input.cwd;
  const output: HookJSONOutput<'PreToolUse'> = {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
  };
  expect([command, output.hookSpecificOutput?.permissionDecision]).toEqual(['Bash', 'deny']);
});
