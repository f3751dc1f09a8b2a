import { describe, expect, test } from 'vitest';
import { opta } from './index.ts';

const FILE = '/p/.opta/config.json';
const read = (text: string, layer: 'user' | 'project' = 'project') =>
  opta.config.read(text, { layer, file: FILE, ...(layer === 'project' && { folder: '/p' }) });
const briefly = (text: string) => {
  const { hooks, problems } = read(text);
  return {
    hooks: hooks.map(({ on, run }) => [on, run.kind]),
    problems: problems.map(({ code, line, column, key, message, remedy, severity }) =>
      [severity, code, `${line}:${column}`, key, message, remedy].filter((part) => part !== undefined),
    ),
  };
};

/** The example of the document, unchanged. */
const SEED = `{
  "hooks": [
    { "event": "tool.pre", "matcher": "run_command", "command": ".opta/hooks/block-rm.sh" },
    { "event": "tool.post", "matcher": "edit_file|write_file", "command": ".opta/hooks/auto-lint.sh", "timeout": 15000 },
    { "event": "session.end", "command": "git add -A && git commit -m 'opta: done'", "background": true }
  ]
}
`;

test('the example of the document becomes three hooks in order, each with its location', () => {
  const { hooks, problems } = read(SEED);
  expect(problems).toEqual([]);
  expect(
    hooks.map(({ id, on, origin, matcher, run, timeoutMs, background }) => [
      id,
      on,
      origin,
      matcher,
      run.kind === 'command' && [run.run, run.cwd],
      timeoutMs,
      background,
    ]),
  ).toEqual([
    [
      `opta:${FILE}#1`,
      'tool.pre',
      { layer: 'project', file: FILE, line: 3, column: 5 },
      'run_command',
      [{ line: '.opta/hooks/block-rm.sh' }, '/p'],
      10_000,
      false,
    ],
    [
      `opta:${FILE}#2`,
      'tool.post',
      { layer: 'project', file: FILE, line: 4, column: 5 },
      'edit_file|write_file',
      [{ line: '.opta/hooks/auto-lint.sh' }, '/p'],
      15_000,
      false,
    ],
    [
      `opta:${FILE}#3`,
      'session.end',
      { layer: 'project', file: FILE, line: 5, column: 5 },
      undefined,
      [{ line: "git add -A && git commit -m 'opta: done'" }, '/p'],
      10_000,
      true,
    ],
  ]);
});

test("commands of the user's file run in the folder of the event", () => {
  const [hook] = read('{"hooks":[{"event":"error","command":"x"}]}', 'user').hooks;
  expect(hook?.run).not.toHaveProperty('cwd');
});

test('other keys of the file are ignored', () => {
  expect(read('{"model":"m","search":{"x":1},"mcp":[1],"hooks":[]}')).toEqual({
    hooks: [],
    modules: [],
    problems: [],
  });
  expect(read('{"connection":{}}').problems).toEqual([]);
});

const SOUND = '{ "event": "error", "command": "true" }';
const among = (entry: string) => `{\n  "hooks": [\n    ${entry},\n    ${SOUND}\n  ]\n}`;

