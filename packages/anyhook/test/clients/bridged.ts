/** Runs a real agent with our bridge and one hook per dialect, and reports the result of each effect. */

import type { AgentName } from '../../src/agents/index.ts';
import type { CapabilityCell } from '../../src/agents/shared/cells.ts';
import { GUARDS, NO_PROMPT, put, REPLACED, SECRET, WORDS, writeGuards } from './guards.ts';
import { type Played, runAgent } from './run-agent.ts';

/** The calls of the model, in order. */
const COMMANDS = [
  ...GUARDS.map((name) => `touch refused-by-${name}`),
  'touch before.txt',
  'touch called.txt',
  'cat secret.txt',
  'touch ran.txt',
];
const SCRIPT = [...COMMANDS.map((shell) => ({ shell })), { text: 'done' }];

export interface Seen {
  /** Calls that ran although a guard refused them. */
  readonly ran: readonly string[];
  /** Refusals that the model received. */
  readonly told: readonly string[];
  /** Whether the call without a guard ran. */
  readonly control: boolean;
  /** Whether the call that a hook changes ran in its original form. */
  readonly original: boolean;
  readonly secret: boolean;
  readonly cells: Readonly<Record<Exclude<CapabilityCell, 'prompt.submit deny'>, boolean>>;
  /** Refusals in the journal. */
  readonly recorded: readonly string[];
  readonly outside: readonly string[];
  readonly output: string;
}

export const runBridged = (agent: AgentName, how: { readonly bridge: boolean }): Promise<Seen> =>
  runAgent(
    agent,
    {
      script: SCRIPT,
      async prepare({ home, project, anyhook }) {
        put(project, 'secret.txt', SECRET);
        if (!how.bridge) return;
        writeGuards(home);
        await anyhook(['install', agent, '--json']);
      },
    },
    seenIn,
  );

function seenIn({ has, asked, journal, outside, output }: Played): Seen {
  const heard = (cell: keyof typeof WORDS) => asked.includes(WORDS[cell]);
  const ran = GUARDS.filter((name) => has(`refused-by-${name}`));
  return {
    ran,
    told: GUARDS.filter((name) => asked.includes(`${name} says no`)),
    control: has('ran.txt'),
    original: has('before.txt'),
    secret: asked.includes(SECRET),
    cells: {
      'session.start context': heard('session.start context'),
      'prompt.submit context': heard('prompt.submit context'),
      'tool.before deny': ran.length === 0,
      'tool.before set': has('after.txt'),
      'tool.before context': heard('tool.before context'),
      'tool.after set': asked.includes(REPLACED) && !asked.includes(SECRET),
      'tool.after context': heard('tool.after context'),
      'turn.stop resume': heard('turn.stop resume'),
    },
    recorded: GUARDS.filter((name) => journal.includes(`${name} says no`)),
    outside,
    output,
  };
}

/** Whether a refused prompt keeps the agent from calling its model. */
export const refusesPrompt = (agent: AgentName): Promise<boolean> =>
  runAgent(
    agent,
    {
      script: [{ shell: 'touch ran.txt' }, { text: 'done' }],
      async prepare({ home, anyhook }) {
        put(home, '.config/anyhook/hooks/prompt.mjs', NO_PROMPT);
        await anyhook(['install', agent, '--json']);
      },
    },
    ({ turns, has }) => turns === 0 && !has('ran.txt'),
  );
