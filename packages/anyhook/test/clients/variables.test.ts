/** Variables that hooks set at the session start reach the shell of a real agent that supports them. */

import { describe, expect, test } from 'vitest';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import type { Grade } from '../../src/events/capabilities.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { runAgent } from './run-agent.ts';

const takes = (agent: AgentName): boolean => {
  const grade: Grade | undefined = AGENTS[agent].can['session.start']?.give;
  return (
    grade === 'full' || (typeof grade === 'object' && 'only' in grade && grade.only.includes('environment'))
  );
};
const GIVING = { kind: 'give', what: 'environment', value: { GIVEN: "it's given" } };
/** Claude Code runs this hook itself. */
const WRITING = {
  hooks: [{ type: 'command', command: `echo 'export WRITTEN="in $GIVEN2 lines"' >> "$CLAUDE_ENV_FILE"` }],
};

const shellOf = (agent: AgentName) =>
  runAgent(
    agent,
    {
      script: [{ shell: 'echo "<$GIVEN><$WRITTEN>" > variables.txt' }, { text: 'done' }],
      async prepare({ home, anyhook }) {
        const run = `echo '${JSON.stringify({ effects: [GIVING] }).replace("'", "'\\''")}'`;
        put(home, '.config/anyhook/hooks.json', { hooks: { 'session.start': [{ run }] } });
        put(home, '.claude/settings.json', { hooks: { SessionStart: [WRITING] } });
        await anyhook(['install', agent, '--json']);
      },
    },
    ({ read, journal }) => ({
      shell: read('variables.txt'),
      isLost: journal.includes('environment from'),
    }),
  );

const TAKING = CHOSEN.filter(takes);
const LOSING = CHOSEN.filter((agent) => agent === 'codex');
test.skipIf(TAKING.length + LOSING.length > 0)('no selected agent is tested with variables', () => {});

describe.each(TAKING)('%s', (agent) => {
  test('commands of the agent see the variables that hooks returned and wrote', async () => {
    expect(await shellOf(agent)).toEqual({ shell: "<it's given><in  lines>\n", isLost: false });
  });
});

describe.each(LOSING)('an agent without variables: %s', (agent) => {
  test('an agent that does not support variables continues, and the journal reports them as lost', async () => {
    expect(await shellOf(agent)).toEqual({ shell: '<><>\n', isLost: true });
  });
});
