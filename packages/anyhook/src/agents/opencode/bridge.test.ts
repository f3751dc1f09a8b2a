import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { lint } from '../../doctor/lints.ts';
import { inspect } from '../../doctor/look/inspection.ts';
import { carryOut } from '../../install/carry-out.ts';
import { planInstall, planUninstall } from '../../install/plan.ts';
import { setupFor } from '../../install/setup.ts';
import { ground } from '../../menu/fixtures/ground.ts';
import { MODULE_MARK } from '../shared/module-file.ts';
import { opencodeAgent } from './record.ts';

const FILE = 'home/.config/opencode/plugin/anyhook.js';
/** The form that anyhook installed before OpenCode 2. */
const OLDER = `${MODULE_MARK}\nexport const anyhook = async () => ({});\n`;

function machine(files: Readonly<Record<string, string>> = {}) {
  const { at, where } = ground({ 'bin/opencode': '#!/bin/sh\necho 2.0.16\n', ...files });
  chmodSync(at('bin/opencode'), 0o755);
  const env = { PATH: `${at('bin')}:/usr/bin:/bin`, HOME: at('home') };
  return {
    at,
    here: { ...where, env },
    location: { scope: 'user', home: at('home'), cwd: at('project'), env } as const,
  };
}

/** The module with what it opens replaced by a file of the test. */
async function loaded(moduleText: string, failure: 'closed' | 'open') {
  const { at, location } = machine();
  const file = at('elsewhere.mjs');
  writeFileSync(file, moduleText);
  const setup = { ...setupFor(failure), moduleUrl: pathToFileURL(file).href };
  carryOut(planInstall(opencodeAgent, location, setup));
  const module = (await import(pathToFileURL(at(FILE)).href)) as {
    default: { id: string; server(input: object): Promise<object>; setup(context: object): Promise<unknown> };
  };
  const registered: [string, () => Promise<void>][] = [];
  const context = {
    tool: {
      hook: async (word: string, callback: () => Promise<void>) => void registered.push([word, callback]),
    },
  };
  return { module, context, registered };
}

test('the installed file has a default export for OpenCode 1 and 2, and both open the agent', async () => {
  const { module, context } = await loaded(
    'export const open = async (agent, given) => ({ agent, given });',
    'closed',
  );
  // Versions before 1.14 call exports in this order, and stop at the second.
  expect(Object.keys(module)).toEqual(['anyhook', 'default']);
  expect((module as { anyhook?: unknown }).anyhook).toBe(module.default.server);
  expect(module.default.id).toBe('anyhook');
  expect(await module.default.server({ directory: '/p' })).toEqual({
    agent: 'opencode',
    given: { directory: '/p' },
  });
  expect(await module.default.setup(context)).toEqual({ agent: 'opencode', given: context });
});

test('if anyhook cannot be loaded, the installed file refuses every tool call in OpenCode 1 and 2', async () => {
  const { module, context, registered } = await loaded('throw new Error("broken");', 'closed');
  const hooks = (await module.default.server({})) as Record<string, () => Promise<void>>;
  await expect(hooks['tool.execute.before']!()).rejects.toThrow('broken');
  await module.default.setup(context);
  expect(registered.map(([word]) => word)).toEqual(['execute.before']);
  await expect(registered[0]![1]()).rejects.toThrow('broken');
});

test('if anyhook cannot be loaded and was installed with --open, the installed file refuses nothing', async () => {
  const { module, context, registered } = await loaded('throw new Error("broken");', 'open');
  expect(await module.default.server({})).toEqual({});
  await module.default.setup(context);
  expect(registered).toEqual([]);
});

test('an install replaces the file of an earlier version, and an uninstall removes it', () => {
  const { at, location } = machine({ [FILE]: OLDER });
  carryOut(planInstall(opencodeAgent, location, setupFor('closed')));
  expect(readFileSync(at(FILE), 'utf8')).toContain("export default { id: 'anyhook', server, setup };");
  carryOut(planUninstall(opencodeAgent, location, setupFor('closed')));
  expect(existsSync(at(FILE))).toBe(false);
});

test('doctor names the file of an earlier version beside OpenCode 2', async () => {
  const { at, here, location } = machine();
  carryOut(planInstall(opencodeAgent, location, setupFor('closed')));
  const codes = async () =>
    lint(await inspect(here))
      .filter(({ file }) => file === at(FILE))
      .map(({ code }) => code)
      .toSorted();
  expect(await codes()).toEqual(['bridge-not-called']);
  writeFileSync(at(FILE), OLDER);
  expect(await codes()).toEqual(['bridge-changed', 'bridge-not-called']);
});
