/**
 * A hook that returns the whole input of a shell call keeps arguments that its dialect lacks, in every agent
 * and dialect.
 */

import { describe, expect, test } from 'vitest';
import { DIALECTS, toolColumns } from '../dialects.ts';
import { apply } from '../events/changes.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { callIn, changesIn, makeLexicon, respell } from '../events/lexicon.ts';
import { event } from '../testing/index.ts';

const lexicon = makeLexicon(toolColumns());
/** Our dialect is left out, because its hooks name the argument that they change. */
const withShell = DIALECTS.filter(({ name, tools }) => name !== 'anyhook' && tools.shell !== null);

/** Returns the native input after a hook of `hooks` has returned nothing but another command. */
function rewritten(
  agent: (typeof DIALECTS)[number],
  hooks: (typeof DIALECTS)[number],
  input: Fields,
): Fields {
  const { native, ...payload } = lexicon.read(agent.tools.shell!.names[0]!, input);
  const about: Event = { ...event('tool.before', payload), native };
  const [command = ''] = hooks.tools.shell!.args.command ?? [];
  const shown = callIn(hooks.tools, about).input;
  expect(shown[command]).toBe('rm -rf x');
  const changes = changesIn(hooks.tools, about, { [command]: 'ls' });
  return respell(apply(payload, changes)['input'] as Fields, native);
}

describe.each(withShell.map((agent) => [agent.name, agent] as const))('in %s', (_, agent) => {
  test.each(withShell.map((hooks) => [hooks.name, hooks] as const))(
    'a whole input from a hook of %s keeps the description and arguments that only this agent has',
    (_name, hooks) => {
      const { command = [], description = ['description'] } = agent.tools.shell!.args;
      const own = { [description[0]!]: 'lists files', onlyHere: 'required' };
      expect(rewritten(agent, hooks, { [command[0]!]: 'rm -rf x', ...own })).toEqual({
        [command[0]!]: 'ls',
        ...own,
      });
    },
  );
});

test("an argument that the hook's own dialect has is dropped if the hook omits it", () => {
  const claude = DIALECTS.find(({ name }) => name === 'claude-code')!;
  expect(rewritten(claude, claude, { command: 'rm -rf x', run_in_background: true })).toEqual({
    command: 'ls',
  });
});
