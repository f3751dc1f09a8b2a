/** Variables for later commands: what hooks give when a session begins, in the shell of a real agent that can take it. */
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
/** Claude Code runs this one itself. */
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
test.skipIf(TAKING.length + LOSING.length > 0)('none of these agents is tried with variables', () => {});

describe.each(TAKING)('%s', (agent) => {
  test('starts its commands with the variables that hooks have given and written', async () => {
    expect(await shellOf(agent)).toEqual({ shell: "<it's given><in  lines>\n", isLost: false });
  });
});

describe.each(LOSING)('%s, which takes none', (agent) => {
  test('goes on without them, and the journal says so', async () => {
    expect(await shellOf(agent)).toEqual({ shell: '<><>\n', isLost: true });
  });
});
