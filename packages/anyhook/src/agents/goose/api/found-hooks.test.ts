/**
 * Hooks with constructs from public repositories; the scripts are ours. Each is a file below the home folder and called
 * by the usual line in hooks.json.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { lacks } from '../../../../test/programs.mjs';
import { clear, command, type GooseGround, ground } from './fixtures/ground.ts';
import { type GooseHooks, loadGooseHooks } from './index.ts';

afterEach(clear);

/** Configures one script for one event. */
async function configured(
  event: string,
  script: string,
  { matcher, call = (path) => path }: { matcher?: string; call?: (path: string) => string } = {},
): Promise<GooseGround & { goose: GooseHooks }> {
  const at = ground({ 'home/hooks/hook.sh': script });
  const hooks = [command(call(join(at.home, 'hooks/hook.sh')), { timeout: 10 })];
  mkdirSync(join(at.home, '.config/goose'), { recursive: true });
  const group = matcher === undefined ? { hooks } : { matcher, hooks };
  writeFileSync(join(at.home, '.config/goose/hooks.json'), JSON.stringify({ hooks: { [event]: [group] } }));
  const goose = await loadGooseHooks(at);
  expect(goose.problems).toEqual([]);
  return { ...at, goose };
}
const shell = (text: string, more: object = {}) => ({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_name: 'developer__shell',
  tool_input: { command: text },
  ...more,
});

test.skipIf(lacks('jq'))('a bash guard that reads its event with jq refuses with exit 2', async () => {
  const { goose } = await configured(
    'PreToolUse',
    `#!/usr/bin/env bash
set -euo pipefail
input=$(cat)
cmd=$(echo "$input" | jq -r '.tool_input.command // empty')
if [[ "$cmd" =~ rm[[:space:]]+-rf[[:space:]]+(/|~) ]]; then
  echo "Blocked: $cmd" >&2
  exit 2
fi
`,
    { matcher: 'Bash' },
  );
  expect(await goose.emit(shell('rm -rf / --force'))).toMatchObject({
    blocked: true,
    reason: 'Blocked: rm -rf / --force',
  });
  expect((await goose.emit(shell('ls'))).blocked).toBe(false);
});

test.skipIf(lacks('python3'))('a python guard called by its interpreter prints a decision', async () => {
  const { goose } = await configured(
    'PreToolUse',
    `import json, sys
event = json.load(sys.stdin)
path = event.get("tool_input", {}).get("path", "")
if path.endswith(".env"):
    print(json.dumps({"decision": "block", "reason": f"{path} holds secrets"}))
sys.exit(0)
`,
    { call: (path) => `python3 ${path}` },
  );
  const write = (path: string) => ({ ...shell(''), tool_name: 'write', tool_input: { path, content: '' } });
  expect(await goose.emit(write('/x/.env'))).toMatchObject({
    blocked: true,
    reason: '/x/.env holds secrets',
  });
  expect((await goose.emit(write('/x/a.ts'))).blocked).toBe(false);
});

test('a node script writes its answer at the end of stdin', async () => {
  const { goose } = await configured(
    'UserPromptSubmit',
    `#!/usr/bin/env node
let data = '';
process.stdin.on('data', (chunk) => (data += chunk));
process.stdin.on('end', () => {
  const { user_prompt, prompt } = JSON.parse(data);
  console.log(JSON.stringify({ additionalContext: 'Asked: ' + (user_prompt ?? prompt).toUpperCase() }));
});
`,
  );
  const result = await goose.emit({
    hook_event_name: 'UserPromptSubmit',
    user_prompt: 'hi',
    session_id: 's',
  });
  expect(result).toMatchObject({ blocked: false, additionalContext: 'Asked: HI' });
});

test('a start hook prints plain text from a here-document', async () => {
  const { goose } = await configured(
    'SessionStart',
    `#!/bin/sh\ncat <<EOF\n# Context\nToday: $(echo now)\nEOF\n`,
  );
  expect((await goose.emit({ hook_event_name: 'SessionStart' })).additionalContext).toBe(
    '# Context\nToday: now',
  );
});

