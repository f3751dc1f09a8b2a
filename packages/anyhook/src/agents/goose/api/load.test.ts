import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { clear, command, GLOBAL, type GooseGround, ground, on } from './fixtures/ground.ts';
import { type GooseEvent, loadGooseHooks } from './index.ts';

afterEach(clear);

const call = (text = 'ls', more: object = {}): GooseEvent => ({
  hook_event_name: 'PreToolUse',
  session_id: 's1',
  tool_name: 'developer__shell',
  tool_input: { command: text },
  ...more,
});
const load = async (files: Record<string, unknown>) => {
  const at = ground(files);
  return { ...at, goose: await loadGooseHooks(at) };
};
/** Returns blocked, reason and context, which hosts use. */
const emit = async (at: { goose: Awaited<ReturnType<typeof loadGooseHooks>> }, event: GooseEvent) => {
  const { runs: _, ...result } = await at.goose.emit(event);
  return result;
};
const said = ({ root }: GooseGround, file: string) => readFileSync(join(root, file), 'utf8');

describe('the configuration of the document', () => {
  test.each([
    ['developer__write', { path: 'a' }],
    ['developer__edit', { path: 'a' }],
    ['developer__text_editor', { command: 'str_replace', path: 'a' }],
  ])("a matcher with Claude Code's names matches %s", async (tool_name, tool_input) => {
    const { goose } = await load({
      [GLOBAL]: { hooks: { PreToolUse: [{ matcher: 'Write|Edit', hooks: [command('exit 2')] }] } },
    });
    const { blocked } = await goose.emit({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      tool_name,
      tool_input,
    });
    expect(blocked).toBe(true);
  });

  test('the example of the document blocks, injects and lets pass', async () => {
    const at = await load({
      [GLOBAL]: {
        hooks: {
          SessionStart: [{ hooks: [command('echo "node: $(cat | grep -o abc-123)"', { timeout: 15 })] }],
          UserPromptSubmit: [
            { hooks: [command(`grep -q forbidden && exit 2; echo '{"additionalContext": "be brief"}'`)] },
          ],
          PreToolUse: [
            {
              matcher: 'developer__shell',
              hooks: [command(`grep -q 'rm -rf' && { echo no rm >&2; exit 2; }; true`)],
            },
          ],
          PostToolUse: [{ hooks: [command(`echo '{"additionalContext": "seen"}'`)] }],
          Stop: [{ hooks: [command('true')] }],
        },
      },
    });
    const base = { session_id: 'abc-123', cwd: at.cwd };
    expect(at.goose.problems).toEqual([]);
    expect(await emit(at, { hook_event_name: 'SessionStart', ...base })).toEqual({
      blocked: false,
      additionalContext: 'node: abc-123',
    });
    const prompt = (user_prompt: string) => ({ hook_event_name: 'UserPromptSubmit', user_prompt, ...base });
    expect(await emit(at, prompt('hello'))).toEqual({ blocked: false, additionalContext: 'be brief' });
    expect(await emit(at, prompt('a forbidden word'))).toEqual({
      blocked: true,
      reason: 'blocked by a hook that gave no reason',
    });
    expect(await emit(at, call('rm -rf /'))).toEqual({ blocked: true, reason: 'no rm' });
    expect(await emit(at, call('ls'))).toEqual({ blocked: false });
    expect(await emit(at, { ...call('ls'), hook_event_name: 'PostToolUse', tool_output: ['a'] })).toEqual({
      blocked: false,
      additionalContext: 'seen',
    });
    expect(await emit(at, { hook_event_name: 'Stop', ...base })).toEqual({ blocked: false });
  });

  test('the emitted event is on stdin, and the command runs in its folder', async () => {
    const at = await load({ [GLOBAL]: on('PreToolUse', command('cat > in.json; pwd > where')) });
    const folder = join(at.cwd, 'deep');
    mkdirSync(folder);
    const event = call('ls', { cwd: folder, extra: { kept: [1] } });
    await at.goose.emit(event);
    expect(JSON.parse(said(at, 'project/deep/in.json'))).toMatchObject(event);
    expect(said(at, 'project/deep/where').trim()).toBe(folder);
    await at.goose.emit(call());
    expect(said(at, 'project/where').trim()).toBe(at.cwd);
  });

  test('Block with a capital letter, as documented, blocks', async () => {
    const at = await load({ [GLOBAL]: on('PreToolUse', command(`echo '{"decision": "Block"}'`)) });
    expect(await emit(at, call())).toEqual({
      blocked: true,
      reason: 'blocked by a hook that gave no reason',
    });
  });
});

