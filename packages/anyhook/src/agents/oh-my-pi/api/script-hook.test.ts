import { chmodSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { discoverAndLoadHooks } from './discover-and-load.ts';
import { CALL, RESULT, scratch } from './fixtures/scratch.ts';
import { HookRunner } from './runner.ts';
import type { HookError } from './types/index.ts';

let ground: ReturnType<typeof scratch>;
beforeEach(() => void (ground = scratch()));
afterEach(() => ground.remove());

async function runnerWith(files: Record<string, string>, timeoutMs = 30_000) {
  for (const [path, text] of Object.entries(files)) ground.write(`.omp/hooks/${path}`, text);
  const home = join(ground.root, 'home');
  const { hooks, errors } = await discoverAndLoadHooks([], ground.root, { home, scripts: 'run' });
  expect(errors).toEqual([]);
  const runner = new HookRunner(hooks, { cwd: ground.root, timeoutMs });
  const failed: HookError[] = [];
  runner.onError((error) => failed.push(error));
  return { runner, failed, hooks };
}

describe('a shell script', () => {
  test('a shell script guards the tool of its name: any exit code but 0 refuses, with stderr as the reason', async () => {
    const { runner } = await runnerWith({ 'pre/bash.sh': 'cat >/dev/null; echo "not here" >&2; exit 1' });
    expect(await runner.emitToolCall(CALL)).toEqual({ block: true, reason: 'not here' });
    expect(await runner.emitToolCall({ ...CALL, toolName: 'read' })).toBeUndefined();
  });

  test('a shell script receives the event on stdin, and may answer like a module', async () => {
    const { runner } = await runnerWith({
      'pre/bash.sh': `grep -q '"command":"ls"' && echo '{"input":{"command":"pwd"}}'`,
    });
    expect(await runner.emitToolCall(CALL)).toEqual({ input: { command: 'pwd' } });
  });

  test('an executable script runs with its own interpreter', async () => {
    const file = ground.write(
      '.omp/hooks/pre/bash.sh',
      `#!${process.execPath}\nconsole.error('by node'); process.exitCode = 3;`,
    );
    chmodSync(file, 0o755);
    const { runner } = await runnerWith({});
    expect(await runner.emitToolCall(CALL)).toEqual({ block: true, reason: 'by node' });
  });

  test('a shell script in post receives the result, and its failure is reported', async () => {
    const { runner, failed } = await runnerWith({
      'post/read.sh': `cat >/dev/null; echo '{"content":[{"type":"text","text":"***"}]}'`,
      'post/bash.sh': 'exit 7',
    });
    expect(await runner.emit(RESULT)).toEqual({ content: [{ type: 'text', text: '***' }] });
    expect(await runner.emit({ ...RESULT, toolName: 'bash' })).toBeUndefined();
    expect(failed.map(({ error }) => error)).toEqual([expect.stringContaining('ended with 7')]);
  });

  test('a shell script that hangs is killed, and the call is refused', async () => {
    const { runner } = await runnerWith({ 'pre/bash.sh': 'sleep 60' }, 1_000);
    await expect(runner.emitToolCall(CALL)).rejects.toThrow('did not answer within 1000 ms');
  });

  test('a shell script runs among the modules in the order of discovery', async () => {
    const module = 'export default (pi) => pi.on("tool_call", () => {});';
    const { hooks } = await runnerWith({ 'pre/a.ts': module, 'pre/b.sh': 'exit 0', 'pre/c.ts': module });
    expect(hooks.map(({ path }) => basename(path))).toEqual(['a.ts', 'b.sh', 'c.ts']);
  });
});