describe('bad input gives a problem with file, line, column, value and remedy; the rest loads', () => {
  const REST = ['error', 'command'];
  test.each<[string, string, unknown[], unknown[][]]>([
    [
      'an unknown event',
      '{ "event": "tool.per", "command": "x" }',
      [],
      [
        [
          'error',
          'unknown-event',
          '3:16',
          'hooks[0].event',
          'unknown event "tool.per".',
          'Did you mean "tool.pre"?',
        ],
      ],
    ],
    [
      'no event',
      '{ "command": "x" }',
      [],
      [
        [
          'error',
          'bad-value',
          '3:5',
          'hooks[0]',
          'has no event.',
          'Name one of session.start, session.end, tool.pre, tool.post, compact, error, turn.done, prompt.pre, stop.',
        ],
      ],
    ],
    [
      'an event of the wrong type',
      '{ "event": 7, "command": "x" }',
      [],
      [['error', 'wrong-type', '3:16', 'hooks[0].event', 'expected a string, got a number (7).']],
    ],
    [
      'an entry that is no object',
      '"tool.pre"',
      [],
      [['error', 'wrong-type', '3:5', 'hooks[0]', 'expected an object, got a string ("tool.pre").']],
    ],
    [
      'a guard without a command: it blocks',
      '{ "event": "tool.pre" }',
      [['tool.pre', 'missing']],
      [['error', 'bad-value', '3:5', 'hooks[0]', 'has no command.', 'Write the shell command to run.']],
    ],
    [
      'a guard whose command is of the wrong type: it blocks',
      '{ "event": "tool.pre", "command": ["rm"] }',
      [['tool.pre', 'missing']],
      [['error', 'wrong-type', '3:39', 'hooks[0].command', 'expected a string, got a list (["rm"]).']],
    ],
    [
      'a guard with an invalid matcher: it blocks',
      '{ "event": "tool.pre", "matcher": "(", "command": "x" }',
      [['tool.pre', 'missing']],
      [
        [
          'error',
          'bad-matcher',
          '3:39',
          'hooks[0].matcher',
          '"(": Invalid regular expression: /(/: Unterminated group.',
          'Write a regular expression for the tool name.',
        ],
      ],
    ],
    [
      'an observer that cannot be read: it is there, and fails',
      '{ "event": "tool.post", "command": "x", "background": "yes" }',
      [['tool.post', 'missing']],
      [
        [
          'error',
          'wrong-type',
          '3:59',
          'hooks[0].background',
          'expected true or false, got a string ("yes").',
        ],
      ],
    ],
    [
      'a prompt hook without a prompt: it blocks',
      '{ "event": "tool.pre", "type": "prompt", "command": "x" }',
      [['tool.pre', 'missing']],
      [
        [
          'error',
          'bad-value',
          '3:5',
          'hooks[0]',
          'is a prompt hook without a prompt.',
          'Write what the model should judge.',
        ],
      ],
    ],
    [
      'an unknown protocol: it blocks',
      '{ "event": "tool.pre", "command": "x", "protocol": "jsno" }',
      [['tool.pre', 'missing']],
      [['error', 'bad-value', '3:56', 'hooks[0].protocol', 'is "jsno".', 'Did you mean "json"?']],
    ],
    [
      'a bad timeout: the default is used',
      '{ "event": "tool.pre", "command": "x", "timeout": 50 }',
      [['tool.pre', 'command']],
      [
        [
          'warning',
          'bad-value',
          '3:55',
          'hooks[0].timeout',
          'is 50.',
          'Write milliseconds from 100 to 60000; the default is used meanwhile.',
        ],
      ],
    ],
    [
      'a timeout of the wrong type: the default is used',
      '{ "event": "tool.pre", "command": "x", "timeout": "5s" }',
      [['tool.pre', 'command']],
      [
        [
          'warning',
          'wrong-type',
          '3:55',
          'hooks[0].timeout',
          'is "5s".',
          'Write milliseconds from 100 to 60000; the default is used meanwhile.',
        ],
      ],
    ],
    [
      'an unknown key: a warning, with the nearest one',
      '{ "event": "tool.pre", "command": "x", "mathcer": "y" }',
      [['tool.pre', 'command']],
      [
        [
          'warning',
          'unknown-key',
          '3:44',
          'hooks[0].mathcer',
          'unknown key "mathcer".',
          'Did you mean "matcher"?',
        ],
      ],
    ],
    [
      'an empty command: a warning, since such a hook never objects',
      '{ "event": "tool.pre", "command": " " }',
      [['tool.pre', 'command']],
      [
        [
          'warning',
          'bad-value',
          '3:39',
          'hooks[0].command',
          'is empty: the hook does nothing.',
          'Write the shell command to run, or remove the entry.',
        ],
      ],
    ],
    [
      'a matcher where there is no tool: a warning',
      '{ "event": "session.end", "command": "x", "matcher": "y" }',
      [['session.end', 'command']],
      [
        [
          'warning',
          'matcher-unused',
          '3:58',
          'hooks[0].matcher',
          'session.end has no tool to match, so the hook never runs.',
          'Leave the matcher out.',
        ],
      ],
    ],
  ])('%s', (_, entry, hooks, problems) => {
    expect(briefly(among(entry))).toEqual({ hooks: [...hooks, REST], problems });
  });

  test.each([
    ['{"hooks": {"event":"tool.pre"}}', 'is {"event":"tool.pre"}.', 'Write "hooks": [ … ].', '1:11'],
    ['{"hooks": "x"}', 'is "x".', 'Write "hooks": [ … ].', '1:11'],
    ['{"hooks": null}', 'is null.', 'Write "hooks": [ … ].', '1:11'],
    ['[]', 'is [].', 'Opta settings are a JSON object with a list under "hooks".', '1:1'],
    ['"x"', 'is "x".', 'Opta settings are a JSON object with a list under "hooks".', '1:1'],
  ])('%s', (text, message, remedy, place) => {
    const { hooks, problems } = read(text);
    expect(hooks).toEqual([]);
    expect(problems).toEqual([
      {
        code: 'wrong-type',
        file: FILE,
        line: Number(place.split(':')[0]),
        column: Number(place.split(':')[1]),
        ...(text.startsWith('{') && { key: 'hooks' }),
        message,
        remedy,
        severity: 'error',
      },
    ]);
  });

  test('a truncated file or one with a duplicate key is not used, and the location is reported', () => {
    for (const text of [SEED.slice(0, 150), '', '{"hooks":[],"hooks":[]}', '{"hooks":[}']) {
      const { hooks, problems } = read(text);
      expect(hooks).toEqual([]);
      expect(problems[0]).toMatchObject({ file: FILE, severity: 'error', line: expect.any(Number) });
      expect(problems[0]?.remedy).toMatch(/fixed/);
    }
  });

  test('an empty list is valid', () => {
    expect(read('{"hooks":[]}')).toEqual({ hooks: [], modules: [], problems: [] });
  });

  test('comments, trailing commas, a byte order mark and Windows line ends are accepted', () => {
    expect(read(`\uFEFF{ // mine\r\n"hooks": [${SOUND},],\r\n}`)).toMatchObject({
      problems: [],
      hooks: [{ on: 'error' }],
    });
  });
});

