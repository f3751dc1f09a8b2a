/** Hooks of two agents disagree about a call: an approval does not override a veto, and a question reaches the user. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Stage, somebody, stage, transcript } from './fixtures/stage.ts';

const APPROVE_ALL = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          {
            type: 'command',
            command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`,
          },
        ],
      },
    ],
  },
});
const ASK_ABOUT_ENV = APPROVE_ALL.replace(
  '\\"allow\\"',
  '\\"ask\\",\\"permissionDecisionReason\\":\\"secrets\\"',
);
const plugin = (body: string) =>
  `export const Plugin = async () => ({ 'permission.ask': async (input, output) => { ${body} } });\n`;

async function run(ground: Stage, command: string, person = somebody(['deny'])) {
  const agent = await ground.open([{ calls: [{ tool: 'shell', input: { command } }] }, { text: 'done' }], {
    permission: 'ask',
    person,
  });
  await agent.prompt('go');
  return transcript(agent)[2];
}

test('an OpenCode plugin veto in permission.ask refuses a call that a Claude Code hook approved', async () => {
  const ground = stage();
  ground.write('home/.claude/settings.json', APPROVE_ALL);
  ground.write(
    'home/.config/opencode/plugin/security.js',
    plugin(`if (input.args.command.includes('dd if=')) output.status = 'deny';`),
  );
  expect(await run(ground, 'dd if=/dev/null of=made')).toContain('shell was blocked');
  expect(existsSync(join(ground.cwd, 'made'))).toBe(false);
  await run(ground, 'touch approved');
  expect(existsSync(join(ground.cwd, 'approved'))).toBe(true);
});

test('a question of a Claude Code hook reaches the user although an OpenCode plugin allows everything', async () => {
  const ground = stage();
  ground.write('home/.claude/settings.json', ASK_ABOUT_ENV);
  ground.write('home/.config/opencode/plugin/yes.js', plugin(`output.status = 'allow';`));
  const asked: unknown[] = [];
  expect(await run(ground, 'touch asked', somebody(['deny'], asked))).toContain('the user refused');
  expect([asked.length, existsSync(join(ground.cwd, 'asked'))]).toEqual([1, false]);
});

test('a question of a Claude Code hook refuses the call in a run without a user', async () => {
  const ground = stage();
  ground.write('home/.claude/settings.json', ASK_ABOUT_ENV);
  ground.write('home/.config/opencode/plugin/yes.js', plugin(`output.status = 'allow';`));
  const nobody = { isThere: false, permit: async () => 'deny' as const };
  expect(await run(ground, 'touch asked', nobody)).toContain('secrets');
  expect(existsSync(join(ground.cwd, 'asked'))).toBe(false);
});
