/** Runs all catalog hooks together through the bridge of every agent: each does what `anyhook add` says. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putIn } from '../../src/add/added.ts';
import { findPack } from '../../src/add/find-pack.ts';
import { recipeIn, type RecipeStanding } from '../../src/add/recipe-agents.ts';
import { recipes } from '../../src/add/recipes.ts';
import { AGENT_NAMES, type AgentName, AGENTS } from '../../src/agents/index.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { openBridge, type Said, type World } from './bridge.ts';
import { type Moment, recorded, type Words } from './recorded.ts';

const KEY = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');

interface Trial {
  readonly moment: Moment;
  readonly words?: Partial<Words>;
  /** Did it do what it is for? */
  readonly seen: (said: Said, world: World) => RecipeStanding | Promise<RecipeStanding>;
}
const refusedWith =
  (reason: string): Trial['seen'] =>
  ({ verdict, text }) =>
    verdict === 'deny' && text.includes(reason) ? 'works' : 'no';
const askedWith =
  (reason: string): Trial['seen'] =>
  ({ verdict, text }) =>
    !text.includes(reason) || !['ask', 'deny'].includes(verdict)
      ? 'no'
      : verdict === 'ask'
        ? 'works'
        : 'refuses';
const works = (does: boolean): RecipeStanding => (does ? 'works' : 'no');

const TRIALS: Readonly<Record<string, Trial>> = {
  audit: {
    moment: 'shell',
    seen(_, { home }) {
      const folder = join(home, '.local/state/anyhook-audit');
      return works(
        existsSync(folder) &&
          readdirSync(folder).some((day) => readFileSync(join(folder, day), 'utf8').includes('echo hi')),
      );
    },
  },
  budget: { moment: 'shell', words: { session: 'spent' }, seen: askedWith('were planned. Go on?') },
  'destructive-commands': {
    moment: 'shell',
    words: { command: 'cd . && rm -rf /var/lib' },
    seen: refusedWith('Deleting and piping into a shell are for a person'),
  },
  'git-history': {
    moment: 'shell',
    words: { command: 'git push --force' },
    seen: refusedWith('History that others may have is not rewritten'),
  },
  'protected-paths': { moment: 'write', words: { path: '.env' }, seen: askedWith('.env is protected') },
  'secrets-in-files': {
    moment: 'write',
    words: { content: KEY },
    seen: refusedWith('This would write an AWS key into a file'),
  },
  'secrets-in-prompts': {
    moment: 'prompt',
    words: { prompt: `use ${KEY}` },
    seen: refusedWith('The prompt holds an AWS key'),
  },
  'redact-output': {
    moment: 'ran',
    words: { printed: KEY },
    seen: ({ text }) => works(text.includes('[an AWS key, taken out]')),
  },
  'format-after-edit': {
    moment: 'wrote',
    words: { path: 'new.txt' },
    seen: (_, { project }) => works(readFileSync(join(project, 'new.txt'), 'utf8') === 'formatted\n'),
  },
  'git-context': { moment: 'start', seen: ({ text }) => works(text.includes('On branch feature.')) },
  'tests-before-stop': {
    moment: 'stop',
    seen: ({ verdict, text }) => works(verdict === 'resume' && text.includes('two are red')),
  },
  notify: {
    moment: 'stop',
    async seen(_, { home }) {
      // OpenCode does not wait for what it tells of
      for (let tries = 0; tries < 50 && !existsSync(join(home, 'notified')); tries += 1) await sleep(100);
      return works(existsSync(join(home, 'notified')));
    },
  },
  'commit-at-end': {
    moment: 'end',
    seen: (_, world) => works(git(world, 'log', '-1', '--format=%s').startsWith('wip: session')),
  },
};

const git = ({ project, env }: World, ...args: string[]): string =>
  execFileSync('git', args, { cwd: project, env, encoding: 'utf8' });

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-recipes-')));
});
afterEach(() => removeTree(root));

/** A repository on a branch, with a formatter, tests that fail and something to tell the person by. */
function makeWorld(): World {
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const scripts = { test: 'echo two are red; exit 1', format: `sh -c 'echo formatted > "$0"'` };
  put(join(project, 'package.json'), JSON.stringify({ scripts }));
  put(join(project, 'new.txt'), 'much    room\n');
  put(join(home, '.gitconfig'), '[user]\nname = T\nemail = t@example.com\n');
  put(join(home, '.config/anyhook/hooks.json'), '{ "engine": "off" }\n');
  put(join(home, 'bin/notify-send'), `#!/bin/sh\necho "$@" > '${home}/notified'\n`);
  chmodSync(join(home, 'bin/notify-send'), 0o755);
  const spent = JSON.stringify({ calls: 200, sinceMs: Date.now() });
  // Kimi Code begins the names of its sessions with a word of its own.
  for (const session of ['spent', 'session_spent'])
    put(join(home, `.local/state/anyhook-budget/${session}.json`), spent);
  const env = { HOME: home, PATH: `${home}/bin:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8' };
  const world = { home, project, env };
  git(world, 'init', '--quiet', '-b', 'feature');
  git(world, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  return world;
}

async function seenIn(agent: AgentName, added: readonly string[]): Promise<Record<string, RecipeStanding>> {
  const world = makeWorld();
  const progress = { say: () => {} } as never;
  for (const name of added)
    putIn(join(world.home, '.config/anyhook/hooks.json'), await findPack(name, { progress }));
  const bridge = await openBridge(agent, world);
  const standings: Record<string, RecipeStanding> = {};
  for (const [name, { moment, words, seen }] of Object.entries(TRIALS)) {
    const sent = recorded(agent, moment, { cwd: world.project, session: 's1', ...words });
    const said = sent === undefined ? undefined : await bridge.send(sent);
    standings[name] = said === undefined ? 'no' : await seen(said, world);
  }
  await bridge.close();
  return standings;
}

const NAMES = recipes().map(({ name }) => name);

test('every catalog hook has a trial', () => {
  expect(Object.keys(TRIALS).toSorted()).toEqual(NAMES);
});

test.each(AGENT_NAMES)(
  'in %s every catalog hook does what its description says',
  async (agent) => {
    const claimed = NAMES.map((name) => [name, recipeIn(name, AGENTS[agent])]);
    expect(await seenIn(agent, NAMES)).toEqual(Object.fromEntries(claimed));
  },
  180_000,
);

test.each(['claude-code', 'opencode', 'pi'] as const)(
  'control: in %s nothing of this happens without the catalog hooks',
  async (agent) => {
    expect(new Set(Object.values(await seenIn(agent, [])))).toEqual(new Set(['no']));
  },
  180_000,
);