test('a broken guard blocks its tools under its policy', () => {
  const entry =
    '{ "event": "tool.pre", "matcher": "run_command", "command": 1, "onFailure": "ask", "timeout": 500 }';
  const [hook] = read(among(entry)).hooks;
  expect(hook).toMatchObject({
    matcher: 'run_command',
    onFailure: 'ask',
    run: {
      kind: 'missing',
      why: { kind: 'not-loaded', detail: expect.stringContaining('hooks[0].command') },
    },
  });
  const match = hook?.match;
  expect(match?.kind === 'pattern' && [match.test('run_command'), match.test('edit_file')]).toEqual([
    true,
    false,
  ]);
});

describe('locations', () => {
  const ground = (folders: Record<string, readonly string[]>) =>
    opta.config.places({ home: '/h', cwd: '/p', env: {}, list: (folder) => folders[folder] ?? [] });

  test("the user's file is read first, then the project's, whose commands run in the project", () => {
    expect(ground({})).toEqual([
      { layer: 'user', file: '/h/.config/opta/config.json' },
      { layer: 'project', file: '/p/.opta/config.json', folder: '/p' },
    ]);
  });

  test('plugins are folders with an .mcp.json, in alphabetical order; their commands run in their folder', () => {
    const found = ground({
      '/h/.config/opta/plugins': ['mine'],
      '/h/.config/opta/plugins/mine': ['.mcp.json', 'hooks'],
      '/p/.opta/plugins': ['b', 'a', 'no-plugin'],
      '/p/.opta/plugins/a': ['.mcp.json'],
      '/p/.opta/plugins/b': ['.mcp.json', 'hooks'],
      '/p/.opta/plugins/no-plugin': ['hooks'],
    });
    expect(found.map(({ layer, file, folder }) => [layer, file, folder])).toEqual([
      ['user', '/h/.config/opta/config.json', undefined],
      ['user', '/h/.config/opta/plugins/mine/hooks/hooks.json', '/h/.config/opta/plugins/mine'],
      ['project', '/p/.opta/config.json', '/p'],
      ['project', '/p/.opta/plugins/a/hooks/hooks.json', '/p/.opta/plugins/a'],
      ['project', '/p/.opta/plugins/b/hooks/hooks.json', '/p/.opta/plugins/b'],
    ]);
  });
});
