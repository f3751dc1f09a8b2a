import { describe, expect, test } from 'vitest';
import type { Place } from '../../../events/dialect.ts';
import { show } from '../../../events/problems.ts';
import { anyhook } from './index.ts';

const USER: Place = { layer: 'user', file: '/h/hooks.json' };
const PROJECT: Place = { layer: 'project', file: '/p/.anyhook/hooks.json', folder: '/p' };
const read = (text: string, place = USER) => anyhook.config.read(text, place);
const entry = (event: string, body: string, place = USER) =>
  read(`{"hooks": {"${event}": [${body}]}}`, place);
const said = (text: string, place = USER) => read(text, place).problems.map(show);

test.each(['', ' \n', '\uFEFF'])(
  'a file that contains only %j configures no hooks and gives a warning',
  (text) => {
    expect(anyhook.config.read(text, { layer: 'user', file: '/h/hooks.json' })).toEqual({
      hooks: [],
      modules: [],
      problems: [expect.objectContaining({ code: 'syntax', severity: 'warning' })],
    });
  },
);

describe('hooks.json', () => {
  test('hooks.json is parsed into hooks, modules and settings', () => {
    const config = read(`{
      "$schema": "https://example.com/schema.json",
      "hooks": {
        "tool.before": [
          { "match": "write|edit", "run": "/opt/guard.sh", "name": "no-push", "roles": ["guard"], "timeoutMs": 5000,
            "onFailure": "ask", "shadow": true, "env": { "A": "b" }, "cwd": "sub", "shell": "bash", "status": "checking…" },
          { "run": ["node", "x.js"], "background": true }, // an observer: nobody waits for it
        ],
        "turn.stop": [{ "prompt": "Is it done?" }],
      },
      "hookPaths": ["../shared/*.ts", "/abs/a.mjs", "~/b.ts"],
      "order": ["opta", "anyhook"],
      "journal": { "required": true, "folder": "/var/log/hooks" },
    }`);
    expect(config.problems).toEqual([]);
    expect(config.hooks).toEqual([
      {
        id: '/h/hooks.json#no-push',
        dialect: 'anyhook',
        on: 'tool.before',
        origin: { layer: 'user', file: '/h/hooks.json', line: 5, column: 11 },
        roles: ['guard'],
        match: { kind: 'names', names: ['write', 'edit'] },
        matcher: 'write|edit',
        run: {
          kind: 'command',
          run: { line: '/opt/guard.sh', shell: 'bash' },
          env: 'inherit',
          set: { A: 'b' },
        },
        background: false,
        shadow: true,
        timeoutMs: 5000,
        onFailure: 'ask',
        status: 'checking…',
        extra: { cwd: 'sub' },
      },
      {
        id: '/h/hooks.json#tool.before[1]',
        dialect: 'anyhook',
        on: 'tool.before',
        origin: { layer: 'user', file: '/h/hooks.json', line: 7, column: 11 },
        roles: ['observer'],
        match: { kind: 'any' },
        run: { kind: 'command', run: { argv: ['node', 'x.js'] }, env: 'inherit' },
        background: true,
        shadow: false,
        timeoutMs: 60_000,
      },
      {
        id: '/h/hooks.json#turn.stop[0]',
        dialect: 'anyhook',
        on: 'turn.stop',
        origin: { layer: 'user', file: '/h/hooks.json', line: 9, column: 23 },
        roles: ['guard'],
        match: { kind: 'any' },
        run: { kind: 'prompt', text: expect.stringMatching(/^Is it done\?[^]*\$ARGUMENTS[^]*"ok"/) },
        background: false,
        shadow: false,
        timeoutMs: 60_000,
      },
    ]);
    expect(config.modules).toEqual([
      { file: '/shared/*.ts', place: USER, line: 11 },
      { file: '/abs/a.mjs', place: USER, line: 11 },
      { file: '~/b.ts', place: USER, line: 11 },
    ]);
    expect(config.settings).toEqual({
      order: ['opta', 'anyhook'],
      journal: { required: true, folder: '/var/log/hooks' },
    });
  });

  test('a command of a project runs in the project root, or in the folder below it that `cwd` names', () => {
    const ways = entry('tool.before', '{"run": "a"}, {"run": "b", "cwd": "sub"}', PROJECT).hooks;
    expect(ways.map(({ run }) => run.kind === 'command' && run.cwd)).toEqual(['/p', '/p/sub']);
  });

  test('a `shadow` setting in a file applies to all of its hooks', () => {
    const { hooks, settings } = read('{"shadow": true, "hooks": {"tool.before": [{"run": "a"}]}}');
    expect([hooks.map(({ shadow }) => shadow), settings]).toEqual([[true], { shadow: true }]);
  });

  test('a hooks.json that is not JSON gives one problem and no hooks', () => {
    expect(read('{"hooks": {"tool.before": [{"run": "a"}')).toEqual({
      hooks: [],
      modules: [],
      problems: [expect.objectContaining({ code: 'syntax', line: 1, column: 40 })],
    });
  });

  test('a project cannot set the dialect order or the journal', () => {
    const { settings, problems } = read('{"order": ["opta"], "journal": {"folder": "/x"}}', PROJECT);
    expect(settings).toBeUndefined();
    expect(problems.map(({ key, code }) => [key, code])).toEqual([
      ['order', 'bad-value'],
      ['journal', 'bad-value'],
    ]);
  });
});