describe('sources of hooks', () => {
  const tell = (who: string) => on('SessionStart', command(`echo ${who}`));
  const start = { hook_event_name: 'SessionStart', session_id: 's' };
  const project = {
    'project/.goose/settings.json': tell('goose'),
    'project/.claude/settings.json': { permissions: {}, ...tell('claude') },
  };

  test('global and project hooks are merged, global ones first, .goose before .claude', async () => {
    const at = await load({ [GLOBAL]: { allow_project_hooks: true, ...tell('global') }, ...project });
    expect([at.goose.problems, await emit(at, start)]).toEqual([
      [],
      { blocked: false, additionalContext: 'global\ngoose\nclaude' },
    ]);
  });
  test.each([
    ['the global file does not say', tell('global')],
    ['it says false', { allow_project_hooks: false, ...tell('global') }],
  ])('no project hook runs when %s, and a problem reports it', async (_, global) => {
    const at = await load({ [GLOBAL]: global, ...project });
    expect(await emit(at, start)).toEqual({ blocked: false, additionalContext: 'global' });
    expect(at.goose.problems.map(({ code, file }) => [code, file])).toEqual([
      ['not-trusted', join(at.cwd, '.goose/settings.json')],
      ['not-trusted', join(at.cwd, '.claude/settings.json')],
    ]);
  });
  test('project hooks are found from a subfolder', async () => {
    const at = ground({
      [GLOBAL]: { allow_project_hooks: true },
      'project/.goose/settings.json': { hooks: { PreToolUse: [{ hooks: [command('exit 2')] }] } },
      'project/src/deep/a.ts': '',
    });
    const goose = await loadGooseHooks({ ...at, cwd: join(at.cwd, 'src/deep') });
    expect(await goose.emit(call())).toMatchObject({ blocked: true });
  });

  test('a project cannot open the gate for itself', async () => {
    const at = await load({
      'project/.goose/settings.json': { allow_project_hooks: true, ...tell('goose') },
    });
    expect(await emit(at, start)).toEqual({ blocked: false });
  });
  test('a project file without hooks causes no problem', async () => {
    const at = await load({ 'project/.claude/settings.json': { permissions: {} } });
    expect(at.goose.problems).toEqual([]);
  });
  test('the same entry in both project files runs once', async () => {
    const at = await load({
      [GLOBAL]: { allow_project_hooks: true },
      'project/.goose/settings.json': tell('same'),
      'project/.claude/settings.json': tell('same'),
    });
    expect(await emit(at, start)).toEqual({ blocked: false, additionalContext: 'same' });
  });
  test('there are no hooks without files', async () => {
    const { goose } = await load({});
    expect([goose.problems, await goose.emit(start)]).toEqual([[], { blocked: false, runs: [] }]);
  });
  test('a broken global file is reported and keeps the gate closed, and nothing throws', async () => {
    const at = await load({ [GLOBAL]: '{"allow_project_hooks": true, "hooks": {', ...project });
    expect(await emit(at, start)).toEqual({ blocked: false });
    expect(at.goose.problems[0]).toMatchObject({ code: 'syntax', file: join(at.root, GLOBAL), line: 1 });
  });
  test('a folder in place of a file is reported', async () => {
    const at = await load({ [`${GLOBAL}/x`]: '' });
    expect(at.goose.problems.map(({ code }) => code)).toEqual(['file-not-regular']);
  });

  test('plugins of current Goose are read for the user and the project', async () => {
    const at = await load({
      'home/.agents/plugins/mine/hooks/hooks.json': on('SessionStart', {
        command: 'sh "${PLUGIN_ROOT}/a.sh"',
      }),
      'home/.agents/plugins/mine/a.sh': 'echo "$(basename "$PLUGIN_ROOT")"',
      'home/.agents/plugins/off/hooks/hooks.json': tell('off'),
      'home/.config/goose/settings.json': { disabledPlugins: ['off'] },
      'project/.agents/plugins/theirs/hooks/hooks.json': tell('theirs'),
    });
    expect([at.goose.problems, await emit(at, start)]).toEqual([
      [],
      { blocked: false, additionalContext: 'mine\ntheirs' },
    ]);
  });
  test('a project plugin does not replace a user plugin of the same name', async () => {
    const guard = on('PreToolUse', command('exit 2'));
    const at = await load({
      'home/.agents/plugins/guard/hooks/hooks.json': guard,
      'project/.agents/plugins/guard/hooks/hooks.json': on('PreToolUse', command('true')),
      'project/.config/goose/settings.json': { disabledPlugins: ['guard'] },
    });
    expect((await emit(at, call())).blocked).toBe(true);
  });
});

