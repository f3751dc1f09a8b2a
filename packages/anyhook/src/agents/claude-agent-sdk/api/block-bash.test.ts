import { describe, expect, test } from 'vitest';
import { blockBashCommandHook, blockBashPatternHook, type HookContext, type HookInput } from './index.ts';

const context: HookContext = {
  signal: new AbortController().signal,
  sessionId: null,
  transcriptPath: null,
  cwd: null,
  permissionMode: null,
};
const bash = (command: unknown, tool_name = 'Bash') =>
  ({ hook_event_name: 'PreToolUse', tool_name, tool_input: { command } }) as unknown as HookInput;
const denied = (permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
});

describe('blockBashPatternHook', () => {
  const hook = blockBashPatternHook(['rm -rf', 'sudo']);
  test.each<[string, HookInput, unknown]>([
    [
      'the first pattern in the command denies and is named',
      bash('sudo rm -rf /'),
      denied('Command contains forbidden pattern: rm -rf'),
    ],
    ['the second', bash('sudo ls'), denied('Command contains forbidden pattern: sudo')],
    ['another command', bash('ls -la'), {}],
    ['another tool', bash('rm -rf /', 'Write'), {}],
    ['no command', bash(undefined), {}],
    ['a command that is no text', bash(7), {}],
    ['no tool input', { tool_name: 'Bash' } as never, {}],
    ['nothing at all', {} as never, {}],
  ])('blockBashPatternHook: %s', async (_title, input, output) => {
    expect(await hook(input, null, context)).toEqual(output);
  });
});

describe('blockBashCommandHook decides on what bash would run', () => {
  const hook = blockBashCommandHook(['rm *', 'git push *']);
  const reason = async (command: string) =>
    ((await hook(bash(command), null, context)) as ReturnType<typeof denied>).hookSpecificOutput
      ?.permissionDecisionReason;

  test.each([
    ['rm -rf build', 'rm *'],
    ['cd x && r"m" -f a', 'rm *'],
    ['echo $(rm a)', 'rm *'],
    ['bash -c "rm a"', 'rm *'],
    ['/bin/rm a', 'rm *'],
    ['git status; git push origin', 'git push *'],
    ['git $VERB origin', 'git push *'],
  ])('blockBashCommandHook denies %s with %s', async (command, by) => {
    expect(await reason(command)).toBe(`Command runs what is forbidden: ${by}`);
  });

  test.each(['echo rm -rf is forbidden', 'git log --grep "rm x"', 'ls'])(
    'blockBashCommandHook lets %s pass',
    async (command) => {
      expect(await hook(bash(command), null, context)).toEqual({});
    },
  );

  test('blockBashPatternHook misses commands and denies harmless ones that blockBashCommandHook judges correctly', async () => {
    const naive = blockBashPatternHook(['rm ']);
    expect(await naive(bash('r"m" -f a'), null, context)).toEqual({});
    expect(await naive(bash('echo "rm -rf is forbidden"'), null, context)).not.toEqual({});
  });
});
