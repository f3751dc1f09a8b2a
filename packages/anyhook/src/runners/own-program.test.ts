/** Which program runs our helper processes, depending on the host. */

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownProgram, type RuntimeFacts, STARTED_AS_HELPER } from './own-program.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ah-')));
const put = (path: string): string => {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
};
const NODE = put('bin/node');
const facts = (over: Partial<RuntimeFacts>): RuntimeFacts => ({
  execPath: '/usr/bin/node',
  versions: { node: '20.19.0' },
  env: {},
  isSingleExecutable: false,
  ...over,
});
const nodeOf = (over: Partial<RuntimeFacts>) => {
  const program = ownProgram(facts(over));
  return 'missing' in program ? program.missing : program.node;
};

test.each(['/usr/bin/node', '/opt/node-v20.19.0', '/usr/bin/nodejs', '/x/node20', 'C:/node.exe'])(
  'a host that runs on %s starts its helpers with it',
  (execPath) => expect(nodeOf({ execPath, env: { PATH: join(root, 'bin') } })).toBe(execPath),
);

test('a single executable starts its helpers with the Node on the PATH, and never with itself', () => {
  const app = { execPath: '/opt/app', isSingleExecutable: true };
  expect(nodeOf({ ...app, env: { PATH: join(root, 'bin') } })).toBe(NODE);
  expect(nodeOf(app)).toMatch(/^Hooks need Node\. .*ANYHOOK_NODE/);
});

test('a single executable that is called node does not start itself either', () => {
  expect(nodeOf({ execPath: '/opt/node', isSingleExecutable: true })).toContain('ANYHOOK_NODE');
});

test('ANYHOOK_NODE selects the Node to use', () => {
  expect(nodeOf({ execPath: '/opt/app', isSingleExecutable: true, env: { ANYHOOK_NODE: '/n' } })).toBe('/n');
});

test('a node in a project or in a relative PATH entry is not used', () => {
  put('project/node_modules/.bin/node');
  const env = { PATH: ['bin', '.', '', join(root, 'project/node_modules/.bin')].join(':') };
  expect(nodeOf({ execPath: '/opt/app', isSingleExecutable: true, env })).toContain('ANYHOOK_NODE');
});

test('a Node with another name is used if there is no other', () => {
  expect(nodeOf({ execPath: '/opt/my-runtime' })).toBe('/opt/my-runtime');
  expect(nodeOf({ execPath: '/opt/my-runtime', env: { PATH: join(root, 'bin') } })).toBe(NODE);
});

test('Electron runs helpers as Node, and Bun as Bun', () => {
  expect(ownProgram(facts({ execPath: '/e', versions: { electron: '30' } }))).toEqual({
    node: '/e',
    args: [],
    env: { [STARTED_AS_HELPER]: '1', ELECTRON_RUN_AS_NODE: '1' },
  });
  expect(ownProgram(facts({ execPath: '/b', versions: { bun: '1' } }))).toMatchObject({
    node: '/b',
    env: { BUN_BE_BUN: '1' },
  });
});

test('a program that was started as a helper starts no other helper', () => {
  expect(nodeOf({ env: { [STARTED_AS_HELPER]: '1' } })).toContain('was started in place of Node');
});

test("Yarn's Plug'n'Play loaders are passed on, and no other option of NODE_OPTIONS", () => {
  const NODE_OPTIONS =
    '--inspect --require /p/.pnp.cjs --experimental-loader "file:///p/.pnp.loader.mjs" -r x.cjs';
  expect(ownProgram(facts({ versions: { pnp: '3' }, env: { NODE_OPTIONS } }))).toMatchObject({
    args: ['--require', '/p/.pnp.cjs', '--experimental-loader', 'file:///p/.pnp.loader.mjs'],
  });
});
