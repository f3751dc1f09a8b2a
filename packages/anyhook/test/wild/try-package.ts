/** One published package, at home and with us, each in a process and a home of its own. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extensionEntries } from '../../src/assembly/foreign-modules/extension-entries.ts';
import { packageEntry } from '../../src/assembly/foreign-modules/package-entry.ts';
import { bun, inCache, node22 } from '../clients/packages.ts';
import { DANGER } from './moments.mjs';
import { folderOf, type WildPackage } from './packages.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';

export interface Told {
  readonly ms: number;
  readonly errors?: readonly string[];
  readonly registered: Readonly<Record<string, readonly string[]>>;
  readonly answers: readonly Readonly<Record<string, unknown>>[];
}
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SDK = here('../../../../node_modules/@opencode-ai/sdk/dist/index.js');
const CLI = here('../../dist/bin/anyhook.cjs');
const AGENT = here('../../../agent/dist/main.js');
const LONGEST_MS = 180_000;

export const folderIn = (wild: WildPackage): string => inCache(folderOf(wild), wild.name);

/** What the package says about itself where it is at home; none: it cannot run there on this machine. */
export async function atHome(wild: WildPackage): Promise<Told | undefined> {
  const folder = folderIn(wild);
  if (wild.kind === 'pi') {
    const agent = inCache('pi', '@earendil-works/pi-coding-agent/dist/index.js');
    return await told(node22(), [here('at-home.mjs'), 'pi', agent, ...extensionEntries(folder)]);
  }
  const entry = packageEntry(folder);
  if ('fault' in entry) return undefined;
  const runtime = wild.needs === 'bun' || extname(entry.file) === '.ts' ? bun() : process.execPath;
  return await told(runtime, [here('at-home.mjs'), 'opencode', SDK, entry.file]);
}

export const withUs = (wild: WildPackage): Promise<Told | undefined> =>
  told(wild.needs === 'bun' ? bun() : process.execPath, [here('with-us.mjs'), wild.kind, folderIn(wild)]);

/** `anyhook fire`, as Claude Code would, asked about what guards refuse. */
export const fired = (wild: WildPackage): Promise<Ended> =>
  inHome(async (home, project) => {
    settle(wild, home);
    const event = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: project,
      tool_name: 'Bash',
      tool_input: { command: DANGER },
    };
    return await run(
      process.execPath,
      [CLI, 'fire', '--as', 'claude-code'],
      home,
      project,
      JSON.stringify(event),
    );
  });

/** Our agent with the package: one call, and the end. */
export const played = (wild: WildPackage): Promise<Ended & { readonly ran: boolean }> =>
  inHome(async (home, project) => {
    settle(wild, home);
    const script = join(home, 'play.yaml');
    writeFileSync(
      script,
      '- text: I leave a mark.\n  calls: [{ tool: shell, input: { command: touch ran.txt } }]\n- text: Done.\n',
    );
    const model = ['--model', `scripted:${script}`, '--permission', 'allow', '--load-ms', '60000'];
    const ended = await run(process.execPath, [AGENT, '-p', 'go', '--cwd', project, ...model], home, project);
    return { ...ended, ran: existsSync(join(project, 'ran.txt')) };
  });

/** Where its agent's users put it. */
function settle(wild: WildPackage, home: string): void {
  const folder = folderIn(wild);
  if (wild.kind === 'opencode') {
    write(join(home, '.config/opencode/opencode.json'), JSON.stringify({ plugin: [folder] }));
    return;
  }
  for (const [index, file] of extensionEntries(folder).entries())
    write(join(home, `.omp/hooks/pre/${index}.ts`), `export { default } from ${JSON.stringify(file)};\n`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function told(runtime: string, args: readonly string[]): Promise<Told | undefined> {
  const { stdout } = await inHome((home, project) => run(runtime, args, home, project));
  const line = stdout.split('\n').find((one) => one.startsWith('@@'));
  return line === undefined ? undefined : (JSON.parse(line.slice(2)) as Told);
}

async function inHome<T>(work: (home: string, project: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'wild-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  try {
    return await work(home, project);
  } finally {
    removeTree(root);
  }
}

const run = (file: string, args: readonly string[], home: string, cwd: string, input = ''): Promise<Ended> =>
  new Promise((resolve) => {
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      LANG: 'C.UTF-8',
    };
    const options = { cwd, env, timeout: LONGEST_MS, killSignal: 'SIGKILL' as const, maxBuffer: 1e8 };
    const child = execFile(file, [...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
