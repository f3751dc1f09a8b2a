/**
 * One redactor, published for OpenCode, in every agent: where an agent shows its messages, its model never reads a secret,
 * in prompts, thoughts, arguments or results, and tools get the real ones. Where it does not, that is said.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENT_NAMES, type AgentName, AGENTS } from '../../src/agents/index.ts';
import { startModelServer } from '../../src/testing/model-server/index.ts';
import { installInto } from '../clients/install.ts';
import { packages } from '../clients/packages.ts';
import { runAgent } from '../clients/run-agent.ts';
import { here } from './at-home.ts';
import { onGround } from './ground.ts';
import { install } from './install.ts';
import { keyOf, WILD } from './packages.ts';
import { settle } from './settle.ts';

const only = process.env['WILD_ONLY']?.split(' ') ?? [];
const vibeguard = WILD.find(({ name }) => name === 'opencode-vibeguard')!;
const isWanted = only.length === 0 || only.some((word) => keyOf(vibeguard).includes(word));

/** Words of the prompt, of an argument that the model itself wrote, and of what a command prints. */
const SECRETS = { prompt: 'Please do', argument: 'mauve-argument-77', result: 'teal-result-88' } as const;
const SCRIPT = [
  { shell: `echo ${SECRETS.argument} > seen.txt` },
  { shell: 'cat secret.txt' },
  { text: 'done' },
];

/** As its page says: which words are secrets is the person's to say. */
function settleRedactor(home: string, project: string): void {
  settle(vibeguard, { home });
  const keywords = Object.values(SECRETS).map((value) => ({ value, category: 'SECRET' }));
  const folder = join(home, '.config/opencode');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'vibeguard.config.json'),
    JSON.stringify({ enabled: true, patterns: { keywords } }),
  );
  writeFileSync(join(project, 'secret.txt'), SECRETS.result);
}

const leaked = (asked: string): string[] =>
  Object.entries(SECRETS).flatMap(([kind, secret]) => (asked.includes(secret) ? [kind] : []));

const showsMessages = (name: AgentName): boolean => {
  const { can } = AGENTS[name];
  return can['model.context']?.set === 'full';
};

describe.runIf(isWanted)('opencode-vibeguard', () => {
  test.each(AGENT_NAMES.filter(showsMessages))(
    'in %s the model reads no secret; without it, every one',
    async (agent) => {
      await install(vibeguard);
      const clients = await packages();
      for (const one of [agent, 'bun', 'node22'] as const)
        if (clients[one] !== undefined) installInto(one, clients[one]);
      const play = (isGuarded: boolean) =>
        runAgent(
          agent,
          {
            script: SCRIPT,
            async prepare({ home, project, anyhook }) {
              settleRedactor(home, project);
              if (!isGuarded) writeFileSync(join(home, '.config/opencode/vibeguard.config.json'), '{}');
              await anyhook(['install', agent, '--json']);
            },
          },
          // OpenCode asks no plugin about the prompt that it has a title made of.
          ({ conversation, turns, has, read, output }) => ({
            leaked: leaked(conversation),
            hides: conversation.includes('__VG_SECRET_'),
            ran: has('seen.txt') && read('seen.txt').trim(),
            output: turns === SCRIPT.length ? '' : output,
          }),
        );
      const all = Object.keys(SECRETS);
      const ran = SECRETS.argument;
      expect(await play(true)).toEqual({ leaked: [], hides: true, ran, output: '' });
      expect(await play(false)).toEqual({ leaked: all, hides: false, ran, output: '' });
    },
  );

  test('in our own agent the model reads no secret', async () => {
    await install(vibeguard);
    await onGround(async ({ home, project, run }) => {
      settleRedactor(home, project);
      const model = await startModelServer({ script: SCRIPT, cwd: project });
      const spec = `openai-compatible:${model.url}/v1#scripted`;
      const args = ['-p', 'Please do the task.', '--cwd', project, '--permission', 'allow', '--model', spec];
      const end = await run(process.execPath, [here('../../../agent/dist/main.js'), ...args]);
      await model.close();
      const asked = JSON.stringify(model.requests.map(({ body }) => body));
      expect([end.code, leaked(asked), asked.includes('__VG_SECRET_')], end.stderr).toEqual([0, [], true]);
      expect(
        existsSync(join(project, 'seen.txt')) && readFileSync(join(project, 'seen.txt'), 'utf8').trim(),
      ).toBe(SECRETS.argument);
    });
  });

  test.each(AGENT_NAMES.filter((name) => !showsMessages(name)))(
    '%s shows its messages to nobody: its list of hooks says that this one is never asked there',
    async (agent) => {
      await install(vibeguard);
      await onGround(async ({ home, project, run }) => {
        settleRedactor(home, project);
        const cli = here('../../dist/bin/anyhook.cjs');
        const { code, stdout } = await run(process.execPath, [cli, 'list', '--host', agent]);
        const said = stdout.replaceAll(/\s+/g, ' ');
        expect(code).toBe(0);
        expect(said).toContain('(experimental.chat.messages.transform) · fired at no event of that agent');
      });
    },
  );
});
