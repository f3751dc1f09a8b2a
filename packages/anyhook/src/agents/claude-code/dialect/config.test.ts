import { describe, expect, test } from 'vitest';
import type { Locations, Place } from '../../../events/dialect.ts';
import { show } from '../../../events/problems.ts';
import { event } from '../../../testing/index.ts';
import { config } from './config.ts';
import { type ClaudeWord, CLAUDE_WORDS, claudeEvent } from './events.ts';
import { hookFor, PLACE } from './fixtures/hook-for.ts';

const read = (value: unknown, place: Place = PLACE) =>
  config.read(typeof value === 'string' ? value : JSON.stringify(value, null, 2), place);
const command = (over: object = {}) => ({ type: 'command', command: 'guard.sh', ...over });
const on = (word: string, handlers: unknown, matcher?: unknown) => ({
  hooks: { [word]: [{ ...(matcher !== undefined && { matcher }), hooks: handlers }] },
});
const said = (value: unknown) => read(value).problems.map(show);

describe('a settings file', () => {
  test('a settings file becomes hooks in order, each with its location', () => {
    const file = {
      model: 'opus',
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [command({ timeout: 5, statusMessage: 'Looking' }), command({ command: 'b' })],
          },
        ],
        Stop: [{ hooks: [command({ onFailure: 'block' })] }],
      },
    };
    const { hooks, problems } = read(file);
    expect(hooks[0]).toEqual({
      id: `${PLACE.file}#PreToolUse[0][0]`,
      dialect: 'claude-code',
      on: 'PreToolUse',
      origin: { layer: 'user', file: PLACE.file, line: 8, column: 11 },
      roles: ['guard', 'mutator'],
      match: { kind: 'names', names: ['Bash'] },
      matcher: 'Bash',
      label: 'guard.sh',
      run: { kind: 'command', run: { line: 'guard.sh' }, env: ['*', '!OTEL_*'] },
      background: false,
      shadow: false,
      timeoutMs: 5000,
      status: 'Looking',
    });
    expect(hooks.map(({ id }) => id.split('#')[1])).toEqual([
      'PreToolUse[0][0]',
      'PreToolUse[0][1]',
      'Stop[0][0]',
    ]);
    expect(problems.map(({ key, severity }) => [key, severity])).toEqual([
      ['hooks.Stop[0].hooks[0].onFailure', 'warning'],
    ]);
  });

  test('a settings file without hooks, or with other keys only, is valid', () => {
    expect(read('{}')).toMatchObject({ hooks: [], problems: [] });
    expect(read({ permissions: { allow: [] }, env: {} })).toMatchObject({ hooks: [], problems: [] });
  });

  test('a settings file may contain comments and trailing commas', () => {
    const text = `{ // mine\n "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "x", }, ], }, ], }, }`;
    expect(read(text)).toMatchObject({ hooks: [{ on: 'Stop' }], problems: [] });
  });
});

