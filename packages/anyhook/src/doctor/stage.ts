/**
 * Runs an agent once in its own home, project and temporary folder, against a model on loopback. Reads and writes nothing of
 * the user's and leaves nothing behind.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Agent } from '../agents/shared/agent.ts';
import type { Headless } from '../agents/shared/headless.ts';
import type { RouteTrial, Trial, TrialTerms } from '../agents/shared/route-trial.ts';
import { foldersOf } from '../gather/folders.ts';
import { carryOut } from '../install/carry-out.ts';
import { planInstall } from '../install/plan.ts';
import { setupFor } from '../install/setup.ts';
import { readFolder } from '../journal/index.ts';
import { removeTree } from '../settings/remove-tree.ts';
import type { ModelServer } from '../testing/model-server/index.ts';
import { type ProgramEnd, runToEnd } from './look/run-program.ts';

/** A one-file MCP server for the probe. Its only tool leaves the same mark as a command. */
const canaryServer = (mark: string): string => `'use strict';
const { createInterface } = require('node:readline');
const { writeFileSync } = require('node:fs');
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'probe', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'touch', description: 'Leaves a mark.', inputSchema: { type: 'object', properties: {} } }],
  }),
  'tools/call': () => {
    writeFileSync(${JSON.stringify(mark)}, '');
    return { content: [{ type: 'text', text: 'done' }] };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = ANSWERS[method]?.(params ?? {});
  const said = result ? { result } : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...said }) + '\\n');
});
`;

export interface StagedAgent {
  readonly agent: Agent;
  /** The program, with arguments that precede all others (`node`, `cli.js`). */
  readonly program: readonly [string, ...string[]];
  /** A line for `sh` instead, which uses `$PROMPT` and `$MODEL_URL`. */
  readonly start?: string;
  /** The agent has no record, so its side routes and tool names are unknown. */
  readonly isCustomAgent?: true;
  /** What to try if it cannot be started. */
  readonly hint?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Per run. */
  readonly timeoutMs?: number;
}
/** One way of running a command, and the file that it leaves in the project. */
export interface Attempt {
  readonly mark: string;
  readonly trial: Trial;
}
export interface Play {
  /** What the model requests, in order, with the files that must exist before. Their files must differ. */
  readonly attempts: readonly Attempt[];
  /** Our bridge with these hooks by event name. Without it no hook is called. */
  readonly hooks?: Readonly<Record<string, readonly object[]>>;
  /** Below the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Below the home folder. */
  readonly homeFiles?: Readonly<Record<string, string>>;
}
export interface PlayEvidence {
  /** Whether this file exists in the project. */
  has(name: string): boolean;
  /** Turns in which the model requested something. */
  readonly calls: number;
  /** Turns of the conversation, without titles and similar requests. */
  readonly turns: number;
  /** All input of the model, in all requests. */
  readonly modelInput: string;
  /** Whether the journal has a refusal by a hook whose id ends with this. */
  isDenied(id: string): boolean;
  /** Whether the journal has one that is attributed to a subagent. */
  isDeniedToSubagent(id: string): boolean;
  /** Names and arguments of the tool calls that our hooks received: `Execute(command)`. */
  readonly toolsCalled: readonly string[];
  /** How the agent ended, in one line. */
  readonly ending: string;
}

const PROMPT = 'Please do the task.';
const DONE = { text: 'done' };
const USUAL_MS = 300_000;
const UNTOLD: Pick<Headless, 'args' | 'resume' | 'env' | 'files'> = {
  args: () => [],
  env: () => ({}),
  files: () => ({}),
};

export async function playStaged<T>(
  staged: StagedAgent,
  play: Play,
  look: (played: PlayEvidence) => T,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-probe-')));
  const folders = { root, home: join(root, 'home'), project: join(root, 'project'), temp: join(root, 'tmp') };
  for (const folder of [folders.home, folders.project, folders.temp]) mkdirSync(folder);
  const trialsAt = (url: string) => play.attempts.map(({ mark, trial }) => trial(termsFor(mark, root, url)));
  const trials = trialsAt(''); // requests do not depend on the address, which is known only once the server listens
  const { startModelServer } = await import('../testing/model-server/index.ts'); // for the probe only
  const model = await startModelServer({ script: scriptFor(play, trials), cwd: folders.project });
  try {
    const headless = (await staged.agent.headless?.()) ?? UNTOLD;
    if (trials.some(({ setting }) => setting === 'worktree'))
      linkedWorktree(folders.project, join(root, 'repository'));
    const further = Object.assign({}, ...trialsAt(model.url).map((trial) => trial.files)) as Files;
    furnish(folders, play, { ...headless.files(model.url), ...further });
    if (play.hooks !== undefined)
      bridged(staged.agent, { home: folders.home, cwd: folders.project }, play.hooks);
    const ended = await runTurns(staged, headless, { folders, trials, url: model.url });
    return look(evidenceOf(play, folders, model.requests, ended));
  } finally {
    await model.close();
    removeTree(root);
  }
}

interface StageFolders {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly temp: string;
}
type Files = Readonly<Record<string, string>>;

/** What the model requests: the calls of the first turn, those of the resumed one, and those of subagents. */
const scriptFor = ({ attempts }: Play, trials: readonly RouteTrial[]) => ({
  main: [
    ...callsOf(trials, ({ setting }) => setting !== 'resumed'),
    DONE,
    ...callsOf(trials, ({ setting }) => setting === 'resumed'),
    DONE,
  ],
  routes: attempts.map(({ mark }, at) => ({
    match: taskOf(mark),
    steps: [...(trials[at]?.inside ?? []), DONE],
  })),
});

