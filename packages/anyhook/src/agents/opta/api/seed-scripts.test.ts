/** The three scripts of section 7, word for word. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { context, read, RECORDS, scratch } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

const AS_PRINTED = {
  'block-rm.sh': `#!/bin/bash
CMD=$(echo "$OPTA_TOOL_ARGS" | jq -r '.command // empty' 2>/dev/null)
echo "$CMD" | grep -qE 'rm\\s+(-rf?|--recursive)' && echo "Blocked: destructive rm" >&2 && exit 1
exit 0
`,
  'auto-lint.sh': `#!/bin/bash
FILE=$(echo "$OPTA_TOOL_ARGS" | jq -r '.path // empty' 2>/dev/null)
[ -z "$FILE" ] && exit 0
case "\${FILE##*.}" in
  ts|tsx|js|jsx) npx eslint --fix "$FILE" 2>/dev/null ;; py) ruff check --fix "$FILE" 2>/dev/null ;;
esac; exit 0
`,
  'auto-test.sh': `#!/bin/bash
FILE=$(echo "$OPTA_TOOL_ARGS" | jq -r '.path // empty' 2>/dev/null)
[ -z "$FILE" ] && exit 0
case "\${FILE##*.}" in ts|tsx) npm test -- --run --reporter=dot 2>&1 | tail -5 ;; esac; exit 0
`,
};

test('the scripts of the document run unmodified as hooks', async ({ skip }) => {
  skip(spawnSync('jq', ['--version']).error !== undefined, 'they need jq, which is not here');
  const cwd = scratch({ 'bin/ruff': RECORDS, 'bin/npm': RECORDS });
  mkdirSync(join(cwd, 'hooks'));
  for (const [name, text] of Object.entries(AS_PRINTED)) {
    writeFileSync(join(cwd, 'hooks', name), text);
    chmodSync(join(cwd, 'hooks', name), 0o755);
  }
  const withTools = (script: string) => `RECORD=record PATH="$PWD/bin:$PATH" hooks/${script}`;
  const manager = HookManager.create([
    { event: 'tool.pre', matcher: 'run_command', command: 'hooks/block-rm.sh' },
    { event: 'tool.post', matcher: 'edit_file|write_file|multi_edit', command: withTools('auto-lint.sh') },
    { event: 'tool.post', matcher: 'edit_file|write_file', command: withTools('auto-test.sh') },
  ]);
  const pre = (command: string) =>
    manager.fire(
      'tool.pre',
      context('tool.pre', { cwd, tool_name: 'run_command', tool_args: JSON.stringify({ command }) }),
    );
  expect([await pre('rm -rf /tmp/x'), await pre('ls')]).toEqual([
    { cancelled: true, reason: 'Blocked: destructive rm' },
    { cancelled: false },
  ]);
  for (const [tool_name, path] of [
    ['edit_file', 'a.py'],
    ['write_file', 'b.ts'],
  ])
    await manager.fire(
      'tool.post',
      context('tool.post', { cwd, tool_name, tool_args: JSON.stringify({ path }), tool_result: 'ok' }),
    );
  const words = read(cwd, 'record').split('\0').slice(0, -1);
  expect(words.map((word) => word.replace(`${cwd}/`, ''))).toEqual([
    'bin/ruff',
    'check',
    '--fix',
    'a.py',
    'bin/npm',
    'test',
    '--',
    '--run',
    '--reporter=dot',
  ]);
});
