import { describe, expect, test } from 'vitest';
import type { Place } from '../../../events/dialect.ts';
import type { Hook } from '../../../events/hook.ts';
import { show } from '../../../events/problems.ts';
import { GLOBAL, PLUGIN } from './fixtures/seats.ts';
import { goose } from './index.ts';
import { GOOSE_EVENTS } from './names.ts';
import { places } from './places.ts';

const FILE = GLOBAL.file;
const PROJECT = { layer: 'project', sort: 'project', file: '/p/.goose/settings.json' } as const;
const CLAUDE: Place = { ...PROJECT, file: '/p/.claude/settings.json', owner: 'claude-code' } as Place;

const read = (value: unknown, place: Place = GLOBAL) =>
  goose.config.read(typeof value === 'string' ? value : JSON.stringify(value, null, 2), place);
const group = (...hooks: unknown[]) => ({ hooks: { PreToolUse: [{ hooks }] } });
const told = (value: unknown, place: Place = GLOBAL) => read(value, place).problems.map(show);
const brief = ({ on, matcher, timeoutMs, onFailure, run }: Hook) => [
  on,
  matcher,
  timeoutMs,
  onFailure,
  run.kind,
];
const echo = { type: 'command', command: 'echo' };

test('the example of the document is read, with timeouts in seconds', () => {
  const { hooks, problems } = read({
    hooks: {
      SessionStart: [{ hooks: [{ type: 'command', command: '/path/to/start-hook.sh', timeout: 15 }] }],
      UserPromptSubmit: [{ hooks: [{ type: 'command', command: '/path/to/inject.sh', timeout: 10 }] }],
      PreToolUse: [
        {
          matcher: 'developer__shell',
          hooks: [{ type: 'command', command: '/path/to/guard.sh', timeout: 5 }],
        },
      ],
      Stop: [{ hooks: [{ type: 'command', command: '/path/to/cleanup.sh', timeout: 10 }] }],
    },
  });
  expect(problems).toEqual([]);
  expect(hooks.map(brief)).toEqual([
    ['SessionStart', undefined, 15_000, undefined, 'command'],
    ['UserPromptSubmit', undefined, 10_000, undefined, 'command'],
    ['PreToolUse', 'developer__shell', 5_000, undefined, 'command'],
    ['Stop', undefined, 10_000, undefined, 'command'],
  ]);
  expect(hooks[2]).toEqual({
    id: `goose:${FILE}#PreToolUse/1.1`,
    dialect: 'goose',
    on: 'PreToolUse',
    origin: { layer: 'user', file: FILE, line: 29, column: 11 },
    roles: ['guard'],
    match: { kind: 'names', names: ['developer__shell'] },
    label: '/path/to/guard.sh',
    matcher: 'developer__shell',
    run: { kind: 'command', run: { line: '/path/to/guard.sh' }, env: 'inherit' },
    background: false,
    shadow: false,
    timeoutMs: 5_000,
  });
});

test('every event can be configured, and groups and lists keep their order', () => {
  const all = Object.fromEntries(
    GOOSE_EVENTS.map((word) => [word, [{ hooks: [echo, { ...echo, timeout: 1 }] }, { hooks: [echo] }]]),
  );
  const { hooks, problems } = read({ hooks: all });
  expect(problems).toEqual([]);
  expect(hooks.map(({ id }) => id)).toEqual(
    GOOSE_EVENTS.flatMap((word) => ['1.1', '1.2', '2.1'].map((seat) => `goose:${FILE}#${word}/${seat}`)),
  );
});