function furnish({ root, home, project }: StageFolders, play: Play, homeFiles: Files): void {
  for (const { mark } of play.attempts) put(serverFile(root, mark), canaryServer(join(project, mark)));
  for (const [name, text] of Object.entries({ ...homeFiles, ...play.homeFiles })) put(join(home, name), text);
  for (const [name, text] of Object.entries(play.files ?? {})) put(join(project, name), text);
}

interface Turns {
  readonly folders: StageFolders;
  readonly trials: readonly RouteTrial[];
  readonly url: string;
}

/** Runs the agent, and resumes it if a trial needs that. */
async function runTurns(
  { program, start, env, timeoutMs = USUAL_MS }: StagedAgent,
  { args, resume, env: more }: typeof UNTOLD,
  { folders, trials, url }: Turns,
): Promise<ProgramEnd> {
  const run = (by: Headless['args'], prompt: string) =>
    runToEnd(start === undefined ? [...program, ...by(prompt, url)] : ['/bin/sh', '-c', start], {
      cwd: folders.project,
      env: { ...bare(env, folders.home, folders.temp), ...more(url), PROMPT: prompt, MODEL_URL: url },
      timeoutMs,
    });
  const first = await run(args, trials.find(({ prompt }) => prompt !== undefined)?.prompt ?? PROMPT);
  const isResumed = trials.some(({ setting }) => setting === 'resumed');
  return isResumed ? run(resume!, PROMPT) : first; // an agent that can be resumed defines how
}

function evidenceOf(
  { hooks }: Play,
  { home, project }: StageFolders,
  requests: ModelServer['requests'],
  ended: ProgramEnd,
): PlayEvidence {
  const turns = requests.filter(({ turn }) => turn !== undefined && !('side' in turn));
  const denials = (id: string) => (hooks === undefined ? [] : denialsIn(home, id));
  return {
    has: (name) => existsSync(join(project, name)),
    calls: requests.filter(({ turn }) => turn?.kind === 'calls').length,
    turns: turns.length,
    modelInput: JSON.stringify(requests.map(({ body }) => body)),
    isDenied: (id) => denials(id).length > 0,
    isDeniedToSubagent: (id) =>
      denials(id).some(({ ids, scene }) => ids.agent !== undefined || scene.agentType !== undefined),
    toolsCalled: hooks === undefined ? [] : toolsCalledIn(home),
    ending: lineOf(ended),
  };
}

const serverFile = (root: string, mark: string): string => join(root, `${mark}-server.cjs`);
const taskOf = (mark: string): string => `You are the probe of a side route, ${mark}. Do the task.`;
const termsFor = (mark: string, root: string, url: string): TrialTerms => ({
  command: `touch ${mark}`,
  server: [process.execPath, serverFile(root, mark)],
  task: taskOf(mark),
  url,
});
const callsOf = (trials: readonly RouteTrial[], fits: (trial: RouteTrial) => boolean) =>
  trials.filter(fits).flatMap(({ calls }) => calls);

function bridged(
  agent: Agent,
  { home, cwd }: { readonly home: string; readonly cwd: string },
  hooks: NonNullable<Play['hooks']>,
): void {
  put(join(home, '.config', 'anyhook', 'hooks.json'), JSON.stringify({ hooks, daemon: 'off' })); // no process outlives its home folder
  carryOut(planInstall(agent, { scope: 'user', home, cwd, env: {} }, setupFor('closed')));
}

function denialsIn(home: string, id: string) {
  const { journal } = foldersOf({ home, cwd: home, env: {} });
  return [...readFolder(journal, { verdict: 'deny' })].flatMap((entry) =>
    entry.kind === 'record' && entry.record.hooks.some(({ hook }) => hook.id.endsWith(id))
      ? [entry.record]
      : [],
  );
}

function toolsCalledIn(home: string): readonly string[] {
  const { journal } = foldersOf({ home, cwd: home, env: {} });
  const names = [...readFolder(journal, {})].flatMap((entry) => {
    if (entry.kind !== 'record' || entry.record.event !== 'tool.before') return [];
    const { native, before } = entry.record;
    const { tool, input } = before as { readonly tool?: unknown; readonly input?: object };
    const keys = Object.keys(input ?? {}).map((key) => native?.args[key] ?? key);
    return [`${native?.tool ?? String(tool)}(${keys.join(', ')})`];
  });
  return [...new Set(names)];
}

/** A linked worktree with its repository elsewhere. Hooks of the machine's git configuration do not run. */
function linkedWorktree(folder: string, repository: string): void {
  const author = [
    '-c',
    'user.name=anyhook',
    '-c',
    'user.email=anyhook@localhost',
    '-c',
    'core.hooksPath=/dev/null',
  ];
  const git = (...words: readonly string[]) =>
    execFileSync('git', [...author, ...words], {
      stdio: 'ignore',
      env: { ...process.env, GIT_DIR: undefined },
    });
  git('init', '-q', repository);
  git('-C', repository, 'commit', '-q', '--allow-empty', '-m', 'first');
  git('-C', repository, 'worktree', 'add', '-q', '--force', folder);
}

/** The user's environment reduced to the PATH. Requests to anything but loopback go to a closed port. */
function bare(env: StagedAgent['env'], home: string, temp: string): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return {
    PATH: [env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin', dirname(process.execPath)].join(delimiter),
    HOME: home,
    TMPDIR: temp,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(proxies.map((name) => [name, nowhere])),
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function lineOf({ code, why, output }: ProgramEnd): string {
  const last = output.trim().split('\n').slice(-3).join(' ').slice(-300);
  return `${why ?? `it ended with ${code}`}${last === '' ? '' : `; it said: ${last}`}`;
}