describe('several hooks', () => {
  test('hooks run one after another, a block ends the chain, and earlier context is dropped', async () => {
    const at = await load({
      [GLOBAL]: {
        hooks: {
          PreToolUse: [
            { hooks: [command('sleep 0.2; echo one >> log; echo told'), command('echo two >> log; exit 2')] },
            { hooks: [command('echo three >> log')] },
          ],
        },
      },
    });
    const result = await at.goose.emit(call());
    expect([result.blocked, result.additionalContext, said(at, 'project/log')]).toEqual([
      true,
      undefined,
      'one\ntwo\n',
    ]);
    expect(result.runs.map(({ hook, skipped }) => [hook.split('#')[1], skipped])).toEqual([
      ['PreToolUse/1.1', undefined],
      ['PreToolUse/1.2', undefined],
      ['PreToolUse/2.1', expect.stringContaining('stopped by')],
    ]);
  });
  test('contexts are joined by one newline and cut at 32,768 bytes', async () => {
    const long = command(`head -c 30000 /dev/zero | tr '\\0' x`);
    const at = await load({ [GLOBAL]: on('SessionStart', command('echo a'), command('echo b'), long, long) });
    const { additionalContext = '' } = await at.goose.emit({ hook_event_name: 'SessionStart' });
    expect([additionalContext.length, additionalContext.slice(0, 6)]).toEqual([32_768, 'a\nb\nxx']);
  });
  test('a duplicate action in one file runs twice, as in Goose', async () => {
    const at = await load({ [GLOBAL]: on('SessionStart', command('echo a'), command('echo a')) });
    expect(await emit(at, { hook_event_name: 'SessionStart' })).toEqual({
      blocked: false,
      additionalContext: 'a\na',
    });
  });
  test('an emitted event runs only its own hooks, even if one event of ours is several of Goose', async () => {
    const at = await load({
      [GLOBAL]: {
        hooks: {
          PreToolUse: [{ hooks: [command('echo pre >> log')] }],
          BeforeShellExecution: [{ hooks: [command('echo before >> log')] }],
        },
      },
    });
    await at.goose.emit(call());
    await at.goose.emit({ ...call(), hook_event_name: 'BeforeShellExecution' });
    expect(said(at, 'project/log')).toBe('pre\nbefore\n');
  });
});

