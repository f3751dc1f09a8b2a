/** A program that opens hooks for another user's home: their hooks see that home, not the program's. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks, type Options } from '../index.ts';

const tenant = (files: Readonly<Record<string, string>>): string => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ah-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text, { mode: 0o755 });
  }
  return home;
};
const HOOKS = '.config/anyhook/hooks.json';
const refuse = (run: string) => JSON.stringify({ hooks: { 'tool.before': [{ run }] } });
async function reasonOf(home: string, more: Partial<Options> = {}): Promise<string> {
  await using hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd: home,
    journal: false,
    ...more,
  });
  const payload = { tool: 'shell', input: { command: 'ls' } };
  return (await hooks.fire({ name: 'tool.before', payload })).reason;
}

test("a command hook runs the script in its tenant's home", async () => {
  const homes = ['one', 'two'].map((name) =>
    tenant({ [HOOKS]: refuse('~/guards/g.sh'), 'guards/g.sh': `#!/bin/sh\necho ${name} >&2; exit 2\n` }),
  );
  expect(await Promise.all(homes.map((home) => reasonOf(home)))).toEqual(['one', 'two']);
});

test('the home counts over HOME of a given environment, and the XDG folders lie in it', async () => {
  const home = tenant({ [HOOKS]: refuse('echo "$HOME $XDG_CONFIG_HOME" >&2; exit 2') });
  const env = { PATH: process.env['PATH'], HOME: '/server', XDG_CONFIG_HOME: '/server/config' };
  expect(await reasonOf(home, { env })).toBe(`${home} ${home}/.config`);
});

test('a given environment decides the home folder, and nothing comes from the environment of the program', async () => {
  const homes = ['one', 'two'].map((name) => tenant({ [HOOKS]: refuse(`echo ${name} "$HOME" >&2; exit 2`) }));
  const reasons = homes.map(async (home) => {
    const env = { PATH: process.env['PATH'], HOME: home };
    await using hooks = await createHooks({
      host: { name: 'test', can: EVERYTHING },
      cwd: tenant({}),
      env,
      journal: false,
    });
    const payload = { tool: 'shell', input: { command: 'ls' } };
    return (await hooks.fire({ name: 'tool.before', payload })).reason;
  });
  expect(await Promise.all(reasons)).toEqual([`one ${homes[0]}`, `two ${homes[1]}`]);
});

test("an isolated module and an MCP server of a tenant see the tenant's home", async () => {
  const plugin = `export const Plugin = async () => ({
  'tool.execute.before': async () => { throw new Error(process.env.HOME); },
});\n`;
  const home = tenant({ '.config/opencode/plugin/home.js': plugin });
  expect(await reasonOf(home)).toContain(home);
  const server = fileURLToPath(new URL('../runners/mcp/fixtures/stdio-server.mjs', import.meta.url));
  const goose = tenant({});
  mkdirSync(join(goose, '.config/goose'), { recursive: true });
  const line = `test "$HOME" = ${goose} && exec ${process.execPath} ${server}`;
  const action = {
    type: 'mcp_tool',
    tool: 'say',
    arguments: { text: '{"decision":"block","reason":"at home"}' },
    server: { command: '/bin/sh', args: ['-c', line] },
  };
  writeFileSync(
    join(goose, '.config/goose/hooks.json'),
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [action] }] } }),
  );
  expect(await reasonOf(goose)).toBe('at home');
});
