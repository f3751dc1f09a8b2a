/** Runs the recipes of the README in two real agents, with a control without each recipe. */

import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ScriptedTurn } from '../../src/testing/index.ts';
import { put } from './guards.ts';
import { type Played, runAgent, type Scene } from './run-agent.ts';

const README = readFileSync(fileURLToPath(new URL('../../../../README.md', import.meta.url)), 'utf8');
const SECTION = /^## Recipes$([^]*?)^## /m.exec(README)?.[1] ?? '';

interface Recipe {
  /** Relative to the home folder. */
  readonly file: string;
  readonly text: string;
}
/** Each recipe is a bold word and the next code block, whose first line names the file. */
const RECIPES: Readonly<Record<string, Recipe>> = Object.fromEntries(
  [...SECTION.matchAll(/^\*\*(\w+)\*\*[^]*?^```\w+\n\/\/ ~\/(\S+)\n([^]*?)^```$/gm)].map(
    ([, name = '', file = '', text = '']) => [name, { file, text }],
  ),
);

interface Proof {
  readonly script: (agent: 'claude-code' | 'pi') => readonly ScriptedTurn[];
  readonly prepare: (scene: Scene) => void;
  /** Whether the recipe worked. */
  readonly holds: (played: Played) => boolean;
}
const FORMATTER = `import { readFileSync, writeFileSync } from 'node:fs';
const [file] = process.argv.slice(2);
writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/ +/g, ' '));
`;
const PROOFS: Readonly<Record<string, Proof>> = {
  Block: {
    script: () => [{ shell: 'cd . && rm -rf precious' }],
    prepare: ({ project }) => mkdirSync(join(project, 'precious')),
    holds: ({ has, asked }) => has('precious') && asked.includes('Move it to the trash instead.'),
  },
  Format: {
    script: (agent) => {
      const path = agent === 'pi' ? 'path' : 'file_path';
      const args = { [path]: '{{CWD}}/new.txt', content: 'much    room\n' };
      return [{ tool: '/^[Ww]rite$/', args }];
    },
    prepare({ project }) {
      put(project, 'package.json', { type: 'module', scripts: { format: 'node format.js' } });
      put(project, 'format.js', FORMATTER);
    },
    holds: ({ read }) => read('new.txt') === 'much room\n',
  },
  Notify: {
    script: () => [],
    prepare({ home, project }) {
      put(home, 'bin/notify-send', `#!/bin/sh\necho "$@" > '${project}/notified'\n`);
      chmodSync(join(home, 'bin/notify-send'), 0o755);
    },
    holds: ({ has, read }) => has('notified') && read('notified') === 'Your agent is done\n',
  },
};

test('the README has the three recipes', () => {
  expect(Object.keys(RECIPES)).toEqual(Object.keys(PROOFS));
});

describe.each(['claude-code', 'pi'] as const)('in %s', (agent) => {
  /** Tries all recipes in one session and reports which of them worked. */
  const run = (recipes: readonly Recipe[]) =>
    runAgent(
      agent,
      {
        script: [...Object.values(PROOFS).flatMap(({ script }) => script(agent)), { text: 'done' }],
        async prepare(scene) {
          for (const { prepare } of Object.values(PROOFS)) prepare(scene);
          for (const { file, text } of recipes) put(scene.home, file, text);
          await scene.anyhook(['install', agent, '--json']);
        },
      },
      (played) => ({
        held: Object.keys(PROOFS).filter((name) => PROOFS[name]!.holds(played)),
        output: played.output,
      }),
    );

  // Two recipes share a file, so each session has some recipes, and the others are its control.
  test.each([[['Block', 'Format']], [['Notify']]])(
    'the recipes %j of the README work, and the other recipes have no effect',
    async (names) => {
      const { held, output } = await run(names.map((name) => RECIPES[name]!));
      expect(held, output).toEqual(names);
    },
  );
});
