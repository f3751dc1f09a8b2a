import { describe, expect, test } from 'vitest';
import { DIALECTS, findDialect } from '../dialects.ts';
import { settingsSample } from '../testing/settings-sample.ts';
import { show } from './problems.ts';

interface Sample {
  readonly text: string;
  /** The correct key. */
  readonly key: string;
  readonly file?: string;
}
/** A guard in a valid file of each dialect that has files. */
const FILES: Readonly<Record<string, Sample>> = Object.fromEntries(
  DIALECTS.flatMap((dialect): [string, Sample][] => {
    const sample = settingsSample(dialect, ['project', 'user']);
    return sample === undefined ? [] : [[dialect.name, { ...sample, file: `/p/${sample.file}` }]];
  }),
);
const read = (name: string, text: string) =>
  findDialect(name)!.config.read(text, { layer: 'user', file: FILES[name]?.file ?? '/h/settings' });
const rightly = ({ key }: { key: string }) => new RegExp(`(?<=\\W)${key}(?=\\W)`);

describe.each(Object.entries(FILES))('%s', (name, file) => {
  test('reads the correct key without problems', () => {
    const { hooks, modules, problems } = read(name, file.text);
    expect([JSON.stringify([hooks, modules]).includes('guard'), problems]).toEqual([true, []]);
  });

  const capital = file.key[0]!.toUpperCase() + file.key.slice(1);
  test.each([file.key.slice(0, -1), capital, `${file.key}s`, file.key.replace(/(.)(.)/, '$2$1')])(
    'suggests the correct key for %j with the position',
    (slip) => {
      const { problems } = read(name, file.text.replace(rightly(file), slip));
      const said = problems.filter(({ code }) => code === 'unknown-key');
      expect(said.map(({ severity, line }) => [severity, line])).toEqual([['error', expect.any(Number)]]);
      expect(show(said[0]!)).toMatch(/Did you mean "\w+"\?/);
    },
  );
});

test('recognises hooks under a completely different key by their content', () => {
  const { problems } = read('claude-code', FILES['claude-code']!.text.replace('hooks', 'guards'));
  expect(problems.map(({ message, remedy }) => [message, remedy])).toEqual([
    ['unknown key "guards".', 'Did you mean "hooks"?'],
  ]);
});

test('reports where an event outside of "hooks" belongs', () => {
  const { problems } = read('codex', '{"PreToolUse":[{"hooks":[]}]}');
  expect(problems.map(({ message, remedy }) => [message, remedy])).toEqual([
    ['is outside "hooks".', 'Move it into "hooks". Its hooks do not run until then.'],
  ]);
});

test('reports hooks under a key with another meaning', () => {
  const { problems } = read('cursor', '{"version":{"preToolUse":[{"command":"guard"}]}}');
  expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
    ['error', 'contains hooks that belong under "hooks".'],
  ]);
});

test('reads a file of an unknown version with a warning', () => {
  const { hooks, problems } = read('cursor', '{"version":7,"hooks":{"preToolUse":[{"command":"guard"}]}}');
  expect([hooks.length, problems.map(({ severity, message }) => [severity, message])]).toEqual([
    1,
    [['warning', 'is 7; its hooks are read as version 1.']],
  ]);
});

test('does not report keys of the agent itself', () => {
  const keys = {
    tools: {},
    model: 'x',
    theme: 'dark',
    permissions: {},
    hooksConfig: {},
    mcpServers: {},
    env: {},
  };
  for (const name of ['claude-code', 'gemini-cli', 'qwen-code', 'opta', 'opencode', 'oh-my-pi'])
    expect([name, read(name, JSON.stringify(keys)).problems]).toEqual([name, []]);
});

test('covers every dialect with a settings file', () => {
  const ground = { home: '/h', cwd: '/p', env: {}, list: () => ['a.json'] };
  const withFiles = DIALECTS.filter(({ config }) => config.places(ground).length > 0);
  expect(withFiles.map(({ name }) => name).toSorted()).toEqual(Object.keys(FILES).toSorted());
});