describe('a timeout', () => {
  const timeouts = (place: Place, ...values: unknown[]) =>
    read(group(...values.map((timeout) => ({ ...echo, timeout }))), place).hooks.map(
      ({ timeoutMs }) => timeoutMs,
    );
  test('the default timeout is 600 seconds, 30 in a plugin, and 0 means the default', () => {
    expect(timeouts(GLOBAL, undefined, 0, 0.5, 1e9)).toEqual([600_000, 600_000, 500, 1e12]);
    expect(timeouts(PLUGIN, undefined, 0, 5)).toEqual([30_000, 30_000, 5_000]);
  });
  test('an invalid timeout is reported, and the default is used', () => {
    expect(timeouts(GLOBAL, '5', -1, null)).toEqual([600_000, 600_000, 600_000]);
    // JSON's 1e400 is infinite, so not a valid number of seconds.
    const endless = JSON.stringify(group({ ...echo, timeout: 5 })).replace('5', '1e400');
    expect(read(endless, GLOBAL).hooks.map(({ timeoutMs }) => timeoutMs)).toEqual([600_000]);
    expect(told(endless)).toHaveLength(1);
    expect(told(group({ ...echo, timeout: '5' }))).toEqual([
      `${FILE}:9:24: hooks.PreToolUse[0].hooks[0].timeout: is "5". Write seconds; until then the default (600, in a plugin 30) is used. [wrong-type]`,
    ]);
  });
});

describe('an mcp_tool action', () => {
  test('an mcp_tool action is read with tool, arguments, server and event option', () => {
    const server = { command: 'node', args: ['s.js'], env: { A: 'b' }, cwd: '/s' };
    const { hooks, problems } = read(
      group(
        { type: 'mcp_tool', tool: 'memory__recall' },
        {
          type: 'mcp_tool',
          tool: 'recall',
          arguments: { q: 1 },
          server: 'memory',
          timeout: 3,
          pass_event: true,
        },
        { type: 'mcp_tool', tool: 'recall', server, pass_event: 'payload' },
        {
          type: 'mcp_tool',
          tool: 'recall',
          server: { url: 'http://127.0.0.1/mcp', headers: { a: 'b' } },
          pass_event: false,
        },
      ),
    );
    expect(problems).toEqual([]);
    expect(hooks.map(({ run, timeoutMs }) => [run, timeoutMs])).toEqual([
      [{ kind: 'mcp', tool: 'memory__recall' }, 600_000],
      [{ kind: 'mcp', tool: 'recall', input: { q: 1 }, server: 'memory', passEvent: 'event' }, 3_000],
      [{ kind: 'mcp', tool: 'recall', server, passEvent: 'payload' }, 600_000],
      [
        { kind: 'mcp', tool: 'recall', server: { url: 'http://127.0.0.1/mcp', headers: { a: 'b' } } },
        600_000,
      ],
    ]);
  });
  const bad: [string, object, string][] = [
    ['no tool', { type: 'mcp_tool' }, 'hooks.PreToolUse[0].hooks[0]: has no tool.'],
    [
      'arguments that are no object',
      { type: 'mcp_tool', tool: 't', arguments: [1] },
      'arguments: expected an object, got a list ([1]).',
    ],
    [
      'a server that is neither',
      { type: 'mcp_tool', tool: 't', server: {} },
      'server: has neither command nor url.',
    ],
    [
      'an address that is none',
      { type: 'mcp_tool', tool: 't', server: { url: 'ftp://x' } },
      'server.url: is "ftp://x".',
    ],
    [
      'the old transport',
      { type: 'mcp_tool', tool: 't', server: { type: 'sse', url: 'http://x' } },
      'is "sse"',
    ],
  ];
  test.each(bad)('%s is reported at its location', (_, action, message) => {
    expect(told(group(action)).join('\n')).toContain(message);
  });
});

describe('on_failure', () => {
  const policies = (event: string, ...values: unknown[]) =>
    read({ hooks: { [event]: [{ hooks: values.map((on_failure) => ({ ...echo, on_failure })) }] } });
  test('on_failure sets whether a guard fails open or closed', () => {
    const { hooks, problems } = policies('PreToolUse', undefined, 'allow', 'block');
    expect([hooks.map(({ onFailure }) => onFailure), problems]).toEqual([[undefined, 'allow', 'block'], []]);
  });
  test('an unknown on_failure value is reported and read as the strict one', () => {
    const { hooks, problems } = policies('PreToolUse', 'blcok', null);
    expect(hooks.map(({ onFailure, run }) => [onFailure, run.kind])).toEqual([
      ['block', 'command'],
      ['block', 'command'],
    ]);
    expect(problems.map(show)[0]).toContain('is "blcok". Did you mean "block"? Until then a failure blocks.');
  });
  test('on_failure never keeps an agent from stopping', () => {
    const { hooks, problems } = policies('Stop', 'block');
    expect([hooks.map(({ onFailure }) => onFailure), problems.map(({ severity }) => severity)]).toEqual([
      [undefined],
      ['warning'],
    ]);
  });
});

