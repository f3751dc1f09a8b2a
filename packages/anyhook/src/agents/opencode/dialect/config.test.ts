import { describe, expect, test } from 'vitest';
import type { CommandRequest } from '../../../events/exchange.ts';
import { show } from '../../../events/problems.ts';
import { event } from '../../../testing/index.ts';
import { filePattern } from './config.ts';
import { opencode } from './index.ts';

const place = { layer: 'project', file: '/p/opencode.json', folder: '/p' } as const;
const read = (text: string) => opencode.config.read(text, place);
const hooked = (hook: unknown) => read(JSON.stringify({ experimental: { hook } }));

/** The example of the document. */
const EXAMPLE = {
  file_edited: {
    '*.ts': [{ command: ['bun', 'run', 'format', '{file}'], environment: { NODE_ENV: 'development' } }],
    '*.tsx': [{ command: ['eslint', '--fix', '{file}'] }],
    '*.py': [{ command: ['black', '{file}'] }, { command: ['isort', '{file}'] }],
    '*.go': [{ command: ['gofmt', '-w', '{file}'] }],
  },
  session_completed: [
    { command: ['git', 'add', '.'], environment: { GIT_AUTHOR_NAME: 'OpenCode' } },
    { command: ['git', 'commit', '-m', 'Auto-commit from OpenCode session'] },
  ],
};

describe('locations', () => {
  const files = (env: Record<string, string> = {}) =>
    opencode.config.places({ home: '/h', cwd: '/p', env }).map(({ layer, file }) => `${layer} ${file}`);
  test('settings are read from the global folder, the project and its .opencode, as .json and .jsonc', () => {
    expect(files()).toEqual([
      'user /h/.config/opencode/opencode.json',
      'user /h/.config/opencode/opencode.jsonc',
      'project /p/opencode.json',
      'project /p/opencode.jsonc',
      'project /p/.opencode/opencode.json',
      'project /p/.opencode/opencode.jsonc',
    ]);
  });
  test('an absolute XDG_CONFIG_HOME replaces ~/.config', () => {
    expect(files({ XDG_CONFIG_HOME: '/x' })[0]).toBe('user /x/opencode/opencode.json');
    expect(files({ XDG_CONFIG_HOME: 'x' })[0]).toBe('user /h/.config/opencode/opencode.json');
  });
});

test("the document's example becomes six command hooks in one queue, which are not awaited", () => {
  const { hooks, problems } = hooked(EXAMPLE);
  expect(problems).toEqual([]);
  expect(
    hooks.map(({ on, matcher, run, background, queue }) => [
      on,
      matcher,
      (run as { run: object }).run,
      background,
      queue,
    ]),
  ).toEqual([
    ['file_edited', '*.ts', { argv: ['bun', 'run', 'format', '{file}'] }, true, 'opencode.json'],
    ['file_edited', '*.tsx', { argv: ['eslint', '--fix', '{file}'] }, true, 'opencode.json'],
    ['file_edited', '*.py', { argv: ['black', '{file}'] }, true, 'opencode.json'],
    ['file_edited', '*.py', { argv: ['isort', '{file}'] }, true, 'opencode.json'],
    ['file_edited', '*.go', { argv: ['gofmt', '-w', '{file}'] }, true, 'opencode.json'],
    ['session_completed', undefined, { argv: ['git', 'add', '.'] }, true, 'opencode.json'],
    [
      'session_completed',
      undefined,
      { argv: ['git', 'commit', '-m', 'Auto-commit from OpenCode session'] },
      true,
      'opencode.json',
    ],
  ]);
});