describe('a hook that fails', () => {
  const FAILURES: [string, object, string][] = [
    ['exits 1', command('exit 1'), 'failed'],
    ['is not there', command('./nowhere.sh'), 'failed'],
    ['dies by a signal', command('kill -9 $$'), 'killed'],
    ['runs out of time', command('sleep 30', { timeout: 0.3 }), 'timed-out'],
    ['decides what nobody understands', command(`echo '{"decision":"maybe"}'`), 'unreadable'],
    ['prints broken JSON', command(`echo '{"decision":'`), 'unreadable'],
    ['prints no UTF-8', command(`printf '\\377'`), 'unreadable'],
  ];
  test.each(FAILURES)('a hook that %s lets pass, with a mark', async (_, action, kind) => {
    const at = await load({ [GLOBAL]: on('PreToolUse', action, command('echo next')) });
    const { runs, ...result } = await at.goose.emit(call());
    expect(result).toEqual({ blocked: false, additionalContext: 'next' });
    expect([runs[0]!.answer!.failed!.kind, runs[0]!.failedOpen]).toEqual([kind, true]);
  });
  test.each(FAILURES)('a hook that %s blocks with on_failure and ends the chain', async (_, action, kind) => {
    const at = await load({
      [GLOBAL]: on('PreToolUse', { ...action, on_failure: 'block' }, command('echo next')),
    });
    const { runs, ...result } = await at.goose.emit(call());
    expect(result).toEqual({
      blocked: true,
      reason: `a hook failed (${kind}), and its failure policy blocks the call`,
    });
    expect(runs[1]!.skipped).toContain('stopped by');
    expect(JSON.stringify(result)).not.toContain(at.root);
  });
  test('on_failure does not change an answer', async () => {
    const strict = (line: string) => ({ [GLOBAL]: on('PreToolUse', command(line, { on_failure: 'block' })) });
    expect(await emit(await load(strict('true')), call())).toEqual({ blocked: false });
    expect(await emit(await load(strict('echo no >&2; exit 2')), call())).toEqual({
      blocked: true,
      reason: 'no',
    });
    expect(await emit(await load(strict(`echo '{"decision":"Allow"}'`)), call())).toEqual({ blocked: false });
  });
  test('an unreadable action blocks if it fails closed', async () => {
    const bad = { type: 'command', on_failure: 'block' };
    const at = await load({ [GLOBAL]: on('PreToolUse', bad) });
    expect((await emit(at, call())).reason).toBe(
      'a hook failed (not-loaded), and its failure policy blocks the call',
    );
    expect(at.goose.problems).toHaveLength(1);
  });
  test('a killed hook leaves no child processes', async () => {
    const at = await load({
      [GLOBAL]: on('PreToolUse', command('sleep 300 & echo $! > pid; wait', { timeout: 0.5 })),
    });
    await at.goose.emit(call());
    const pid = Number(said(at, 'project/pid'));
    // The process has ended, or is a zombie that its new parent has not reaped.
    expect(existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : 'State:\tZ').toMatch(
      /^State:\tZ/m,
    );
  });
  test('a hook that never reads its payload can still deny', async () => {
    const at = await load({ [GLOBAL]: on('PreToolUse', command('echo no >&2; exit 2')) });
    expect(await emit(at, call('x'.repeat(2 ** 20)))).toEqual({ blocked: true, reason: 'no' });
  });
  test('a cancelled call is refused, and its hook is killed', async () => {
    const at = await load({ [GLOBAL]: on('PreToolUse', command('echo > began; sleep 30')) });
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 500);
    const { blocked, runs } = await at.goose.emit(call(), { signal: ending.signal });
    expect([blocked, runs[0]!.answer!.failed!.kind]).toEqual([true, 'aborted']);
  });
});

describe('events that cannot be blocked', () => {
  const rows = ['SessionStart', 'PostToolUse', 'PostToolUseFailure', 'PostCompact', 'SessionEnd'];
  test.each(rows)('%s continues', async (event) => {
    const at = await load({
      [GLOBAL]: on(event, command('echo no >&2; exit 2'), command(`echo '{"decision":"block"}'`)),
    });
    const { runs, ...result } = await at.goose.emit(call('ls', { hook_event_name: event }));
    expect([result, runs.map(({ failedOpen }) => failedOpen)]).toEqual([{ blocked: false }, [true, true]]);
  });
  test('PreCompact and prompts can be blocked', async () => {
    const at = await load({
      [GLOBAL]: {
        hooks: { PreCompact: [{ matcher: 'auto', hooks: [command('echo not now >&2; exit 2')] }] },
      },
    });
    const compact = (manual_compact: boolean) => ({
      hook_event_name: 'PreCompact',
      pre_compact_message_count: 42,
      manual_compact,
    });
    expect(await emit(at, compact(false))).toEqual({ blocked: true, reason: 'not now' });
    expect(await emit(at, compact(true))).toEqual({ blocked: false });
  });
});

describe('a blocked Stop', () => {
  test('a blocked Stop makes the agent continue with the reason, sets the flag, and is overruled after eight in a row', async () => {
    const at = await load({
      [GLOBAL]: on(
        'Stop',
        command(`grep -o '"stop_hook_active":[a-z]*' >> log; echo tests fail >&2; exit 2`),
      ),
    });
    const stop = { hook_event_name: 'Stop', session_id: 's', cwd: at.cwd };
    const results = [];
    for (let i = 0; i < 9; i++) results.push(await emit(at, stop));
    expect(results.slice(0, 8)).toEqual(Array(8).fill({ blocked: true, reason: 'tests fail' }));
    expect(results[8]).toEqual({
      blocked: false,
      reason: 'a stop hook made the agent continue 8 times in a row; it stops now (tests fail)',
    });
    const flags = said(at, 'project/log').trim().split('\n');
    expect(flags).toEqual(['"stop_hook_active":false', ...Array(8).fill('"stop_hook_active":true')]);
    expect(await emit(at, { ...stop, session_id: 'other' })).toEqual({ blocked: true, reason: 'tests fail' });
  });
});