describe('a plugin', () => {
  test('commands of a plugin contain its folder', () => {
    const { hooks } = read(group({ command: 'sh "${PLUGIN_ROOT}/a.sh" ${PLUGIN_ROOT}' }), PLUGIN);
    const { root } = PLUGIN.plugin!;
    expect(hooks[0]!.run).toEqual({
      kind: 'command',
      run: { line: `sh "${root}/a.sh" ${root}` },
      env: 'inherit',
      set: { PLUGIN_ROOT: root },
    });
  });
  test('a plugin folder with shell syntax is passed as a variable', () => {
    const place = { ...PLUGIN, plugin: { root: '/h/$(touch x)', name: '$(touch x)' } };
    const { hooks } = read(group({ command: 'sh "${PLUGIN_ROOT}/a.sh"' }), place);
    expect(hooks[0]!.run).toMatchObject({
      run: { line: 'sh "${PLUGIN_ROOT}/a.sh"' },
      set: { PLUGIN_ROOT: '/h/$(touch x)' },
    });
  });
});

describe('invalid settings', () => {
  const rows: [string, unknown, string[], number][] = [
    [
      'an unknown event',
      { hooks: { PreTooluse: [{ hooks: [echo] }], Stop: [{ hooks: [echo] }] } },
      [
        `${FILE}:3:5: hooks.PreTooluse: unknown event "PreTooluse". Did you mean "PreToolUse"? [unknown-event]`,
      ],
      1,
    ],
    [
      'an unknown type of action',
      group({ type: 'comand', command: 'x' }, echo),
      [
        `${FILE}:7:21: hooks.PreToolUse[0].hooks[0].type: is "comand". Did you mean "command"? The action is left out. [bad-value]`,
      ],
      1,
    ],
    [
      'no type and no command',
      group({}, echo),
      [`${FILE}:6:11: hooks.PreToolUse[0].hooks[0]: has no type. Known: command, mcp_tool. [bad-value]`],
      1,
    ],
    [
      'an unknown key',
      group({ ...echo, tiemout: 3 }),
      [
        `${FILE}:9:13: hooks.PreToolUse[0].hooks[0].tiemout: unknown key "tiemout". Did you mean "timeout"? [unknown-key]`,
      ],
      1,
    ],
    [
      'a group without hooks',
      { hooks: { Stop: [{ matcher: 'x' }, { hooks: [echo] }] } },
      [`${FILE}:4:7: hooks.Stop[0]: has no hooks. Write "hooks": [ { "type": "command", … } ]. [bad-value]`],
      1,
    ],
    [
      'an invalid matcher: its group alone is left out',
      { hooks: { PreToolUse: [{ matcher: 'a(', hooks: [echo] }, { hooks: [echo] }] } },
      [
        `${FILE}:5:20: hooks.PreToolUse[0].matcher: "a(": Invalid regular expression: /^(?:a()$/: Unterminated group. Write a tool name, Bash(<glob>) or a regular expression. Its hooks do not run until then. [bad-matcher]`,
      ],
      1,
    ],
    [
      'a matcher that fits no compaction',
      { hooks: { PreCompact: [{ matcher: 'manuel', hooks: [echo] }] } },
      [
        `${FILE}:5:20: hooks.PreCompact[0].matcher: "manuel" matches no compaction, so the hooks never run. Write "manual" or "auto". [bad-matcher]`,
      ],
      1,
    ],
    [
      'a matcher where there is nothing to match',
      { hooks: { SessionStart: [{ matcher: 'startup', hooks: [echo] }] } },
      [
        `${FILE}:5:20: hooks.SessionStart[0].matcher: SessionStart has nothing to match, so the matcher is ignored and the hooks run. Leave the matcher out. [matcher-unused]`,
      ],
      1,
    ],
    [
      'an empty list',
      { hooks: { Stop: [] } },
      [`${FILE}:3:13: hooks.Stop: is an empty list. Nothing runs. [empty-list]`],
      0,
    ],
    [
      'wrong types',
      {
        hooks: {
          Stop: {},
          PreToolUse: [7, { hooks: 'x' }, { matcher: 3, hooks: [echo] }, { hooks: [5, echo] }],
        },
      },
      [
        `${FILE}:3:13: hooks.Stop: is {}; expected a list of groups. [wrong-type]`,
        `${FILE}:5:7: hooks.PreToolUse[0]: expected an object, got a number (7). [wrong-type]`,
        `${FILE}:7:18: hooks.PreToolUse[1].hooks: is "x"; expected a list of actions. [wrong-type]`,
        `${FILE}:10:20: hooks.PreToolUse[2].matcher: expected a string, got a number (3). [wrong-type]`,
        `${FILE}:20:11: hooks.PreToolUse[3].hooks[0]: expected an object, got a number (5). [wrong-type]`,
      ],
      1,
    ],
    [
      'hooks that are no object',
      { hooks: [] },
      [`${FILE}:2:12: hooks: expected an object, got a list ([]). [wrong-type]`],
      0,
    ],
    ['a file that is a list', [], [`${FILE}:1:1: expected an object, got a list ([]). [wrong-type]`], 0],
    ['a file without hooks', { other: true }, [], 0],
    [
      'a file that is cut off',
      '{"hooks": {"Stop": [',
      [
        `${FILE}:1:21: expected a value, found the end of the text. The file seems to be truncated. No part of it is used until this is fixed. [syntax]`,
      ],
      0,
    ],
    ['an empty file', '', [expect.stringContaining('[syntax]') as unknown as string], 0],
  ];
  test.each(rows)(
    'invalid settings are reported with location and nearest name, and the rest loads: %s',
    (_, value, problems, count) => {
      const found = read(value);
      expect([found.problems.map(show), found.hooks.length]).toEqual([problems, count]);
    },
  );

  test('an unreadable action stays and fails by its policy', () => {
    const { hooks } = read(
      group(
        { type: 'command' },
        { type: 'command', command: 7, on_failure: 'block' },
        { type: 'command', command: ' ' },
      ),
    );
    expect(hooks.map(({ run, onFailure }) => [run, onFailure])).toEqual([
      [
        {
          kind: 'missing',
          why: { kind: 'not-loaded', detail: 'hooks.PreToolUse[0].hooks[0] has no command.' },
        },
        undefined,
      ],
      [
        {
          kind: 'missing',
          why: {
            kind: 'not-loaded',
            detail: 'hooks.PreToolUse[0].hooks[1].command expected a string, got a number (7).',
          },
        },
        'block',
      ],
      [
        {
          kind: 'missing',
          why: { kind: 'not-loaded', detail: 'hooks.PreToolUse[0].hooks[2].command is empty.' },
        },
        undefined,
      ],
    ]);
  });
  test('keys that only Claude Code has are valid in its file', () => {
    const value = {
      permissions: {},
      hooks: {
        PostToolBatch: [{ hooks: [echo] }],
        PreToolUse: [
          {
            matcher: 'Edit|Write',
            hooks: [
              { ...echo, statusMessage: 'x' },
              { type: 'prompt', prompt: 'p' },
            ],
          },
        ],
      },
    };
    const { hooks, problems } = read(value, CLAUDE);
    expect(hooks.map(({ match }) => match)).toEqual([{ kind: 'names', names: ['Edit', 'Write'] }]);
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([
      ['unknown-event', 'warning'],
      ['bad-value', 'warning'],
    ]);
  });
});

