/** User hooks, each in the file format of its dialect. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Each guard refuses the one command that names it. */
export const GUARDS = [
  'goose',
  'opta',
  'opencode',
  'oh-my-pi',
  'claude-agent-sdk',
  'claude-code',
  'anyhook',
] as const;

/** Texts of hooks, to be found in the requests to the model. */
export const WORDS = {
  'session.start context': 'opened with care',
  'prompt.submit context': 'asked with care',
  'tool.before context': 'called with care',
  'tool.after context': 'returned with care',
  'turn.stop resume': 'one more thing',
} as const;
export const SECRET = 'a word that nobody shall read';
export const REPLACED = 'a word in its place';

export function put(folder: string, file: string, value: object | string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), typeof value === 'string' ? value : JSON.stringify(value));
}

export function writeGuards(home: string): void {
  const line = (name: string) => `if grep -q refused-by-${name}; then echo "${name} says no" >&2; exit 2; fi`;
  const group = (name: string) => ({ PreToolUse: [{ hooks: [{ type: 'command', command: line(name) }] }] });
  put(home, '.config/goose/hooks.json', { hooks: group('goose') });
  put(home, '.claude/settings.json', { hooks: group('claude-code') });
  const command = 'case "$OPTA_TOOL_ARGS" in *refused-by-opta*) echo "opta says no" >&2; exit 1;; esac';
  put(home, '.config/opta/config.json', { hooks: [{ event: 'tool.pre', command }] });
  put(home, '.config/opencode/plugin/guard.js', OPENCODE);
  put(home, '.omp/agent/hooks/pre/guard.js', OH_MY_PI);
  put(home, '.config/anyhook/hooks/sdk.ts', SDK);
  put(home, '.config/anyhook/hooks/guard.mjs', OURS);
}

const OPENCODE = `export const Guard = async () => ({
  'tool.execute.before': async (input, output) => {
    if (JSON.stringify(output.args ?? {}).includes('refused-by-opencode')) throw new Error('opencode says no');
  },
});
`;
const OH_MY_PI = `export default function (pi) {
  pi.on('tool_call', async (event) => {
    if (JSON.stringify(event.input ?? {}).includes('refused-by-oh-my-pi')) return { block: true, reason: 'oh-my-pi says no' };
  });
}
`;
const SDK = `import type { HookCallback } from '@anthropic-ai/claude-agent-sdk';

const guard: HookCallback = async (input) => {
  if (input.hook_event_name !== 'PreToolUse') return {};
  const { command = '' } = input.tool_input as { command?: string };
  if (!command.includes('refused-by-claude-agent-sdk')) return {};
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'claude-agent-sdk says no',
    },
  };
};

export const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [guard] }] };
`;
const OURS = `import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineHook } from 'anyhook';

const context = (text) => ({ kind: 'context', text });
export default [
  defineHook({ on: 'session.start', run: () => context('${WORDS['session.start context']}') }),
  defineHook({ on: 'prompt.submit', run: () => context('${WORDS['prompt.submit context']}') }),
  defineHook({
    on: 'tool.before',
    run: ({ payload }) => {
      const command = String(payload.input.command ?? '');
      if (command.includes('refused-by-anyhook')) return { kind: 'deny', reason: 'anyhook says no' };
      if (command.includes('called.txt')) return context('${WORDS['tool.before context']}');
      if (command.includes('before.txt'))
        return { kind: 'set', at: ['input', 'command'], to: command.replace('before.txt', 'after.txt') };
    },
  }),
  defineHook({
    on: 'tool.after',
    run: ({ payload }) =>
      String(payload.input.command ?? '').includes('secret.txt')
        ? { kind: 'set', at: ['content'], to: [{ type: 'text', text: '${REPLACED}' }] }
        : context('${WORDS['tool.after context']}'),
  }),
  defineHook({
    on: 'turn.stop',
    run: ({ scene }) => {
      const mark = join(scene.cwd, 'stopped-once');
      if (existsSync(mark)) return undefined;
      writeFileSync(mark, '');
      return { kind: 'resume', reason: '${WORDS['turn.stop resume']}' };
    },
  }),
];
`;
/** Used in a run of its own, because nothing comes after a refused prompt. */
export const NO_PROMPT = `import { defineHook, deny } from 'anyhook';
export default defineHook({ on: 'prompt.submit', run: () => deny('not this prompt') });
`;
