/**
 * Measures what an agent without a record does with effects. It requests each effect that the client suite checks once and
 * looks for the result. Only for an agent that obeys a plain refusal.
 */

import type { CellsSeen, CustomAgent } from '../agents/custom-agent.ts';
import { CELLS } from '../agents/shared/cells.ts';
import { foldersOf } from '../gather/folders.ts';
import { customAgentFile, customAgentText } from '../gather/known-agents.ts';
import { type PlayEvidence, playStaged, type StagedAgent } from './stage.ts';

/** Unique texts per effect, searched for in the model's input. */
const WORDS = {
  'session.start context': 'the canary was there at the start',
  'prompt.submit context': 'the canary has read the prompt',
  'tool.before context': 'the canary has seen the call',
  'tool.after context': 'the canary has seen the result',
  'turn.stop resume': 'the canary wants one more turn',
} as const;
const SECRET = 'what the canary hides';
const REPLACED = 'what the canary shows';

const effects = (...list: readonly object[]): string => `printf '%s' '${JSON.stringify({ effects: list })}'`;
const says = (cell: keyof typeof WORDS): string => effects({ kind: 'context', text: WORDS[cell] });
const resume = effects({ kind: 'resume', reason: WORDS['turn.stop resume'] });

const HOOKS = {
  'session.start': [{ name: 'opened', run: says('session.start context') }],
  'prompt.submit': [{ name: 'asked', run: says('prompt.submit context') }],
  'tool.before': [
    {
      name: 'changed',
      match: 'shell(touch before)',
      run: effects({ kind: 'set', at: ['input', 'command'], to: 'touch after' }),
    },
    { name: 'called', match: 'shell(touch called)', run: says('tool.before context') },
  ],
  'tool.after': [
    {
      name: 'replaced',
      match: 'shell(cat secret)',
      run: effects({ kind: 'set', at: ['content'], to: [{ type: 'text', text: REPLACED }] }),
    },
    { name: 'returned', match: 'shell(touch ran)', run: says('tool.after context') },
  ],
  'turn.stop': [{ name: 'stopped', run: `[ -f stopped ] || { touch stopped; ${resume}; }` }],
};
const NO_PROMPT = { 'prompt.submit': [{ name: 'refused', run: 'echo not this prompt >&2; exit 2' }] };
const COMMANDS = ['touch before', 'touch called', 'cat secret', 'touch ran'];

/** Undefined if the agent did not finish with these hooks, so nothing is known. */
export async function measure(staged: StagedAgent, customAgent: CustomAgent): Promise<CellsSeen | undefined> {
  const file = customAgentFile(foldersOf({ home: '', cwd: '', env: {} }), customAgent.name); // below the home folder
  const homeFiles = { [file]: customAgentText({ ...customAgent, measured: EVERYTHING_SEEN }) };
  const run = await playStaged(
    staged,
    {
      attempts: [{ mark: 'ran', trial: () => ({ calls: COMMANDS.map((shell) => ({ shell })) }) }],
      hooks: HOOKS,
      files: { secret: SECRET },
      homeFiles,
    },
    seenIn,
  );
  if (run === undefined) return undefined;
  const isPromptRefused = await playStaged(
    staged,
    {
      attempts: [{ mark: 'ran', trial: ({ command }) => ({ calls: [{ shell: command }] }) }],
      hooks: NO_PROMPT,
      homeFiles,
    },
    ({ turns, has }) => turns === 0 && !has('ran'),
  );
  return { ...run, 'prompt.submit deny': isPromptRefused };
}

/** While measuring, no effect is removed or made stricter. */
const EVERYTHING_SEEN = {
  on: '',
  cells: Object.fromEntries(CELLS.map((cell) => [cell, true])) as CellsSeen, // every one of them
};

function seenIn({ has, modelInput: told }: PlayEvidence): Omit<CellsSeen, 'prompt.submit deny'> | undefined {
  if (!has('ran')) return undefined;
  const reachedModel = (cell: keyof typeof WORDS) => told.includes(WORDS[cell]);
  return {
    'session.start context': reachedModel('session.start context'),
    'prompt.submit context': reachedModel('prompt.submit context'),
    'tool.before deny': true, // or it would not be measured
    'tool.before set': has('after') && !has('before'),
    'tool.before context': reachedModel('tool.before context'),
    'tool.after set': told.includes(REPLACED) && !told.includes(SECRET),
    'tool.after context': reachedModel('tool.after context'),
    'turn.stop resume': reachedModel('turn.stop resume'),
  };
}