describe('the file name', () => {
  const request = (command: string[], file: string, environment?: Record<string, string>) => {
    const [hook] = hooked({ file_edited: { '*': [{ command, ...(environment && { environment }) }] } }).hooks;
    return opencode.payload.write(
      event('file.edited', { file }, { scene: { cwd: '/p' } }),
      hook!,
    ) as CommandRequest;
  };
  test('the file name is inserted everywhere, under both placeholders, including the environment', () => {
    const { argv, env } = request(['{file}', '{file}:{file}', '--in=$FILE', '$FILES'], '/p/a.ts', {
      F: '{file}',
    });
    expect([argv, env]).toEqual([['/p/a.ts', '/p/a.ts:/p/a.ts', '--in=/p/a.ts', '$FILES'], { F: '/p/a.ts' }]);
  });
  test.each(['/p/$&.ts', '/p/{file}.ts', '/p/$FILE.ts', '/p/a b\'"$(x)`y`.ts', '/p/$1.ts', '/p/a\nb.ts'])(
    'the file name is literal: %j',
    (file) => {
      expect(request(['x', '{file} $FILE'], file).argv).toEqual(['x', `${file} ${file}`]);
    },
  );
  test('control: replacing with a string would expand the file name again', () => {
    expect('{file}'.replace('{file}', '/p/$&.ts')).not.toBe('/p/$&.ts');
  });
});

describe('patterns', () => {
  test.each<[string, string, boolean]>([
    ['*.ts', '/p/deep/down/a.ts', true],
    ['*.ts', '/p/a.tsx', false],
    ['*.{ts,tsx}', '/p/a.tsx', true],
    ['src/**/*.py', '/p/src/a/b.py', true],
    ['src/**/*.py', '/p/src/b.py', true],
    ['src/**/*.py', '/p/lib/src/b.py', false],
    ['./src/*.py', '/p/src/b.py', true],
    ['**/*.md', '/p/docs/a.md', true],
    ['src/*.ts', '/elsewhere/src/a.ts', false],
    ['/etc/*', '/etc/passwd', true],
    ['.ts', '/p/a.ts', true],
    ['.ts', '/p/ats', false],
    ['.d.ts', '/p/a.d.ts', true],
    ['.gitignore', '/p/.gitignore', true],
    ['*', '/p/.env', true],
    ['Makefile', '/p/sub/Makefile', true],
  ])('the pattern %s and the file %s: %s', (pattern, file, fits) => {
    expect(filePattern(pattern)(file, '/p')).toBe(fits);
  });
});

test('the end of a subagent does not complete a session', () => {
  const [hook] = hooked({ session_completed: [{ command: ['true'] }] }).hooks;
  expect(hook!.when!(event('agent.idle', {}))).toBe(true);
  expect(hook!.when!(event('agent.idle', {}, { ids: { session: 's', agent: 'a' } }))).toBe(false);
});

test('a duplicate command in one file becomes two distinct hooks', () => {
  const { hooks } = hooked({ session_completed: [{ command: ['x'] }, { command: ['x'] }] });
  expect(hooks.map(({ extra }) => extra)).toEqual([undefined, { time: 2 }]);
});

describe('plugins', () => {
  test('plugins are listed with their line and options', () => {
    const { modules, problems } = read(
      '{\n "plugin": [\n  "a-package",\n  ["./p.ts", { "strict": true }]\n ] }',
    );
    expect([modules, problems]).toEqual([
      [
        { file: 'a-package', place, line: 3 },
        { file: './p.ts', options: { strict: true }, place, line: 4 },
      ],
      [],
    ]);
  });
  test('plugins of OpenCode 2 have an object with options, and a minus disables them', () => {
    const { modules, problems } = read(
      '{ "plugins": ["*", "a@1.2.0", "@b/c", "@b/d", { "package": "./e", "options": { "f": 1 } }, "-@b/*", "-a"] }',
    );
    expect([modules, problems]).toEqual([[{ file: './e', options: { f: 1 }, place, line: 1 }], []]);
  });
  test('an invalid plugin is reported, and the others stay', () => {
    const { modules, problems } = read('{ "plugin": [7, "a", ["b", 3], ""] }');
    expect(modules.map(({ file }) => file)).toEqual(['a']);
    expect(problems.map(({ key }) => key)).toEqual(['plugin[0]', 'plugin[2]', 'plugin[3]']);
  });
});