describe('the gate', () => {
  const gate = (value: unknown, place: Place = GLOBAL) => {
    const { settings, problems } = read({ allow_project_hooks: value }, place);
    return [settings, problems.length];
  };
  test('the gate is read from the global file, and only true opens it', () => {
    expect([true, false, 'true', 1, null].map((value) => gate(value))).toEqual([
      [{ allow_project_hooks: true }, 0],
      [{ allow_project_hooks: false }, 0],
      [{ allow_project_hooks: false }, 1],
      [{ allow_project_hooks: false }, 1],
      [{ allow_project_hooks: false }, 1],
    ]);
  });
  test('a project or plugin cannot open the gate, and the attempt is reported', () => {
    expect([gate(true, PROJECT), gate(true, CLAUDE), gate(true, PLUGIN)]).toEqual([
      [undefined, 1],
      [undefined, 1],
      [undefined, 1],
    ]);
  });
  const globally = (settings: object) => [{ place: GLOBAL, settings: settings as Record<string, unknown> }];
  const admit = (place: Place, settings?: object) =>
    goose.config.admit!(place, settings ? globally(settings) : []);
  test('a closed gate skips the files of a project and names them', () => {
    expect(admit(PROJECT, { allow_project_hooks: true })).toBe(true);
    expect(admit(GLOBAL)).toBe(true);
    for (const shut of [undefined, { allow_project_hooks: false }])
      expect(admit(PROJECT, shut)).toMatchObject({
        code: 'not-trusted',
        file: PROJECT.file,
        severity: 'warning',
      });
  });
  test('a project file cannot open the gate', () => {
    const said = [{ place: PROJECT, settings: { allow_project_hooks: true } }];
    expect(goose.config.admit!(PROJECT, said)).not.toBe(true);
  });
  const plugin = { ...PLUGIN, layer: 'project' } as Place;
  test('the gate only affects project plugins if it was closed explicitly, because current Goose has no gate', () => {
    expect([admit(plugin), admit(plugin, { allow_project_hooks: true })]).toEqual([true, true]);
    expect(admit(plugin, { allow_project_hooks: false })).not.toBe(true);
  });
  test('user settings can disable a plugin, project settings only their own, and the nearest file wins', () => {
    const said = (layer: Place['layer'], key: string) => ({
      place: { layer, sort: 'settings', file: 's' } as Place,
      settings: { [key]: ['p'] },
    });
    const off = (place: Place, ...all: ReturnType<typeof said>[]) => goose.config.admit!(place, all);
    expect(off(PLUGIN, said('user', 'disabledPlugins'))).toBe(false);
    expect(off(plugin, said('user', 'disabledPlugins'))).toBe(false);
    expect(off(plugin, said('user', 'disabledPlugins'), said('project', 'enabledPlugins'))).toBe(true);
    expect(off(PLUGIN, said('project', 'disabledPlugins'))).toBe(true);
    expect(off(PLUGIN, said('user', 'enabledPlugins'))).toBe(true);
  });
});

