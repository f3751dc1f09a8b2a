import { describe, expect, test } from 'vitest';
import { context, read, scratch } from './fixtures/scratch.ts';
import { HookManager, type HookContext, type HookDefinition, type HookEvent } from './index.ts';

const blocks = (more: Partial<HookDefinition> = {}) =>
  HookManager.create([{ event: 'tool.pre', command: 'exit 1', ...more }]);
const isBlocked = async (manager: HookManager, tool_name?: string) =>
  (await manager.fire('tool.pre', context('tool.pre', tool_name === undefined ? {} : { tool_name })))
    .cancelled;

describe('the event', () => {
  test('only hooks of the fired event run', async () => {
    const cwd = scratch();
    const events: HookEvent[] = [
      'session.start',
      'tool.post',
      'compact',
      'error',
      'turn.done',
      'session.end',
    ];
    const manager = HookManager.create(events.map((event) => ({ event, command: `echo ${event} >> ran` })));
    for (const event of ['compact', 'session.start'] as const)
      await manager.fire(event, context(event, { cwd }));
    expect(read(cwd, 'ran')).toBe('compact\nsession.start\n');
  });

  test('an unknown event in a definition is rejected with its index and the nearest known one', () => {
    const event = 'tool.per' as HookEvent;
    expect(() =>
      HookManager.create([
        { event: 'error', command: 'true' },
        { event, command: 'true' },
      ]),
    ).toThrow(new TypeError('hooks[1].event "tool.per" is not an Opta event; did you mean "tool.pre"?'));
  });

  test('a definition without a command is rejected, because it would be a guard that lets everything pass', () => {
    expect(() => HookManager.create([{ event: 'tool.pre' } as HookDefinition])).toThrow(
      new TypeError('hooks[0].command is missing; expected a string'),
    );
    expect(() =>
      HookManager.create([
        { event: 'tool.pre', type: 'prompt', command: 'true' } as unknown as HookDefinition,
      ]),
    ).toThrow(new TypeError('hooks[0].prompt is missing; expected a string'));
  });
});

describe('the matcher', () => {
  test.each([
    ['edit_file|write_file', 'edit_file', true],
    ['edit_file|write_file', 'read_file', false],
    ['edit', 'multi_edit', true], // unanchored
    ['edit', 'multi_edit_all', true],
    ['^edit$', 'multi_edit', false],
    ['Edit', 'edit_file', false], // case-sensitive
    ['mcp__.*', 'mcp__mem__save', true],
    ['mcp__mem__(?!delete)', 'mcp__mem__save', true], // look-ahead, as in any RegExp
    ['mcp__mem__(?!delete)', 'mcp__mem__delete', false],
    ['', 'anything', true], // as RegExp.test
    ['.*', 'run_command', true],
  ])('the matcher %j on %j: %j', async (matcher, tool, fits) => {
    expect(new RegExp(matcher).test(tool)).toBe(fits); // the matcher has the meaning of RegExp
    expect(await isBlocked(blocks({ matcher }), tool)).toBe(fits);
  });

  test('a hook without a matcher matches every tool', async () => {
    expect([await isBlocked(blocks(), 'x'), await isBlocked(blocks())]).toEqual([true, true]);
  });

  test('a matcher tests the tool name of the program, even if other agents use that name', async () => {
    const cwd = scratch();
    const manager = HookManager.create([
      {
        event: 'tool.pre',
        matcher: '^shell$',
        command: 'printf "%s %s" "$OPTA_TOOL_NAME" "$OPTA_TOOL_ARGS" > heard',
      },
    ]);
    const told: HookContext = context('tool.pre', {
      cwd,
      tool_name: 'shell',
      tool_args: '{ "command": "ls" }',
    });
    await manager.fire('tool.pre', told);
    expect(read(cwd, 'heard')).toBe('shell { "command": "ls" }');
  });

  test('without a tool name a hook with a matcher is skipped, and an empty name counts as none', async () => {
    const manager = blocks({ matcher: '.*' });
    expect([await isBlocked(manager), await isBlocked(manager, ''), await isBlocked(manager, 'x')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('a matcher on an event without a tool keeps the hook from running and is reported', async () => {
    const cwd = scratch();
    const manager = HookManager.create([
      { event: 'session.start', command: 'touch plain' },
      { event: 'session.start', matcher: '.*', command: 'touch matched' },
    ]);
    await manager.fire('session.start', context('session.start', { cwd }));
    expect([() => read(cwd, 'plain'), () => read(cwd, 'matched')].map((it) => runs(it))).toEqual([
      true,
      false,
    ]);
    expect(manager.problems).toEqual([
      {
        code: 'matcher-unused',
        file: '(definitions)',
        key: 'hooks[1].matcher',
        message: 'session.start has no tool to match, so the hook never runs',
        remedy: 'Leave the matcher out.',
        severity: 'warning',
      },
    ]);
  });

  test('an invalid matcher makes create throw with index and pattern', () => {
    const fine: HookDefinition = { event: 'tool.pre', command: 'true' };
    expect(() => HookManager.create([fine, { ...fine, matcher: '(edit' }])).toThrow(
      /^hooks\[1\]\.matcher "\(edit" is not a valid regular expression: /,
    );
    expect(() => HookManager.create([fine, { ...fine, matcher: '(edit' }])).toThrow(SyntaxError);
  });

  test('a matcher with catastrophic backtracking answers at once', async () => {
    const evil = '^(a+)+$';
    const started = Date.now();
    expect(await isBlocked(blocks({ matcher: evil }), `${'a'.repeat(200)}!`)).toBe(false);
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});

describe('the order', () => {
  test('hooks run one after another in configuration order', async () => {
    const cwd = scratch();
    const manager = HookManager.create([
      { event: 'tool.post', command: 'sleep 0.3; echo first >> order' },
      { event: 'tool.post', command: 'sleep 0.1; echo second >> order' },
      { event: 'tool.post', command: 'echo third >> order' },
    ]);
    await manager.fire('tool.post', context('tool.post', { cwd, tool_name: 'x' }));
    expect(read(cwd, 'order')).toBe('first\nsecond\nthird\n');
  });

  test('the first hook that cancels ends the chain: later ones never start, including background ones', async () => {
    const cwd = scratch();
    const manager = HookManager.create([
      { event: 'tool.pre', command: 'echo one >> order' },
      { event: 'tool.pre', command: 'echo two >> order; echo no >&2; exit 3' },
      { event: 'tool.pre', command: 'echo three >> order' },
      { event: 'tool.pre', command: 'echo four >> order', background: true },
    ]);
    const result = await manager.fire('tool.pre', context('tool.pre', { cwd, tool_name: 'x' }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([result, read(cwd, 'order')]).toEqual([{ cancelled: true, reason: 'no' }, 'one\ntwo\n']);
  });
});

function runs(step: () => unknown): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}
