import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFoldersIn, promptCommands, promptNamed } from './prompt-commands.ts';

function placesWith(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'prompt-commands-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return { folders: commandFoldersIn(join(root, 'project'), join(root, 'config')), settled: [] };
}

test.each([
  ['Review $ARGUMENTS.', 'a "b c" d', 'Review a "b c" d.'],
  ['From $1 to $2.', 'here', 'From here to .'],
  ['From $1 to $2.', '"over here" there and back', 'From over here to there and back.'],
  ['$2 before $1', '$1 x', 'x before $1'],
  ['Look.', 'at this', 'Look.\n\nat this'],
  ['Look.', '', 'Look.'],
])('the template %j with arguments %j becomes %s', (template, args, said) => {
  const places = placesWith({ 'config/anyhook-agent/commands/x.md': template });
  expect(promptNamed('x', args, places)).toBe(said);
});

test('prompt files are found in the folders of OpenCode too, without their front matter, and user files win over project files', () => {
  const head = '---\ndescription: "Says hello"\nagent: build\n---\n';
  const places = placesWith({
    'config/anyhook-agent/commands/own.md': 'mine',
    'config/opencode/command/hello.md': `${head}Hello $ARGUMENTS`,
    'config/opencode/commands/git/commit.md': 'Commit all.',
    'project/.opencode/command/hello.md': 'the project’s',
    'project/.opencode/commands/there.md': 'Go there.',
    'project/.anyhook/commands/own.md': 'the project’s',
  });
  expect(promptCommands(places)).toEqual([
    { name: 'own', description: 'mine' },
    { name: 'hello', description: 'Says hello' },
    { name: 'git/commit', description: 'Commit all.' },
    { name: 'there', description: 'Go there.' },
  ]);
  expect(['own', 'hello', 'git/commit', 'there'].map((name) => promptNamed(name, '', places))).toEqual([
    'mine',
    'Hello ',
    'Commit all.',
    'Go there.',
  ]);
});

test.each(['../secret', 'git/../../secret', '/etc/x', '.', 'git//commit'])(
  '%s is not a valid command name',
  (name) => {
    const places = placesWith({
      'config/opencode/secret.md': 'secret',
      'config/opencode/command/git/commit.md': 'Commit.',
    });
    expect(promptNamed(name, '', places)).toBeUndefined();
  },
);