describe('handlers', () => {
  const TIMES: readonly (readonly [ClaudeWord, string, number])[] = [
    ['PreToolUse', 'command', 600_000],
    ['PreToolUse', 'http', 600_000],
    ['PreToolUse', 'mcp_tool', 600_000],
    ['PreToolUse', 'prompt', 30_000],
    ['PreToolUse', 'agent', 60_000],
    ['UserPromptSubmit', 'command', 30_000],
    ['UserPromptSubmit', 'agent', 60_000],
    ['PreModelSwitch', 'http', 30_000],
    ['PostModelSwitch', 'mcp_tool', 30_000],
    ['MessageDisplay', 'command', 10_000],
    ['SessionEnd', 'command', 1_500],
  ];
  const SOUND: Record<string, object> = {
    command: { command: 'x' },
    http: { url: 'https://example.com' },
    mcp_tool: { server: 's', tool: 't' },
    prompt: { prompt: 'ok?' },
    agent: { prompt: 'ok?' },
  };
  test.each(TIMES)('%s %s has a default timeout of %i ms', (word, type, ms) => {
    expect(hookFor(word, { type, ...SOUND[type] }).timeoutMs).toBe(ms);
    if (word !== 'SessionEnd')
      expect(hookFor(word, { type, ...SOUND[type], timeout: 0.5 }).timeoutMs).toBe(500);
  });

  test('hooks at the end of a session share the longest requested timeout, up to a minute', () => {
    const times = (...timeouts: readonly (number | undefined)[]) =>
      read(
        on(
          'SessionEnd',
          timeouts.map((timeout) => command({ timeout })),
        ),
      ).hooks.map(({ timeoutMs }) => timeoutMs);
    expect([times(undefined, undefined), times(5, undefined), times(600, 1)]).toEqual([
      [1500, 1500],
      [5000, 5000],
      [60_000, 60_000],
    ]);
  });

  test.each(CLAUDE_WORDS)('%s accepts the handler types of its row and reports others', (word) => {
    for (const [type, fields] of Object.entries(SOUND)) {
      const { hooks, problems } = read(on(word, [{ type, ...fields }]));
      const isTaken = (claudeEvent(word).types as readonly string[]).includes(type);
      expect([hooks[0]!.run.kind === 'missing', problems.length], type).toEqual(
        isTaken ? [false, 0] : [true, 1],
      );
    }
  });

  test('handlers with args run without a shell, and placeholders are inserted as plain text', () => {
    const place: Place = { ...PLACE, vars: { CLAUDE_PROJECT_DIR: '/a b', CLAUDE_PLUGIN_ROOT: '/plug $x' } };
    const run = (handler: object) => read(on('Stop', [command(handler)]), place).hooks[0]!.run;
    expect(
      run({ command: '${CLAUDE_PLUGIN_ROOT}/x', args: ['--in=${CLAUDE_PROJECT_DIR}', '${OTHER}', ''] }),
    ).toEqual({
      kind: 'command',
      run: { argv: ['/plug $x/x', '--in=/a b', '${OTHER}', ''] },
      env: ['*', '!OTEL_*'],
      set: place.vars,
    });
    expect(run({ args: [] })).toMatchObject({ run: { argv: ['guard.sh'] } });
    expect(run({ command: '${CLAUDE_PLUGIN_ROOT}/x' })).toMatchObject({
      run: { line: '${CLAUDE_PLUGIN_ROOT}/x' },
    });
  });

  test('handlers can choose their shell', () => {
    expect(hookFor('Stop', command({ shell: 'bash' })).run).toMatchObject({
      run: { line: 'guard.sh', shell: 'bash' },
    });
    expect(
      hookFor('Stop', command({ command: '${CLAUDE_PLUGIN_ROOT}/a', shell: 'powershell' })).run,
    ).toMatchObject({
      run: { line: '${env:CLAUDE_PLUGIN_ROOT}/a', shell: 'pwsh' },
    });
  });

  test('async handlers decide nothing and are not awaited', () => {
    for (const key of ['async', 'asyncRewake'])
      expect(hookFor('PreToolUse', command({ [key]: true }))).toMatchObject({
        background: true,
        roles: ['observer'],
      });
  });

  test('handlers of the other types get their own kinds of `run`', () => {
    const runs = (handler: object) => hookFor('PreToolUse', handler).run;
    const url = 'http://127.0.0.1:9/x';
    expect(runs({ type: 'http', url, headers: { a: '$T' }, allowedEnvVars: ['T'] })).toEqual({
      kind: 'http',
      url,
      headers: { a: '$T' },
      env: ['T'],
    });
    expect(runs({ type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } })).toEqual({
      kind: 'mcp',
      server: 's',
      tool: 't',
      input: { a: 1 },
    });
    expect(runs({ type: 'prompt', prompt: 'Is $ARGUMENTS fine?', model: 'm' })).toMatchObject({
      kind: 'prompt',
      model: 'm',
    });
    expect(hookFor('PreToolUse', { type: 'agent', prompt: 'p' }).extra).toEqual({
      continueOnBlock: true,
      agent: true,
    });
  });

  test('handlers may set onFailure where it has an effect', () => {
    const policy = (word: ClaudeWord, over: object) => hookFor(word, command(over)).onFailure;
    expect(policy('PreToolUse', { onFailure: 'block' })).toBe('block');
    expect(policy('PreToolUse', { onFailure: 'continue' })).toBe('allow');
    expect(policy('PreToolUse', { onFailure: 'block', async: true })).toBeUndefined();
    for (const word of ['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle', 'PostToolUse'] as const)
      expect(policy(word, { onFailure: 'block' }), word).toBeUndefined();
  });

  test('handlers with "if" also check the arguments, and never run on events without "if"', () => {
    const shell = (command: string) => event('tool.before', { tool: 'shell', input: { command } });
    const hook = hookFor('PreToolUse', command({ if: 'Bash(git *)' }), 'Bash');
    expect([hook.when?.(shell('git push')), hook.when?.(shell('ls'))]).toEqual([true, false]);
    expect(hook.matcher).toBe('Bash if Bash(git *)');
    const { hooks, problems } = read(on('Stop', [command({ if: 'Bash(git *)' })]));
    expect([hooks[0]!.run.kind, hooks[0]!.when?.(event('turn.stop', { active: false }))]).toEqual([
      'command',
      false,
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      '"if" is for tool events: on Stop the hook never runs.',
    ]);
  });
});