describe('bad input', () => {
  test.each<[string, string]>([
    [
      '{"experimental":{"hook":{"file_edit":{}}}}',
      '/p/opencode.json:1:26: experimental.hook.file_edit: unknown event "file_edit". Did you mean "file_edited"? [unknown-event]',
    ],
    [
      '{"experimental":{"hooks":{}}}',
      '/p/opencode.json:1:18: experimental.hooks: unknown key "hooks". Did you mean "hook"? [unknown-key]',
    ],
    [
      '{"experimental":{"hook":{"session_completed":[{"comand":["x"]}]}}}',
      '/p/opencode.json:1:48: experimental.hook.session_completed[0].comand: unknown key "comand". Did you mean "command"? [unknown-key]',
    ],
    [
      '{"experimental":{"hook":{"session_completed":{}}}}',
      '/p/opencode.json:1:46: experimental.hook.session_completed: is {}; expected a list of commands. Write [ { "command": ["program", "argument"] } ]. [wrong-type]',
    ],
    [
      '{"experimental":{"hook":{"session_completed":[]}}}',
      '/p/opencode.json:1:46: experimental.hook.session_completed: is an empty list. Nothing runs. [empty-list]',
    ],
    [
      '{"experimental":{"hook":{"session_completed":[{"command":[]}]}}}',
      '/p/opencode.json:1:58: experimental.hook.session_completed[0].command: is an empty list. Name at least one, or remove the key. [empty-list]',
    ],
    [
      '{"experimental":{"hook":{"session_completed":[{"command":"ls -l"}]}}}',
      '/p/opencode.json:1:58: experimental.hook.session_completed[0].command: is a text ("ls -l"); expected a list of strings. Write a list: ["sh","-c","ls -l"] for a shell, or the program and its arguments. [wrong-type]',
    ],
    [
      '{"experimental":{"hook":{"session_completed":[{"command":["x",1]}]}}}',
      '/p/opencode.json:1:63: experimental.hook.session_completed[0].command[1]: expected a string, got a number (1). [wrong-type]',
    ],
    [
      '{"experimental":{"hook":{"session_completed":[{"command":["x"],"environment":{"A":1}}]}}}',
      '/p/opencode.json:1:83: experimental.hook.session_completed[0].environment.A: expected a string, got a number (1). [wrong-type]',
    ],
    [
      '{"experimental":{"hook":{"file_edited":{"*.ts":[{"command":["sh","-c","x {file}"]}]}}}}',
      '/p/opencode.json:1:71: experimental.hook.file_edited["*.ts"][0].command[2]: inserts the file name into the text of a script. Pass it as an argument: ["sh", "-c", "prettier --write \\"$1\\"", "sh", "{file}"]. [bad-value]',
    ],
    [
      '{"experimental":{',
      '/p/opencode.json:1:18: expected a key in double quotes, found the end of the text. The file seems to be truncated. No part of it is used until this is fixed. [syntax]',
    ],
    ['[]', '/p/opencode.json:1:1: expected an object, got a list ([]). [wrong-type]'],
  ])('invalid settings are reported: %s', (text, said) => {
    expect(read(text).problems.map(show)[0]).toBe(said);
  });

  test('an unreadable command stays and fails where it would have run, and the next one runs', () => {
    const { hooks } = hooked({ session_completed: [{ command: 7 }, { command: ['git', 'add', '.'] }] });
    expect(hooks.map(({ run }) => run.kind)).toEqual(['missing', 'command']);
  });

  test('comments and trailing commas are accepted', () => {
    const { hooks, problems } = read(
      '{ // c\n "experimental": { "hook": { "session_completed": [{ "command": ["x"], }], }, }, }',
    );
    expect([hooks.length, problems]).toEqual([1, []]);
  });
});