describe('a broken entry', () => {
  const BAD = [
    ['{"matc": "shell", "run": "a"}', 'unknown key "matc"'],
    ['{"match": "shell("  , "run": "a"}', '")" is missing'],
    ['{"match": "shell"}', 'has nothing to run'],
    ['{"run": "a", "prompt": "b"}', 'has both "run" and "prompt"'],
    ['{"run": []}', 'is an empty list'],
    ['{"run": ["a\\u0000"]}', 'contains a NUL character'],
    ['{"run": [" "]}', 'names no program'],
    ['{"run": ""}', 'is empty'],
    ['{"run": "# guard\\n\\n  # more"}', 'is only a comment'],
    ['"./guard.sh"', 'expected an object'],
    ['null', 'expected an object'],
    ['{"run": "a", "timeoutMs": 0}', 'is 0'],
    ['{"run": "a", "timeoutMs": -5}', 'is -5'],
    ['{"run": "a", "timeoutMs": 1e400}', 'is Infinity'],
    ['{"run": "a", "timeoutMs": 2147483648}', 'is 2147483648'],
    ['{"run": "a", "timeoutMs": "5"}', 'expected a number'],
    ['{"run": "a", "onFailure": "closed"}', 'is "closed"'],
    ['{"run": "a", "roles": ["guard"], "background": true}', 'cannot return an answer'],
    ['{"run": ["a"], "shell": "bash"}', 'has no effect here'],
    ['{"prompt": "a", "env": {}}', 'has no effect here'],
    ['{"run": "a", "env": {"ANYHOOK_EVENT": "x"}}', 'set by anyhook itself'],
    ['{"run": "a", "env": {"A=B": "x"}}', 'cannot be set'],
    ['{"run": "a", "cwd": "~/x"}', '"~" is not expanded here'],
  ] as const;

  test.each(BAD)(
    'the broken entry %s on a deciding event stays as a hook that fails closed',
    (body, message) => {
      const { hooks, problems } = entry('tool.before', body);
      expect(problems.map(({ message: text }) => text)).toEqual([expect.stringContaining(message)]);
      expect(problems[0]).toMatchObject({ severity: 'error', file: '/h/hooks.json', line: 1 });
      const [hook] = hooks;
      expect(hook?.run).toEqual({
        kind: 'missing',
        why: { kind: 'not-loaded', detail: expect.stringContaining(message) },
      });
      expect(anyhook.failure('tool.before', 'not-loaded', hook!)).toBe('block');
    },
  );

  test.each(BAD.filter(([body]) => !body.includes('match')))(
    'the broken entry %s on a watching event is skipped and reported',
    (body, message) => {
      const { hooks, problems } = entry('agent.start', body);
      expect(hooks).toEqual([]);
      expect(problems.filter(({ severity }) => severity === 'error').map((p) => p.message)).toEqual([
        expect.stringContaining(message),
      ]);
    },
  );

  test('a broken entry keeps its readable fields, such as matcher and failure policy', () => {
    const { hooks } = entry(
      'tool.before',
      '{"match": "write", "onFailure": "ask", "timeoutMs": 0, "run": "a"}',
    );
    expect(hooks).toMatchObject([{ match: { kind: 'names', names: ['write'] }, onFailure: 'ask' }]);
  });

  test('a broken entry of an observer is skipped', () => {
    expect(entry('tool.before', '{"roles": ["observer"], "run": 5}').hooks).toEqual([]);
  });

  test('a broken entry does not prevent other entries from loading', () => {
    const { hooks } = entry('tool.before', '{"run": "a"}, {"ran": "b"}, {"run": "c"}');
    expect(hooks.map(({ run }) => run.kind)).toEqual(['command', 'missing', 'command']);
  });
});

