import { chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WayOf } from '../../events/hook.ts';
import { openCommandRunner } from './index.ts';

const SCRIPT = '#!/usr/bin/env bash\nexit 0\n';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-shebang-')));
function script(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}
async function run(how: WayOf<'command'>['run']) {
  const commands = openCommandRunner();
  const limit = { timeoutMs: 20_000, signal: new AbortController().signal };
  const reply = await commands.run(
    { kind: 'command', run: how, env: 'inherit' },
    { kind: 'command', cwd: folder },
    limit,
  );
  await commands.close();
  return reply;
}

describe('a script whose first line has Windows line ends', () => {
  const file = script('windows.sh', SCRIPT.replaceAll('\n', '\r\n'));
  const bare = script('bare.sh', '#!/bin/sh\r\nexit 0\r\n');
  const why = (path: string) => ({
    kind: 'not-started',
    detail: `the first line of ${path} ends with a carriage return (Windows line ending), so its interpreter is not found; save it with LF line endings`,
  });

  test.each([
    ['by a shell', { line: './windows.sh' }, file],
    ['by a shell, in quotes', { line: '"./windows.sh" now' }, file],
    ['by its path', { argv: [file] as const }, file],
    ['by its path, without env', { argv: [bare] as const }, bare],
    ['by a shell, without env', { line: './bare.sh' }, bare],
  ])('started %s did not start, with this reason', async (_, how, path) => {
    expect(await run(how)).toMatchObject({ kind: 'broken', why: why(path) });
  });

  test('does not blame the line ending for other errors', async () => {
    script('fine.sh', SCRIPT);
    script('gone.sh', '#!/no/such/interpreter\n');
    script('code.sh', '#!/bin/sh\nexit 127\n');
    expect(await run({ line: './fine.sh' })).toMatchObject({ kind: 'exited', code: 0 });
    expect(await run({ line: './code.sh' })).toMatchObject({ kind: 'exited', code: 127 });
    expect(await run({ argv: ['./gone.sh'] })).toMatchObject({
      kind: 'broken',
      why: { kind: 'not-started', detail: expect.stringContaining('ENOENT') as string },
    });
  });
});
