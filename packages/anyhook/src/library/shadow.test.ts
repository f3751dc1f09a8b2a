/** `"shadow": true` in a settings file applies to everything in it. */

import { expect, test } from 'vitest';
import { ground, shell, USER } from './fixtures/ground.ts';

const refusing = (name: string) =>
  `import { defineHook, deny } from 'anyhook';
   export const ${name} = defineHook({ on: 'tool.before', match: 'shell', run: () => deny('by ${name}') });`;
const verdictWith = async (shadow: boolean, files: Readonly<Record<string, string>>) => {
  const hooks = await ground({ [USER]: { shadow, hookPaths: ['more/*.mjs'] }, ...files }).open();
  const { verdict, runs } = await hooks.fire(shell('ls'));
  const answered = runs.filter(({ answer }) => answer?.effects.some(({ kind }) => kind === 'deny'));
  return [verdict, answered.length];
};
const FOLDER = 'home/.config/anyhook';

test.each([
  ['the folder beside it', { [`${FOLDER}/hooks/own.mjs`]: refusing('own') }],
  ['its hookPaths', { [`${FOLDER}/more/named.mjs`]: refusing('named') }],
])('modules of %s decide in shadow mode and are enforced only without it', async (_where, module) => {
  const files: Record<string, string> = { [`${FOLDER}/more/none.mjs`]: 'export {};', ...module };
  expect([await verdictWith(true, files), await verdictWith(false, files)]).toEqual([
    ['none', 1],
    ['deny', 1],
  ]);
});
