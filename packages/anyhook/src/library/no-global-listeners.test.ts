/** Loaders run in the caller's process and must not add listeners to it. */

import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadHooks } from '../agents/oh-my-pi/api/index.ts';
import { loadPlugins } from '../agents/opencode/api/index.ts';
import { removeTree } from '../settings/remove-tree.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-listeners-')));
afterAll(() => removeTree(root));

const listened = () =>
  Object.fromEntries(process.eventNames().map((name) => [name, process.listenerCount(name)]));
async function added(load: () => Promise<unknown>): Promise<readonly string[]> {
  const before = listened();
  await load();
  return Object.entries(listened()).flatMap(([name, count]) => (count > (before[name] ?? 0) ? [name] : []));
}
const file = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};
const plugin = (name: string, text = '') =>
  loadPlugins({ directory: root, plugins: [file(name, `${text}export const P = async () => ({});\n`)] });

test.each([
  ['loadPlugins', () => plugin('plugin.ts')],
  [
    'loadHooks',
    () => loadHooks([file('hook.ts', 'export default (pi) => pi.on("tool_call", () => {});\n')], root),
  ],
])('%s adds no listener to the caller’s process', async (_name, load) => {
  expect(await added(load)).toEqual([]);
});

test('control: a plugin that adds a listener there is detected', async () => {
  const listener = "process.on('uncaughtExceptionMonitor', () => {});\n";
  expect(await added(() => plugin('listens.ts', listener))).toEqual(['uncaughtExceptionMonitor']);
  process.off('uncaughtExceptionMonitor', process.listeners('uncaughtExceptionMonitor').at(-1)!);
});
