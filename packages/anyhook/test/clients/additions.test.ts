/** What hooks add to a prompt, in other agents than the one they were written for. */

import { describe, expect, test } from 'vitest';
import { gradeOf } from '../../src/agents/capabilities.ts';
import { AGENTS } from '../../src/agents/index.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { runAgent } from './run-agent.ts';

const PART = 'a part that a plugin has pushed';
const MESSAGE = 'a message that a hook has brought';
const PLUGIN = `export const Add = async () => ({
  'chat.message': async (input, output) => {
    output.parts.push({ id: 'prt_added', sessionID: output.message.sessionID, messageID: output.message.id, type: 'text', text: '${PART}' });
  },
});
`;
const HOOK = `export default function (pi) {
  pi.on('before_agent_start', async () => ({ message: { customType: 'added', content: '${MESSAGE}', display: true } }));
}
`;

describe.each(CHOSEN)('in %s', (agent) => {
  const isTaken = gradeOf(AGENTS[agent], 'prompt.submit context') === 'full';
  // An agent without a prompt event never runs these hooks, so it loses nothing.
  const isAsked = AGENTS[agent].can['prompt.submit'] !== undefined;
  const outcome = isTaken
    ? 'reach the model'
    : isAsked
      ? 'are lost, which the journal says with both files'
      : 'are never asked for';
  test(`hooks that add a part or a message to a prompt do not block the user: they ${outcome}`, async () => {
    const { output, ...seen } = await runAgent(
      agent,
      {
        script: [{ shell: 'touch ran.txt' }, { text: 'done' }],
        async prepare({ home, anyhook }) {
          put(home, '.config/opencode/plugin/add.js', PLUGIN);
          put(home, '.omp/agent/hooks/pre/add.js', HOOK);
          await anyhook(['install', agent, '--json']);
        },
      },
      ({ has, conversation, output: printed, journal }) => ({
        ran: has('ran.txt'),
        part: conversation.includes(PART),
        message: conversation.includes(MESSAGE),
        lost: /"lost":\["context from opencode:[^"]*add\.js#chat[^"]*","context from oh-my-pi:[^"]*add\.js#/.test(
          journal,
        ),
        output: `${printed}\n${journal}`,
      }),
    );
    expect(seen, output).toEqual({ ran: true, part: isTaken, message: isTaken, lost: isAsked && !isTaken });
  });
});

test.runIf(CHOSEN.includes('oh-my-pi'))(
  'in oh-my-pi without a terminal a prompt that a hook would change is refused, with the hook’s file and the cure',
  async () => {
    const code = `import { defineHook } from 'anyhook';
export default defineHook({ on: 'prompt.submit', run: () => ({ kind: 'set', at: ['prompt'], to: 'another' }) });
`;
    await runAgent(
      'oh-my-pi',
      {
        script: [{ shell: 'touch ran.txt' }, { text: 'done' }],
        async prepare({ home, anyhook }) {
          put(home, '.config/anyhook/hooks/change.mjs', code);
          await anyhook(['install', 'oh-my-pi', '--json']);
        },
      },
      ({ turns, has, output }) => {
        expect([turns, has('ran.txt')], output).toEqual([0, false]);
        expect(output).toMatch(/hooks\/change\.mjs#default would change it, .* take the hook away/);
      },
    );
  },
);
