/** Runs one real agent once with a private home and a scripted model, without any other network access. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/agents/index.ts';
import type { DaemonState } from '../../src/daemon/frames.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { type ModelScript, startModelServer } from '../../src/testing/model-server/index.ts';
import { settle, startOf } from './agents.ts';
import { daemonIn, endDaemon } from './daemon-in.ts';
import { Outside } from './outside.ts';
import { PACKAGE } from './package-under-test.ts';
import { seal } from './sealed.ts';

/** Folders of the PATH of an agent, besides those in its home. */
export const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

export interface Scene {
  readonly home: string;
  readonly project: string;
  /** Contains everything of this run and is removed after it. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `anyhook …` from this package, or from the copy in `from`. */
  anyhook(args: readonly string[], from?: string): Promise<string>;
}
export interface Played {
  /** Whether this file is in the project. */
  has(name: string): boolean;
  read(name: string): string;
  /** Turns of the conversation, without titles and similar requests. */
  readonly turns: number;
  /** All requests to the model as text. */
  readonly asked: string;
  /** The same for turns of the conversation only. */
  readonly conversation: string;
  /** These turns one by one. Each contains the whole history. */
  readonly requests: readonly string[];
  readonly journal: string;
  /** State after the agent exited; undefined if no daemon runs. */
  readonly daemon: DaemonState | undefined;
  readonly outside: readonly string[];
  readonly output: string;
}
export interface Play {
  readonly script: ModelScript;
  /** A prefix for every command, to run it in a namespace. */
  readonly within?: readonly string[];
  /** Runs before the agent starts: writes hooks and installs the bridge. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  /** Runs before the model requests a call; `text` is the call as JSON. */
  readonly beforeCall?: (text: string) => void;
}

export async function runAgent<T>(
  agent: AgentName,
  { script, within = [], prepare, beforeCall }: Play,
  look: (played: Played) => T,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bridged-')));
  const [home, project, temp] = ['home', 'project', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, temp]) mkdirSync(folder);
  const outside = new Outside();
  const model = await startModelServer({
    script,
    cwd: project,
    onRequest: ({ turn }) => {
      if (turn?.kind === 'calls') beforeCall?.(JSON.stringify(turn.calls));
    },
  });
  const proxy = await outside.open();
  const sealed = await seal(
    root,
    [model.url, proxy['HTTP_PROXY']!].map((url) => Number(new URL(url).port)),
  );
  try {
    const ground = { home, url: model.url };
    const env = {
      PATH: `${home}/bin:${PATH}`,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      HOME: home,
      TMPDIR: temp,
      ...proxy,
    };
    await settle(agent, ground);
    const anyhook = (args: readonly string[], from: string = PACKAGE) =>
      ran(...inside(within, project, process.execPath, [join(from, 'dist/bin/anyhook.cjs'), ...args]), {
        cwd: project,
        env,
      });
    await prepare?.({ home, project, root, env, anyhook });
    const { file, args, env: more } = await startOf(agent, ground);
    const output = await ran(...inside(within, project, ...sealed.line(file, args)), {
      cwd: project,
      env: { ...env, ...more },
    });
    const turns = model.requests.filter(({ turn }) => turn !== undefined && !('side' in turn));
    return look({
      has: (name) => existsSync(join(project, name)),
      read: (name) => readFileSync(join(project, name), 'utf8'),
      turns: turns.length,
      asked: JSON.stringify(model.requests.map(({ body }) => body)),
      conversation: JSON.stringify(turns.map(({ body }) => body)),
      requests: turns.map(({ body }) => JSON.stringify(body)),
      journal: journalIn(home),
      daemon: await daemonIn(home),
      outside: outside.reached,
      output,
    });
  } finally {
    await model.close();
    outside.close();
    sealed.close();
    await endDaemon(home);
    removeTree(root);
  }
}

/** A namespace has its own mounts, so the working folder must be entered inside it. */
const inside = (
  [first, ...rest]: readonly string[],
  cwd: string,
  file: string,
  args: readonly string[],
): readonly [string, readonly string[]] =>
  first === undefined
    ? [file, args]
    : [first, [...rest, 'sh', '-c', 'cd "$0" && exec "$@"', cwd, file, ...args]];

/** Exit codes of agents vary, so only the effects count. */
const ran = (
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<string> =>
  new Promise((resolve) => {
    const child = execFile(
      file,
      [...args],
      { ...options, timeout: 400_000, maxBuffer: 1e8 },
      (_, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
    );
    child.stdin?.end();
  });

function journalIn(home: string): string {
  const folder = join(home, '.local/state/anyhook/journal');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}
