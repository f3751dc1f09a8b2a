/** Scripts that a session writes and then runs are judged by their content; everyday scripts of a project pass. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SCRIPT_FILES } from '../../src/library/script-files.ts';
import { judgeCommand } from '../../src/shell/danger/index.ts';
import { matchShell } from '../../src/shell/matches-shell.ts';
import { corpus, type Everyday } from '../corpus/read-corpus.ts';
import { figure, measure } from './figures.ts';

type Call =
  | { readonly tool: 'write'; readonly path: string; readonly content: string }
  | { readonly tool: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly tool: 'shell'; readonly command: string };
interface Chain {
  readonly kind: string;
  readonly calls: readonly Call[];
  readonly needs?: readonly string[];
}

const CHAINS = corpus<Chain>('scripts/chains.jsonl');
const CORPUS = fileURLToPath(new URL('../corpus/scripts/', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const PATH = ['/usr/bin', '/bin', dirname(process.execPath)].join(delimiter);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anyhook-chains-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const isHere = (program: string) => PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));

function place(at: number) {
  const [home, cwd] = [join(root, String(at), 'home'), join(root, String(at), 'work')];
  mkdirSync(join(home, 'victim/inside'), { recursive: true });
  mkdirSync(cwd, { recursive: true });
  const run = (command: string) =>
    spawnSync('bash', ['--norc', '-c', command], { cwd, env: { HOME: home, PATH }, timeout: 30_000 });
  return { victim: join(home, 'victim'), cwd, run };
}

function carryOut(call: Call, { cwd, run }: ReturnType<typeof place>): void {
  if (call.tool === 'shell') return void run(call.command);
  const path = join(cwd, call.path);
  mkdirSync(dirname(path), { recursive: true });
  const text = call.tool === 'write' ? call.content : readFileSync(path, 'utf8').replace(call.old, call.new);
  writeFileSync(path, text);
}

/** Carries out the chain and judges its last call before that runs. */
function judged(chain: Chain, at: number) {
  const there = place(at);
  const last = chain.calls.at(-1);
  if (last?.tool !== 'shell') throw new Error('a chain ends with a shell command');
  for (const call of chain.calls.slice(0, -1)) carryOut(call, there);
  const verdict = judgeCommand('delete', last.command, there.cwd, SCRIPT_FILES).kind;
  const byName = judgeCommand('delete', last.command, there.cwd).kind;
  const canRun = (chain.needs ?? []).every(isHere);
  if (canRun) carryOut(last, there);
  return { text: last.command, verdict, byName, canRun, isGone: !existsSync(there.victim) };
}

describe('chains that write a script and run it', () => {
  test('the corpus has at least sixty chains over all tools', () => {
    const tools = new Set(CHAINS.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
    expect([CHAINS.length >= 60, tools.size]).toEqual([true, 3]);
  });

  test('at least 97 % of the chains are refused or asked about before the script runs, and every chain deletes', () => {
    const all = CHAINS.map(judged);
    const caught = all.filter(({ verdict }) => verdict !== 'clear');
    const proven = all.filter(({ canRun }) => canRun);
    figure('scripts', 'chains caught by danger:delete', caught.length, all.length);
    figure(
      'scripts',
      'chains caught without their files',
      all.filter(({ byName }) => byName !== 'clear').length,
      all.length,
    );
    measure('scripts', 'chains proven in bash', `${proven.length} of ${all.length}`);
    const missed = all.filter(({ verdict }) => verdict === 'clear').map(({ text }) => text);
    expect({
      missed,
      enough: missed.length <= all.length * 0.03,
      standing: proven.filter(({ isGone }) => !isGone).map(({ text }) => text),
    }).toEqual({ missed, enough: true, standing: [] });
  }, 300_000);
});

describe('seven shapes of one deletion', () => {
  test.each([
    'rm -rf ~/victim',
    '/bin/rm -rf ~/victim',
    'find ~/victim -delete',
    'bash t.sh',
    "bash -c 'rm -rf ~/victim'",
    'echo ~/victim | xargs rm -rf',
    "python3 - <<'EOF'\nimport os, shutil\nshutil.rmtree(os.path.expanduser('~/victim'))\nEOF",
  ])('%s is stopped', (command) => {
    const { cwd } = place(0);
    writeFileSync(join(cwd, 't.sh'), 'rm -rf ~/victim\n');
    expect(judgeCommand('delete', command, cwd, SCRIPT_FILES).kind).not.toBe('clear');
  });
});

describe('everyday commands in a project', () => {
  const COMMANDS = readFileSync(join(CORPUS, 'everyday.txt'), 'utf8').trim().split('\n');
  const EVERYDAY = corpus<Everyday>('matching/everyday.jsonl').map(({ command }) => command);

  test('the project has more than a hundred commands that run its scripts', () => {
    expect(new Set(COMMANDS).size).toBeGreaterThan(100);
  });

  test('at most 0.5 % of the everyday commands are stopped', () => {
    const stopped = (commands: readonly string[], cwd: string) =>
      commands.filter((command) => judgeCommand('delete', command, cwd, SCRIPT_FILES).kind !== 'clear');
    const inProject = stopped(COMMANDS, join(CORPUS, 'project'));
    const all = [...COMMANDS, ...EVERYDAY];
    const here = [
      ...inProject,
      ...stopped(EVERYDAY, join(CORPUS, 'project')),
      ...stopped(EVERYDAY, REPOSITORY),
    ];
    figure('scripts', 'everyday commands in projects stopped', here.length, all.length + EVERYDAY.length);
    expect({ inProject, enough: here.length <= (all.length + EVERYDAY.length) * 0.005 }).toEqual({
      inProject: [],
      enough: true,
    });
  });

  test('git push rules stop no everyday command of the project', () => {
    const cwd = join(CORPUS, 'project');
    const found = COMMANDS.filter(
      (command) => matchShell('git push*', command, { files: SCRIPT_FILES, cwd }).kind !== 'clear',
    );
    expect(found).toEqual([]);
  });
});

test('a command that runs no script costs no look at the disk', () => {
  let looks = 0;
  const files = {
    read() {
      looks++;
      return undefined;
    },
    versionOf: () => String(looks++),
  };
  for (const command of ['git status', 'ls -la | head', 'rg main src', 'rm -rf build'])
    judgeCommand('delete', command, root, files);
  expect(looks).toBe(0);
});