describe('bad input', () => {
  test.each([
    [
      'an unknown event',
      { hooks: { PreToolUs: [{ hooks: [command()] }] } },
      /:3:5: hooks\.PreToolUs: unknown event "PreToolUs"\. Did you mean "PreToolUse"\?/,
    ],
    ['an event in another case', { hooks: { pretooluse: [] } }, /Did you mean "PreToolUse"\?/],
    ['hooks that are a list', { hooks: [] }, /hooks: is \[\]/],
    ['an event that is no list', { hooks: { Stop: { hooks: [] } } }, /hooks\.Stop: is \{"hooks":\[\]\}/],
    ['a group that is a text', { hooks: { Stop: ['x.sh'] } }, /hooks\.Stop\[0\]: is "x\.sh"/],
    [
      'a handler in the place of a group',
      { hooks: { Stop: [command()] } },
      /hooks\.Stop\[0\]: has no "hooks"/,
    ],
    [
      'a command beside hooks',
      { hooks: { Stop: [{ command: 'x', hooks: [command()] }] } },
      /Move it into an entry of "hooks"/,
    ],
    ['an empty list', on('Stop', []), /hooks\.Stop\[0\]\.hooks: is an empty list/],
    ['a handler without a type', on('Stop', [{ command: 'x' }]), /has no "type"\. Write "type": "command"/],
    [
      'an unknown type',
      on('Stop', [{ type: 'comand', command: 'x' }]),
      /unknown type "comand"\. Did you mean "command"\?/,
    ],
    ['a type that is a number', on('Stop', [{ type: 7 }]), /unknown type 7/],
    ['no command', on('Stop', [{ type: 'command' }]), /has no "command"/],
    ['an empty command', on('Stop', [command({ command: ' ' })]), /command: is empty/],
    ['a command that is a list', on('Stop', [command({ command: ['a'] })]), /expected a string/],
    [
      'an unknown key',
      on('Stop', [command({ tiemout: 1 })]),
      /unknown key "tiemout"\. Did you mean "timeout"\?/,
    ],
    [
      'a timeout as text',
      on('Stop', [command({ timeout: '60' })]),
      /timeout: is "60"\. Write a number of seconds/,
    ],
    ['a timeout of nothing', on('Stop', [command({ timeout: 0 })]), /timeout: is 0/],
    ['an unknown policy', on('PreToolUse', [command({ onFailure: 'deny' })]), /onFailure: is "deny"/],
    ['an unknown shell', on('Stop', [command({ shell: 'fish' })]), /shell: is "fish"/],
    ['once', on('Stop', [command({ once: true })]), /only applies in the frontmatter of a skill/],
    ['a broken matcher', on('PreToolUse', [command()], 'Bash('), /matcher: "Bash\("/],
    ['a matcher that is a list', on('PreToolUse', [command()], ['Bash']), /expected a string/],
    ['a matcher nobody reads', on('Stop', [command()], 'Bash'), /Stop has nothing to match/],
    ['a server for a matcher', on('PreToolUse', [command()], 'mcp__x'), /Write "mcp__x__\.\*"/],
    ['two rules', on('PreToolUse', [command({ if: 'Bash(a)|Edit' })]), /is not a permission rule/],
    [
      'headers that are not strings',
      on('Stop', [{ type: 'http', url: 'http://x', headers: { a: 1 } }]),
      /expected a string/,
    ],
    [
      'an address of another kind',
      on('Stop', [{ type: 'http', url: 'ftp://x' }]),
      /url: "ftp:\/\/x" is not an http or https URL/,
    ],
    [
      'an address with a password',
      on('Stop', [{ type: 'http', url: 'http://a:b@x' }]),
      /contains a user name or password/,
    ],
    ['a switch that is a text', { disableAllHooks: 'yes' }, /disableAllHooks: .*a string \("yes"\)/],
    ['answers of a plugin', on('Stop', [command({ command: 'x ${user_config.key}' })]), /user_config/],
  ])('%s is reported with its location', (_, value, expected) => {
    expect(said(value).join('\n')).toMatch(expected);
    for (const problem of read(value).problems) expect(problem.line, show(problem)).toBeGreaterThan(0);
  });

  test('an invalid entry does not affect the others, and stays to fail by its policy', () => {
    const { hooks } = read(
      on(
        'PreToolUse',
        [command({ command: 7, onFailure: 'block' }), command({ command: 'good' }), 'nonsense'],
        'Bash',
      ),
    );
    expect(hooks.map(({ run, onFailure, match }) => [run.kind, onFailure, match])).toEqual([
      ['missing', 'block', { kind: 'names', names: ['Bash'] }],
      ['command', undefined, { kind: 'names', names: ['Bash'] }],
      ['missing', undefined, { kind: 'names', names: ['Bash'] }],
    ]);
  });

  test.each([
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"hooks":',
    '{"hooks": null}',
    '{"hooks":{"Stop":[{"hooks":[null]}]}}',
    '{"a":1,"a":2}',
    '\u0000',
    '{"__proto__":{"hooks":{}}}',
  ])('%j does not throw, and is reported if it is invalid', (text) => {
    const { hooks } = read(text);
    expect(hooks.every(({ run }) => run.kind === 'missing')).toBe(true);
  });
});