test.skipIf(lacks('jq'))('a logger appends and prints nothing', async () => {
  const at = await configured(
    'PostToolUse',
    `#!/bin/sh\njq -c '{tool: .tool_name, out: .tool_output}' >> "$PWD/tools.log"\n`,
    {
      matcher: '*',
    },
  );
  await at.goose.emit({ ...shell('ls'), hook_event_name: 'PostToolUse', tool_output: ['a'] });
  expect(readFileSync(join(at.cwd, 'tools.log'), 'utf8')).toBe('{"tool":"developer__shell","out":["a"]}\n');
});

test('a notifier starts a background process and does not wait for it', async () => {
  const at = await configured(
    'Stop',
    `#!/bin/sh\n(sleep 0.3; touch "$PWD/notified") >/dev/null 2>&1 &\nexit 0\n`,
  );
  const { blocked, runs } = await at.goose.emit({ hook_event_name: 'Stop', session_id: 's' });
  expect([blocked, runs[0]!.failedOpen]).toEqual([false, undefined]);
  for (let i = 0; i < 200 && !existsSync(join(at.cwd, 'notified')); i++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(existsSync(join(at.cwd, 'notified'))).toBe(true);
});

test.skipIf(lacks('jq'))('a stop hook checks the work and allows the second stop', async () => {
  const at = await configured(
    'Stop',
    `#!/usr/bin/env bash
[ "$(jq -r '.stop_hook_active')" = true ] && exit 0
echo '{"decision": "block", "reason": "run the tests first"}'
`,
  );
  const stop = { hook_event_name: 'Stop', session_id: 's' };
  expect(await at.goose.emit(stop)).toMatchObject({ blocked: true, reason: 'run the tests first' });
  expect((await at.goose.emit(stop)).blocked).toBe(false);
});

test.skipIf(lacks('jq'))('a guard for current Goose reads its newer field names', async () => {
  const { goose } = await configured(
    'PreToolUse',
    `#!/usr/bin/env bash
payload=$(cat)
[ "$(jq -r .event <<<"$payload")" = PreToolUse ] || exit 1
case "$(jq -r .tool_name <<<"$payload")" in shell) ;; *) exit 0 ;; esac
cd "$(jq -r .working_dir <<<"$payload")" || exit 1
echo '{"decision":"block","reason":"'"$(basename "$PWD")"'"}'
`,
    { matcher: 'developer__shell' },
  );
  expect(await goose.emit(shell('ls', { tool_name: 'shell' }))).toMatchObject({
    blocked: true,
    reason: 'project',
  });
  expect((await goose.emit(shell('ls', { tool_name: 'developer__shell' }))).blocked).toBe(false);
});

test.skipIf(lacks('jq'))("a hook in Claude Code's format from an allowed project runs", async () => {
  const at = ground({
    'home/.config/goose/hooks.json': { allow_project_hooks: true },
    'project/.claude/settings.json': {
      permissions: { allow: ['Bash(ls)'] },
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              command(
                `jq -e '.tool_input.command | test("curl")' >/dev/null && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no network"}}' || true`,
              ),
            ],
          },
        ],
      },
    },
  });
  const goose = await loadGooseHooks(at);
  expect(await goose.emit(shell('curl x'))).toMatchObject({ blocked: true, reason: 'no network' });
  expect((await goose.emit(shell('ls'))).blocked).toBe(false);
});

test.skipIf(lacks('jq'))('a formatter changes the file and reports on stderr', async () => {
  const at = await configured(
    'AfterFileEdit',
    `#!/bin/sh
file=$(jq -r '.tool_input.path')
case $file in *.txt) tr a-z A-Z < "$file" > "$file.new" && mv "$file.new" "$file"; echo "formatted $file" >&2 ;; esac
`,
  );
  const path = join(at.cwd, 'a.txt');
  writeFileSync(path, 'abc');
  await at.goose.emit({ event: 'AfterFileEdit', tool_input: { path }, session_id: 's' });
  expect(readFileSync(path, 'utf8')).toBe('ABC');
});
