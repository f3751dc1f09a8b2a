/** Arguments larger than the environment: the guard starts, knows that they are cut, and can read all of them. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { context, read, scratch } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

const MEGABYTE = 1024 * 1024;
const SEES = [
  'printf %s "$OPTA_TOOL_ARGS" > args',
  'printf %s "$OPTA_TOOL_ARGS_TRUNCATED" > mark',
  'printf %s "$OPTA_PAYLOAD_FILE" > name',
  '[ -n "$OPTA_PAYLOAD_FILE" ] && { cp "$OPTA_PAYLOAD_FILE" payload; stat -c %a "$OPTA_PAYLOAD_FILE" > mode; }',
  'cat > stdin',
  'exit 0',
].join('; ');

async function seen(tool_args: string) {
  const cwd = scratch();
  const manager = HookManager.create([{ event: 'tool.pre', command: SEES }]);
  const result = await manager.fire(
    'tool.pre',
    context('tool.pre', { cwd, tool_name: 'write_file', tool_args }),
  );
  return {
    cwd,
    result,
    args: read(cwd, 'args'),
    mark: read(cwd, 'mark'),
    stdin: JSON.parse(read(cwd, 'stdin')),
  };
}

describe('one megabyte of arguments', () => {
  test('one megabyte of arguments would keep a hook from starting if passed unchanged', () => {
    const { error } = spawnSync('sh', ['-c', 'exit 0'], {
      env: { ...process.env, OPTA_TOOL_ARGS: 'x'.repeat(MEGABYTE) },
    });
    expect((error as NodeJS.ErrnoException | undefined)?.code).toBe('E2BIG');
  });

  test('the guard starts with arguments that are still JSON, and the complete ones in a private file and on stdin', async () => {
    const input = {
      path: 'a/b.ts',
      content: 'é'.repeat(MEGABYTE),
      flags: [1, true, null],
      nested: { deep: 'short' },
    };
    const { cwd, result, args, mark, stdin } = await seen(JSON.stringify(input));
    expect([result, mark, read(cwd, 'mode').trim()]).toEqual([{ cancelled: false }, '1', '600']);
    const { content, ...rest } = JSON.parse(args);
    expect(rest).toEqual({ path: 'a/b.ts', flags: [1, true, null], nested: { deep: 'short' } });
    expect(input.content.startsWith(content) && content.length > 1000).toBe(true);
    expect(JSON.parse(stdin.tool_args)).toEqual(input);
    expect(JSON.parse(read(cwd, 'payload'))).toEqual(stdin);
    expect(existsSync(read(cwd, 'name'))).toBe(false); // removed after the run
  });

  test('arguments that are not JSON are cut as text', async () => {
    const { args, mark, stdin } = await seen('€'.repeat(MEGABYTE / 2));
    expect([mark, /^€+$/.test(args), stdin.tool_args.length]).toEqual(['1', true, MEGABYTE / 2]);
  });

  test('blanks are dropped before any content', async () => {
    const { args, mark } = await seen(`{"command":${' '.repeat(MEGABYTE)}"ls"}`);
    expect([args, mark]).toEqual(['{"command":"ls"}', '1']);
  });

  test('NUL bytes, which grow when they are replaced, still fit', async () => {
    const { mark, args, result } = await seen('\0'.repeat(100_000));
    expect([mark, /^\uFFFD+$/.test(args), result]).toEqual(['1', true, { cancelled: false }]);
  });
});

test('arguments that fit are unchanged, and there is no file', async () => {
  const whole = JSON.stringify({ content: 'x'.repeat(100_000) });
  const { args, mark, cwd } = await seen(whole);
  expect([args === whole, mark, read(cwd, 'name')]).toEqual([true, '', '']);
});

test('a huge prompt, error, result, model or session id does not keep a hook from starting', async () => {
  const huge = 'x'.repeat(MEGABYTE);
  const cwd = scratch();
  const command = 'exit 0';
  const manager = HookManager.create([
    { event: 'prompt.pre', command },
    { event: 'tool.pre', command },
  ]);
  const everything = { prompt: huge, model: huge, session_id: huge, tool_name: huge, tool_args: huge, cwd };
  expect([
    await manager.fire('prompt.pre', context('prompt.pre', everything)),
    await manager.fire('tool.pre', context('tool.pre', everything)),
  ]).toEqual([{ cancelled: false }, { cancelled: false }]);
});
