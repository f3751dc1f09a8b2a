/**
 * One redactor, published for OpenCode, in every agent: where an agent shows its messages, its model never reads a secret,
 * in prompts, thoughts, arguments or results, and tools get the real ones. Where it does not, prompts and results are shown
 * to it as they come: what the agent can change is changed, a prompt that it can only refuse is refused, and the rest is said.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENT_NAMES, type AgentName, AGENTS } from '../../src/agents/index.ts';
import { redactionIn } from '../../src/agents/redaction.ts';
import { lacksOf } from '../../src/events/capabilities.ts';
import { firedAt } from '../../src/events/nearest.ts';
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

type Secret = keyof typeof SECRETS;
const ALL = Object.keys(SECRETS) as Secret[];

/** As its page says: which words are secrets is the person's to say. */
function settleRedactor(home: string, project: string, secrets: readonly Secret[] = ALL): void {
  settle([vibeguard], { home });
  const keywords = secrets.map((secret) => ({ value: SECRETS[secret], category: 'SECRET' }));
  const folder = join(home, '.config/opencode');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'vibeguard.config.json'),
    secrets.length === 0 ? '{}' : JSON.stringify({ enabled: true, patterns: { keywords } }),
  );
  writeFileSync(join(project, 'secret.txt'), SECRETS.result);
}

const leaked = (asked: string): string[] =>
  Object.entries(SECRETS).flatMap(([kind, secret]) => (asked.includes(secret) ? [kind] : []));

const showsMessages = (name: AgentName): boolean => redactionIn(AGENTS[name]).written === 'hidden';

async function play(agent: AgentName, secrets: readonly Secret[]) {
  await install(vibeguard);
  const clients = await packages();
  for (const one of [agent, 'bun', 'node22'] as const)
    if (clients[one] !== undefined) installInto(one, clients[one]);
  return runAgent(
    agent,
    {
      script: SCRIPT,
      async prepare({ home, project, anyhook }) {
        settleRedactor(home, project, secrets);
        await anyhook(['install', agent, '--json']);
      },
    },
    // OpenCode asks no plugin about the prompt that it has a title made of.
    ({ conversation, turns, has, read, journal, output }) => ({
      // An agent may repeat a request that takes long.
      played: turns === 0 ? 'nothing' : turns < SCRIPT.length ? 'a part' : 'all',
      leaked: leaked(conversation),
      hides: conversation.includes('__VG_SECRET_'),
      ran: has('seen.txt') && read('seen.txt').trim(),
      journal,
      output,
    }),
  );
}

describe.runIf(isWanted)('opencode-vibeguard', () => {
  test.each(AGENT_NAMES.filter(showsMessages))(
    'in %s the model reads no secret; without it, every one',
    async (agent) => {
      const [guarded, bare] = [await play(agent, ALL), await play(agent, [])];
      const { journal: _, output, ...seen } = guarded;
      const ran = SECRETS.argument;
      expect(seen, output).toEqual({ played: 'all', leaked: [], hides: true, ran });
      expect([bare.played, bare.leaked, bare.hides, bare.ran], bare.output).toEqual(['all', ALL, false, ran]);
    },
  );

  const shown = AGENT_NAMES.filter((name) => !showsMessages(name));
  describe.each(shown.filter((name) => AGENTS[name].headless !== null))('in %s', (agent) => {
    const { prompt, result } = redactionIn(AGENTS[agent]);
    const refuses = prompt === 'refused';
    const hides = result === 'hidden';

    test('a prompt with a secret is refused where it can be, and the model reads nothing', async () => {
      const { played, leaked: read, journal, output } = await play(agent, ['prompt']);
      expect({ played, read, said: journal.includes('cannot change prompt') }, output).toEqual({
        played: refuses ? 'nothing' : 'all',
        read: refuses ? [] : ALL,
        said: true,
      });
    });

    // What the model wrote itself it knows: no agent but those that show their messages takes it back. Some tell hooks that a
    // tool has run and not what came of it: nobody knows then what there would be to hide.
    test('of a result the model reads no secret where results can be changed; elsewhere that is said', async () => {
      const { journal, output, ...seen } = await play(agent, ['result']);
      expect({ ...seen, said: journal.includes('cannot change content') }, output).toEqual({
        played: 'all',
        leaked: hides ? ['prompt', 'argument'] : ALL,
        hides,
        ran: SECRETS.argument,
        said: !hides && journal.includes(SECRETS.result),
      });
    });
  });

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

  test.each(shown)(
    '%s shows its messages to nobody: its list of hooks says where this one is asked instead',
    async (agent) => {
      await install(vibeguard);
      await onGround(async ({ home, project, run }) => {
        settleRedactor(home, project);
        const cli = here('../../dist/bin/anyhook.cjs');
        const { code, stdout } = await run(process.execPath, [cli, 'list', '--host', agent]);
        const places = firedAt('model.context', lacksOf(AGENTS[agent].can)).join(', ');
        expect([code, places === '']).toEqual([0, false]);
        expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
          `(experimental.chat.messages.transform) · fired at ${places}`,
        );
      });
    },
  );
});
