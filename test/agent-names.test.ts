import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS } from '../packages/anyhook/src/agents/index.ts';
import { HOME_VARIABLES } from '../packages/anyhook/src/agents/shared/dialect/home-variables.ts';
import { DIALECTS } from '../packages/anyhook/src/dialects.ts';
import { namedIn } from './agent-names.ts';
import type { Tree } from './rooms.ts';

const ROOT = join(import.meta.dirname, '..');
const tree: Tree = new Map(
  ['packages/anyhook/src', 'packages/agent/src', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(ROOT, path).split(sep).join('/'), readFileSync(path, 'utf8')] as const),
  ),
);
const names = [
  ...new Set([
    ...AGENT_NAMES,
    ...DIALECTS.map(({ name }) => name).filter((name) => name !== 'anyhook'),
    ...Object.values(AGENTS).flatMap(({ marks }) => marks),
    ...Object.values(HOME_VARIABLES).flat(),
  ]),
];

/** File and name, with the reason for the exception. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/anyhook/src/gather/gather.ts: claude-agent-sdk':
    'modules in our own folders may export callbacks of the SDK: two dialects share a file',
  'packages/anyhook/src/modules/extension-entries.ts: pi':
    'a package lists its extensions under the names of the agents it is for: two agents share a file',
  'packages/anyhook/src/mcp/proxy.ts: cursor': 'what MCP calls the place in a list that goes on: no agent',
  'packages/agent/src/loop/open-agent.ts: opencode':
    'a host’s own choice: tools of OpenCode’s plugins stand in for its own, as they do there',
  'packages/agent/src/loop/prompt-commands.ts: opencode':
    'a host’s own choice: prompts that people keep in the folders of OpenCode are commands here too',
  'packages/agent/src/hooks/unasked-vetoes.ts: opencode':
    'a host’s own choice: it says which plugins of OpenCode’s its `--permission allow` never asks',
};

test('code about one agent is only in its folder, its dialect and the APIs named after it', () => {
  expect(names.length).toBeGreaterThan(9);
  expect(namedIn(tree, names).toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

test.each([
  ["if (agent === 'goose') return 1;", ['goose']],
  ['const NATIVE = { codex: 1, "gemini-cli": 2 };', ['codex', 'gemini-cli']],
  ["const MARKS = {\n  CLAUDECODE: 'Claude Code',\n};", ['CLAUDECODE']],
  ["const MOVERS = ['HOME', 'CODEX_HOME'];", ['CODEX_HOME']],
  ['/** `goose`, or \'pi\' */\nconst a = 1; // "codex"', []],
  ["import { gooseOf } from './goose/index.ts';", []],
])('a planted agent name is found: %s', (text, found) => {
  const file = 'packages/anyhook/src/cli/x.ts';
  expect(namedIn(new Map([[file, text]]), names).toSorted()).toEqual(found.map((name) => `${file}: ${name}`));
  expect(namedIn(new Map([['packages/anyhook/src/agents/x/x.ts', text]]), names)).toEqual([]);
});
