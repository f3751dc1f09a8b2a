/** Checks that the compiler cannot do: records against their dialects and against each other. */

import { expect, test } from 'vitest';
import { findDialect } from '../dialects.ts';
import { EVENT_NAMES } from '../events/events.ts';
import { AGENT_NAMES, AGENTS } from './index.ts';
import { AGENT_MARKS } from './marks.ts';
import type { InstallScope } from './shared/bridge.ts';
import { bridgedBy } from './shared/client-command.ts';

const where = (scope: InstallScope) => ({ scope, home: '/home/me', cwd: '/project', env: {} });
const SETUP = {
  node: '/node',
  bin: '/bin',
  client: { kind: 'native', file: '/client' },
  moduleUrl: 'file:///open.js',
  failure: 'closed',
} as const;
/** Entries as items of a list, as in the file. */
const listed = (entries: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(entries).map(([word, entry]) => [word, [entry]]));
const contents = (name: (typeof AGENT_NAMES)[number]) => {
  const { bridge, dialect } = AGENTS[name];
  const setup = { ...SETUP, ...where('user'), agent: name, dialect, file: '~/hooks' };
  return bridge(where('user')).map((piece) =>
    piece.kind === 'entries' ? JSON.stringify({ hooks: listed(piece.entries(setup)) }) : piece.text(setup),
  );
};

test.each(AGENT_NAMES)('%s is bridged by events of its dialect, or by a module', (name) => {
  const { dialect, inside } = AGENTS[name];
  const [text] = contents(name).slice(-1);
  if (inside !== null) {
    expect(text).toContain(`.open("${name}", `);
    return;
  }
  const { hooks, problems } = findDialect(dialect)!.config.read(text!, { layer: 'user', file: 'hooks' });
  expect([hooks.length > 0, problems]).toEqual([true, []]);
  expect(bridgedBy(text!)).toBe(name);
  expect(text).toMatch(new RegExp(`anyhook-client ${name} `));
});

test.each(AGENT_NAMES.filter((name) => AGENTS[name].inside === null))(
  'the record of %s lists exactly the events that its bridge forwards',
  (name) => {
    const { dialect, can } = AGENTS[name];
    const { config, words } = findDialect(dialect)!;
    const { hooks } = config.read(contents(name).at(-1)!, { layer: 'user', file: 'hooks' });
    // An agent-specific event (`other`) is only bridged if a user adds it.
    const named = EVENT_NAMES.filter((event) => event !== 'other');
    const brought = named.filter((event) => hooks.some(({ on }) => words[event]?.includes(on)));
    expect(named.filter((event) => can[event] !== undefined)).toEqual(brought);
  },
);

test.each(AGENT_NAMES)('the hooks that %s runs itself belong to known dialects', (name) => {
  const { ownHooks } = AGENTS[name];
  expect(ownHooks.map((own) => findDialect(own.split('@')[0]!)?.name)).not.toContain(undefined);
});

test.each(AGENT_NAMES)('%s has different bridge files for users and for projects', (name) => {
  const { bridge } = AGENTS[name];
  const [user, project] = (['user', 'project'] as const).map((scope) =>
    bridge(where(scope)).map(({ file }) => file),
  );
  expect(user!.every((file) => file.startsWith('/home/me/'))).toBe(true);
  // An agent with user settings only has no project files.
  expect(project!.every((file, i) => file.startsWith('/project/') || file === user![i])).toBe(true);
});

test('programs, files and marks belong to one agent each', () => {
  const all = AGENT_NAMES.map((name) => AGENTS[name]);
  const distinct = (list: readonly string[]) => expect([...new Set(list)]).toEqual(list);
  distinct(all.map(({ program }) => program.name));
  distinct(all.flatMap(({ bridge }) => bridge(where('user')).map(({ file }) => file)));
  distinct(all.flatMap(({ marks }) => marks));
  expect(AGENT_MARKS).toMatchObject(
    Object.fromEntries(all.flatMap(({ marks, shown }) => marks.map((mark) => [mark, shown]))),
  );
});

test.each(AGENT_NAMES.filter((name) => AGENTS[name].headless !== null))(
  '%s can be started without a terminal, and receives its task',
  async (name) => {
    const { args, env, files } = await AGENTS[name].headless!();
    const url = 'http://127.0.0.1:1';
    expect(args('the prompt', url)).toContain('the prompt');
    const told = JSON.stringify([args('the prompt', url), env(url), files(url)]);
    expect(told).toContain(url);
  },
);