describe('a typo', () => {
  test.each([
    [
      '{"hooks": {"tool.befor": [{"run": "a"}]}}',
      '/h/hooks.json:1:12: hooks["tool.befor"]: unknown event "tool.befor". Did you mean "tool.before"? [unknown-event]',
    ],
    [
      '{"tool.before": [{"run": "a"}]}',
      '/h/hooks.json:1:2: ["tool.before"]: is outside "hooks". Move it into "hooks". [unknown-key]',
    ],
    [
      '{"hook": {"tool.before": [{"run": "a"}]}}',
      '/h/hooks.json:1:2: hook: unknown key "hook". Did you mean "hooks"? [unknown-key]',
    ],
    [
      '{"hooks": {"tool.before": {"run": "a"}}}',
      '/h/hooks.json:1:27: hooks["tool.before"]: is {"run":"a"}; expected a list of hooks. Put it in [ ]. [wrong-type]',
    ],
  ])('a typo in %s is reported and its guard does not vanish', (text, problem) => {
    const { hooks, problems } = read(text);
    expect(problems.map(show)).toEqual([problem]);
    expect(hooks).toMatchObject([{ on: 'tool.before', run: { kind: 'missing' } }]);
  });

  test.each([
    ['{"hooks": {"PreToolUse": []}}', 'unknown event "PreToolUse". Known: session.start,'],
    ['{"hooks": {"turn.stop": [{"match": "x", "run": "a"}]}}', '[matcher-unused]'],
    ['{"hooks": []}', 'expected an object'],
    ['{"hooks": {"tool.before": []}}', 'contains no hook. [empty-list]'],
    ['{"order": []}', '[empty-list]'],
    ['{"journal": {"require": true}}', 'Did you mean "required"?'],
    ['{"shadow": "yes"}', 'expected true or false'],
    ['[]', 'expected an object'],
  ])('the typo %s is reported: %s', (text, message) => {
    expect(said(text)).toEqual([expect.stringContaining(message)]);
    expect(read(text).hooks).toEqual([]);
  });

  test('every typo of a whole corpus is reported', () => {
    const good =
      '{"hooks": {"tool.before": [{"match": "write", "run": "a", "onFailure": "block", "roles": ["guard"]}]}}';
    expect(said(good)).toEqual([]);
    for (const word of ['hooks', 'tool.before', 'match', 'run', 'onFailure', 'block', 'roles', 'guard'])
      for (let i = 0; i < word.length; i++) {
        const typo = good.replace(`"${word}"`, `"${word.slice(0, i)}${word.slice(i + 1)}"`);
        expect(said(typo), typo).not.toEqual([]);
        expect(read(typo).hooks, typo).toMatchObject([{ run: { kind: 'missing' } }]);
      }
  });
});

describe('a warning', () => {
  test.each([
    ['tool.before', '{"run": "./guard.sh"}', 'resolved against the folder the agent works in'],
    ['agent.start', '{"run": "a", "roles": ["guard"]}', 'a guard has no effect here'],
    ['agent.start', '{"run": "a", "roles": ["mutator"]}', 'agent.start has no fields that can be changed'],
    ['tool.before', '{"run": "a", "name": "x"}, {"run": "b", "name": "x"}', '"x" is used twice'],
  ])('a warning on %s for %s does not prevent loading', (event, body, message) => {
    const { hooks, problems } = entry(event, body);
    expect(problems.map((p) => [p.severity, p.message])).toEqual([
      ['warning', expect.stringContaining(message)],
    ]);
    expect(hooks.every(({ run }) => run.kind === 'command')).toBe(true);
    expect(new Set(hooks.map(({ id }) => id)).size).toBe(hooks.length);
  });

  test('a project cannot set variables that load code, and the user can', () => {
    for (const name of ['LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'PYTHONPATH', 'GIT_SSH_COMMAND', 'PATH']) {
      const body = `{"run": "a", "env": {"${name}": "x"}}`;
      expect(entry('tool.before', body, PROJECT).hooks[0]?.run.kind, name).toBe('missing');
      expect(entry('tool.before', body).problems, name).toEqual([]);
    }
  });
});

test('the format version defaults to 1; another version is a problem, and its hooks are still read', () => {
  const read = (version: unknown) =>
    anyhook.config.read(JSON.stringify({ version, hooks: { 'tool.before': [{ run: 'guard' }] } }), {
      layer: 'user',
      file: '/h/hooks.json',
    });
  for (const fine of [1, undefined]) expect([fine, read(fine).problems]).toEqual([fine, []]);
  const { hooks, problems } = read(2);
  expect([hooks.length, problems.map(({ key, message }) => [key, message])]).toEqual([
    1,
    [['version', 'is 2.']],
  ]);
});

describe('modules written for another agent', () => {
  test('a module for another agent is named with its dialect', () => {
    const { modules, problems } = read(`{
      "hookPaths": [
        { "path": "./added/a", "dialect": "claude-code", "settings": "x.json" },
        { "path": "~/b.ts", "dialect": "opencode", "options": { "quiet": true } },
      ],
    }`);
    expect([modules, problems]).toEqual([
      [
        expect.objectContaining({ file: '/h/added/a', dialect: 'claude-code', settings: 'x.json', line: 3 }),
        expect.objectContaining({ file: '~/b.ts', dialect: 'opencode', options: { quiet: true }, line: 4 }),
      ],
      [],
    ]);
  });

  test.each([
    ['{ "path": "./a" }', 'needs "path" and "dialect".'],
    ['{ "path": "./a", "dialect": "opencode", "option": {} }', 'unknown key "option".'],
    ['7', 'expected an object, got a number (7).'],
  ])('the module entry %s is rejected', (item, said) => {
    expect(read(`{ "hookPaths": [${item}] }`).problems.map(({ message }) => message)).toEqual([said]);
  });
});