test('locations are the three documented files and the plugins of current Goose', () => {
  const list = (folder: string) =>
    folder === '/h/.agents/plugins' ? ['b', 'a'] : folder === '/p/.agents/plugins' ? ['c'] : [];
  const found = places({ home: '/h', cwd: '/p', env: {}, list });
  expect(found.map(({ layer, file, owner }) => [layer, file, owner])).toEqual([
    ['user', '/h/.config/goose/hooks.json', undefined],
    ['user', '/h/.config/goose/settings.json', undefined],
    ['user', '/h/.agents/plugins/a/hooks/hooks.json', undefined],
    ['user', '/h/.agents/plugins/b/hooks/hooks.json', undefined],
    ['project', '/p/.goose/settings.json', undefined],
    ['project', '/p/.claude/settings.json', 'claude-code'],
    ['project', '/p/.config/goose/settings.local.json', undefined],
    ['project', '/p/.config/goose/settings.json', undefined],
    ['project', '/p/.agents/plugins/c/hooks/hooks.json', undefined],
  ]);
  expect(places({ home: '/h', cwd: '/p', env: { XDG_CONFIG_HOME: '/x' } })[0]!.file).toBe(
    '/x/goose/hooks.json',
  );
  expect(places({ home: '/h', cwd: '/p', env: { XDG_CONFIG_HOME: 'x' } })[0]!.file).toBe(
    '/h/.config/goose/hooks.json',
  );
});