describe('file locations', () => {
  const ground = (over: Partial<Locations> = {}): Locations => ({
    home: '/home/u',
    cwd: '/p',
    env: {},
    ...over,
  });
  const files = (over?: Partial<Locations>) =>
    config.places(ground(over)).map(({ layer, file }) => `${layer} ${file}`);

  test("settings are read from the user's file, the project's file and the project's local file", () => {
    expect(files()).toEqual([
      'user /home/u/.claude/settings.json',
      'project /p/.claude/settings.json',
      'project /p/.claude/settings.local.json',
    ]);
  });

  test('CLAUDE_CONFIG_DIR moves the user file, and a relative value does not point into the project', () => {
    expect(files({ env: { CLAUDE_CONFIG_DIR: '/conf' } })[0]).toBe('user /conf/settings.json');
    expect(files({ env: { CLAUDE_CONFIG_DIR: 'conf' } })[0]).toBe('user /home/u/.claude/settings.json');
  });

  test('below the folder of a running Claude Code user hooks receive that folder, and elsewhere not', () => {
    const told = (cwd: string) =>
      config
        .places(ground({ cwd, env: { CLAUDE_PROJECT_DIR: '/p' } }))
        .map(({ layer, vars }) => `${layer} ${vars?.['CLAUDE_PROJECT_DIR']}`);
    expect([told('/p/sub')[0], told('/q')[0], told('/p2')[0]]).toEqual(['user /p', 'user /q', 'user /p2']);
    expect(told('/p/sub').slice(1)).toEqual(['project /p/sub', 'project /p/sub']);
    expect(files({ cwd: '/p/sub', env: { CLAUDE_PROJECT_DIR: '/p' } })[1]).toBe(
      'project /p/sub/.claude/settings.json',
    );
  });

  test('in the home folder the user file is not read twice', () => {
    expect(files({ cwd: '/home/u' })).toEqual([
      'user /home/u/.claude/settings.json',
      'project /home/u/.claude/settings.local.json',
    ]);
  });
});
