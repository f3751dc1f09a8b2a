/** `install --mcp` in the settings of every agent that has MCP servers, and `uninstall --mcp` byte for byte. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENT_NAMES, type AgentName, AGENTS } from '../../agents/index.ts';
import type { InstallLocation, Setup } from '../../agents/shared/bridge.ts';
import type { Fields } from '../../events/effects.ts';
import { carryOut } from '../carry-out.ts';
import { planUnwrap, planWrap } from './plan.ts';
import { serversNamed } from './servers-text.ts';

const SETUP: Setup = {
  node: "/opt/no de/it's/node",
  bin: '/opt/anyhook/dist/bin/anyhook.cjs',
  moduleUrl: 'file:///opt/anyhook/open.js',
  client: { kind: 'native', file: import.meta.filename },
  failure: 'closed',
};
let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'wrap-')));
  mkdirSync(join(root, 'home'));
  mkdirSync(join(root, 'project'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const where = (): InstallLocation => ({
  scope: 'user',
  home: join(root, 'home'),
  cwd: join(root, 'project'),
  env: {},
});
const WITH_SERVERS = AGENT_NAMES.filter((name) => AGENTS[name].mcp !== null);

/** A realistic settings file: comments where the format has any, odd indentation, other settings around. */
function textFor(name: AgentName): string {
  const { format, under, words } = AGENTS[name].mcp!;
  const { command, args, env, url, headers, type } = words;
  const program = { ...(type && { type: type.program }) };
  const line = args === null ? { [command]: ['npx', 'files'] } : { [command]: 'npx', [args]: ['files'] };
  const address = { ...(type && { type: type.address }), [url]: 'https://example.com/mcp' };
  const servers: Record<string, Fields> = {
    files: { ...program, ...line, [env]: { A: '1' } },
    web: { ...address, [headers]: { 'X-Team': 'web' } },
  };
  if (format === 'toml')
    return [
      '# mine\nname = "x" # stays\n',
      `[${under}.files] # of the team`,
      `${command} = "npx"   # odd`,
      `${args} = [\n  "files", # one\n]`,
      `[${under}.files.${env}]\nA = "1"\n`,
      `[${under}.web]\n${url} = "https://example.com/mcp"\n${headers} = { X-Team = "web" }\n`,
      '[other]\nkeep = true',
    ].join('\n');
  if (format === 'yaml')
    return `# mine\nname: x # stays\n${under}:\n${yamlOf(servers)}other:\n    keep: true\n`;
  const text = JSON.stringify({ name: 'x', [under]: servers, other: { keep: true } }, null, 3);
  return `${text.replace('"name"', '// mine\n   "name"')}\n\n`;
}
const yamlOf = (servers: Readonly<Record<string, Fields>>): string =>
  Object.entries(servers)
    .map(([name, server]) => {
      const lines = Object.entries(server).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`);
      return `  ${name}:\n${lines.join('')}`;
    })
    .join('');

const fileOf = (name: AgentName): string => AGENTS[name].mcp!.files(where())[0];
const namedIn = (name: AgentName) =>
  serversNamed(readFileSync(fileOf(name), 'utf8'), AGENTS[name].mcp!, 'it');
const put = (name: AgentName, text: string): void => {
  mkdirSync(dirname(fileOf(name)), { recursive: true });
  writeFileSync(fileOf(name), text);
};
const wrap = (name: AgentName, ...names: string[]) => {
  const plan = planWrap(AGENTS[name], where(), { names, setup: SETUP });
  if (!plan.idle) carryOut(plan);
  return plan;
};
const unwrap = (name: AgentName, ...names: string[]) => {
  const plan = planUnwrap(AGENTS[name], where(), names);
  if (!plan.idle) carryOut(plan);
  return plan;
};

describe.each(WITH_SERVERS)('%s', (name) => {
  const { words } = AGENTS[name].mcp!;
  const lineOf = (server: Fields): unknown =>
    words.args === null
      ? server[words.command]
      : [server[words.command], ...(server[words.args] as readonly string[])];

  test('install --mcp starts servers through the proxy, and a second install changes nothing', () => {
    put(name, textFor(name));
    expect(wrap(name).left).toEqual([]);
    const { files, web } = namedIn(name);
    const proxy = [SETUP.node, SETUP.bin, 'mcp', '--host', name, '--name'];
    expect(lineOf(files!)).toEqual([...proxy, 'files', '--', 'npx', 'files']);
    expect(lineOf(web!)).toEqual([...proxy, 'web', '--no-offers', '--http', 'https://example.com/mcp']);
    expect([web![words.url], web![words.headers]]).toEqual([undefined, undefined]);
    expect(wrap(name).idle).toBe(true);
  });

  test('uninstall --mcp restores the file byte for byte', () => {
    put(name, textFor(name));
    wrap(name);
    expect(readFileSync(fileOf(name), 'utf8')).not.toBe(textFor(name));
    unwrap(name);
    expect(readFileSync(fileOf(name), 'utf8')).toBe(textFor(name));
  });

  test('uninstall --mcp restores the servers of an edited file and keeps the edit', () => {
    put(name, textFor(name));
    const before = namedIn(name);
    wrap(name);
    const edited = readFileSync(fileOf(name), 'utf8').replace('keep', 'kept');
    writeFileSync(fileOf(name), edited);
    unwrap(name);
    expect(namedIn(name)).toEqual(before);
    expect(readFileSync(fileOf(name), 'utf8')).toContain('kept');
  });

  test('install --mcp with a name wraps only that server', () => {
    put(name, textFor(name));
    const { web } = namedIn(name);
    wrap(name, 'files');
    expect(namedIn(name)['web']).toEqual(web);
    unwrap(name, 'files');
    expect(readFileSync(fileOf(name), 'utf8')).toBe(textFor(name));
  });
});

test('a server that logs in by itself is left alone with a reason', () => {
  const web = { url: 'https://example.com/mcp', bearerTokenEnvVar: 'TOKEN' };
  put('kimi-code', JSON.stringify({ mcpServers: { web } }));
  expect(wrap('kimi-code').left).toEqual([
    'web logs in by itself (bearerTokenEnvVar), which the proxy cannot do in its place',
  ]);
  expect(namedIn('kimi-code')).toEqual({ web });
});