describe('matchers', () => {
  test('Bash(git *) matches a chained command, under every name of the shell', async () => {
    const guard = { matcher: 'Bash(git *)', hooks: [command('exit 2')] };
    const at = await load({ [GLOBAL]: { hooks: { PreToolUse: [guard] } } });
    const blocked = async (text: string, tool_name: string) =>
      (await emit(at, call(text, { tool_name }))).blocked;
    expect(await blocked('ls && git push', 'developer__shell')).toBe(true);
    expect(await blocked('git push', 'shell')).toBe(true);
    expect(await blocked('ls', 'shell')).toBe(false);
    // An unknown tool with a command counts as a shell.
    expect(await blocked('git push', 'other')).toBe(true);
    expect(await blocked('ls', 'other')).toBe(false);
  });
  test('the hook receives the tool name of the host', async () => {
    const at = await load({
      [GLOBAL]: { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [command('cat > in.json')] }] } },
    });
    await at.goose.emit(call('ls', { tool_name: 'shell' }));
    expect((JSON.parse(said(at, 'project/in.json')) as { tool_name: string }).tool_name).toBe('shell');
  });
});

describe('events of another version', () => {
  test('events of another version reach their hooks with the expected field names', async () => {
    const at = await load({ [GLOBAL]: on('PreCompact', command('cat > in.json')) });
    await at.goose.emit({
      event: 'PreCompact',
      message_count_before: 5,
      manual_compact: false,
      working_dir: at.cwd,
    });
    expect(JSON.parse(said(at, 'project/in.json'))).toMatchObject({
      hook_event_name: 'PreCompact',
      pre_compact_message_count: 5,
      message_count_before: 5,
      message_count: 5,
      before_count: 5,
      manual: false,
      cwd: at.cwd,
    });
  });
  test.each([undefined, null, {}, { hook_event_name: null }, { hook_event_name: 7 }, 'text', []])(
    '%j names no event: an error, and not an allowed call',
    async (garbage) => {
      const at = await load({ [GLOBAL]: on('PreToolUse', command('exit 2')) });
      await expect(at.goose.emit(garbage as GooseEvent)).rejects.toThrow(
        /^emit: hook_event_name is missing.*PreToolUse/,
      );
    },
  );
  test('an unknown event is passed through and reported once with the nearest name', async () => {
    const at = await load({ [GLOBAL]: on('PreToolUse', command('exit 2')) });
    const slip = { ...call(), hook_event_name: 'PreToolUsed' };
    expect([await at.goose.emit(slip), await at.goose.emit(slip)]).toEqual(
      Array(2).fill({ blocked: false, runs: [] }),
    );
    expect(at.goose.problems).toEqual([
      expect.objectContaining({
        code: 'unknown-event',
        message: expect.stringContaining('"PreToolUsed"'),
        remedy: expect.stringContaining('PreToolUse'),
      }),
    ]);
  });
  test('a block printed with exit 1 is a refusal with its own reason, not a failure', async () => {
    const at = await load({
      [GLOBAL]: on('PreToolUse', command('echo \'{"decision":"Block","reason":"policy 7"}\'; exit 1')),
    });
    const { blocked, reason, runs } = await at.goose.emit(call());
    expect([blocked, reason]).toEqual([true, 'policy 7']);
    expect(runs.map(({ answer, failedOpen }) => [answer?.failed, failedOpen])).toEqual([
      [undefined, undefined],
    ]);
  });
});

test('files are read once, and changes count for the next program', async () => {
  const at = await load({ [GLOBAL]: on('PreToolUse', command('true')) });
  writeFileSync(join(at.root, GLOBAL), JSON.stringify(on('PreToolUse', command('exit 2'))));
  expect((await emit(at, call())).blocked).toBe(false);
  expect((await (await loadGooseHooks(at)).emit(call())).blocked).toBe(true);
});
