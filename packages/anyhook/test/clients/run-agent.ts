/** One real agent, started once: a private home, a scripted model, and nothing else it could reach. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/agents/index.ts';
import { type ModelScript, startModelServer } from '../../src/testing/model-server/index.ts';
import type { DaemonState } from '../../src/daemon/frames.ts';
import { settle, startOf } from './agents.ts';
import { daemonIn, endDaemon } from './daemon-in.ts';
import { PACKAGE } from './package-under-test.ts';
import { Outside } from './outside.ts';
import { seal } from './sealed.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';

/** Of the programs that an agent is given, besides those in its home. */
export const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

export interface Scene {
  readonly home: string;
  readonly project: string;
  /** Everything of this run, gone after it. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** `anyhook …`, from this package or from the copy that lies there. */
  anyhook(args: readonly string[], from?: string): Promise<string>;
}
export interface Played {
  /** Is this file in the project? */
  has(name: string): boolean;
  read(name: string): string;
  /** Turns of the conversation; titles and the like are none. */
  readonly turns: number;
  /** What the model was told, in all requests. */
  readonly asked: string;
  /** The same in the turns of the conversation alone. */
  readonly conversation: string;
  /** Those turns one by one; each holds all that was said before. */
  readonly requests: readonly string[];
  readonly journal: string;
  /** When the agent has ended; undefined if no daemon runs. */
  readonly daemon: DaemonState | undefined;
  readonly outside: readonly string[];
  readonly output: string;
}
export interface Play {
  readonly script: ModelScript;
  /** Words before everything that is started: into a namespace that the test made. */
  readonly within?: readonly string[];
  /** Before the agent starts: hooks, and the bridge to them. */
  readonly prepare?: (scene: Scene) => Promise<void> | void;
  /** Before the model asks for a call; `text`: what it will ask for, as JSON. */
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

/** A namespace has folders of its own: the one to work in is entered there. */
const inside = (
  [first, ...rest]: readonly string[],
  cwd: string,
  file: string,
  args: readonly string[],
): readonly [string, readonly string[]] =>
  first === undefined
    ? [file, args]
    : [first, [...rest, 'sh', '-c', 'cd "$0" && exec "$@"', cwd, file, ...args]];

/** Agents end as they like: what counts is what was done. */
const ran = (
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<string> =>
  new Promise((resolve) => {
    const child = execFile(
      file,
      [...args],
      { ...options, timeout: 200_000, maxBuffer: 1e8 },
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
