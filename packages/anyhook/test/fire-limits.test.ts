/** Real deadlines, and agents that cannot apply the effects of hooks. Neither may count as consent. */

import { describe, expect, test } from 'vitest';
import { World } from './trust/world.ts';

const command = { command: 'ls' };
const claude = (tool_name: string, hook_event_name = 'PreToolUse') => ({
  hook_event_name,
  session_id: 's',
  tool_name,
  tool_input: command,
});
/** A call in the format of each agent, and how its answer shows a refusal. */
const AGENTS: Readonly<
  Record<string, { readonly event: object; readonly refusal: (said: Said) => boolean }>
> = {
  anyhook: { event: { event: 'tool.before', payload: { tool: 'shell', input: command } }, refusal: exits(2) },
  'claude-code': { event: claude('Bash'), refusal: exits(2) },
  codex: { event: claude('Bash'), refusal: exits(2) },
  goose: { event: claude('developer__shell'), refusal: exits(2) },
  opta: {
    event: {
      event: 'tool.pre',
      session_id: 's',
      cwd: '/',
      model: 'm',
      tool_name: 'run_command',
      tool_args: '{}',
    },
    refusal: exits(1),
  },
  opencode: {
    event: {
      name: 'tool.execute.before',
      input: { tool: 'bash', sessionID: 's', callID: 'c' },
      output: { args: command },
    },
    refusal: exits(2),
  },
  'gemini-cli': {
    event: claude('run_shell_command', 'BeforeTool'),
    refusal: ({ answer }) => answer['decision'] === 'deny',
  },
  'oh-my-pi': {
    event: { type: 'tool_call', toolName: 'bash', toolCallId: 'c', input: command },
    refusal: ({ answer }) => answer['block'] === true,
  },
  'claude-agent-sdk': {
    event: claude('Bash'),
    refusal: ({ answer }) =>
      (answer['hookSpecificOutput'] as Answer | undefined)?.['permissionDecision'] === 'deny',
  },
};
type Answer = Readonly<Record<string, unknown>>;
interface Said {
  readonly status: number | null;
  readonly stderr: string;
  readonly answer: Answer;
}
function exits(code: number): (said: Said) => boolean {
  return ({ status, stderr }) => status === code && stderr !== '';
}

async function fire(world: World, as: string, ...more: string[]): Promise<Said> {
  const event = JSON.stringify({ cwd: world.project, ...AGENTS[as]!.event });
  const { status, stdout, stderr } = await world.run(['fire', '--as', as, ...more], event);
  return { status, stderr, answer: (stdout === '' ? {} : JSON.parse(stdout)) as Answer };
}
function withHook(hook: object): World {
  const world = new World();
  const settings = { hooks: { 'tool.before': [hook] } };
  world.put('.config/anyhook/hooks.json', JSON.stringify(settings), world.home);
  return world;
}

describe('a guard that does not answer before the deadline', () => {
  const names = Object.keys(AGENTS);
  const refusals = (hook: object, among: readonly string[], deadlineMs: number) =>
    Promise.all(
      among.map(async (as) => {
        const said = await fire(withHook(hook), as, '--deadline-ms', String(deadlineMs));
        return [as, AGENTS[as]!.refusal(said) ? 'refused' : said.status];
      }),
    );

  test('a guard that misses the deadline causes a refusal in every agent, long before the hook ends', async () => {
    const began = performance.now();
    expect(await refusals({ run: 'sleep 300' }, names, 2_000)).toEqual(names.map((as) => [as, 'refused']));
    expect(performance.now() - began).toBeLessThan(90_000);
  }, 120_000);

  test('a guard that misses the deadline allows the call if its user configured that', async () => {
    const among = ['claude-code', 'gemini-cli', 'oh-my-pi']; // One hook per way of refusing, with enough time to start on a busy machine.
    const said = await refusals({ run: 'sleep 300', onFailure: 'allow' }, among, 8_000);
    expect(said).toEqual(among.map((as) => [as, 0]));
  }, 120_000);
});

describe('an agent that cannot do what a hook asks for', () => {
  const context = { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'mind the gap' } };
  function world(): World {
    const made = new World();
    const hooks = [{ type: 'command', command: `echo '${JSON.stringify(context)}'` }];
    made.put('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }), made.home);
    return made;
  }

  test('an agent ignores an unsupported effect, or refuses the call with --strict and names the effect', async () => {
    expect((await fire(world(), 'goose', '--host', 'goose')).status).toBe(0);
    const { status, stderr } = await fire(world(), 'goose', '--host', 'goose', '--strict');
    expect([status, stderr]).toEqual([2, expect.stringContaining('context')]);
  }, 60_000);

  test('--strict has no effect where the agent supports the effect', async () => {
    expect((await fire(world(), 'claude-code', '--strict')).status).toBe(0);
  }, 60_000);
});
