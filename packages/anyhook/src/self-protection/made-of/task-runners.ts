/**
 * Guards that a task runner starts: `npm run guard`, `make -C ~/guards check`. The manifest of the runner says which command runs, so
 * it is a part of the guard. Manifests of the project are left out, because the agent is there to change them.
 */

import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../settings/inside.ts';
import { commandsIn } from '../../shell/analyse.ts';

/** A command line of the guard; `script` is the shell script that holds it. */
export interface GuardLine {
  readonly text: string;
  readonly cwd: string;
  readonly script?: string;
}
export interface RunnerTask {
  /** Where the runner looks for its manifest, the first that exists wins. */
  readonly manifests: readonly string[];
  /** Programs of `node_modules/.bin` that the command would use before those on the PATH. */
  readonly programs: readonly string[];
  /** What the manifest runs, in `cwd`. */
  readonly line: string;
  readonly cwd: string;
}
interface Around {
  readonly cwd: string;
  readonly home: string;
}
interface Runner {
  readonly manifests: readonly string[];
  /** The command lines for these arguments; undefined if the file names no command of its own. */
  readonly lines: (manifest: string, args: readonly string[]) => readonly string[];
}

const NODE: Runner = { manifests: ['package.json'], lines: packageScripts };
const MAKE: Runner = { manifests: ['GNUmakefile', 'makefile', 'Makefile'], lines: recipes };
const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: NODE,
  npx: NODE,
  pnpm: NODE,
  yarn: NODE,
  bun: NODE,
  bunx: NODE,
  make: MAKE,
  gmake: MAKE,
  just: { manifests: ['justfile', '.justfile', 'Justfile'], lines: recipes },
  task: { manifests: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'], lines: recipes },
  rake: { manifests: ['Rakefile', 'rakefile', 'Rakefile.rb'], lines: () => [] },
};
const FOLDER_OPTION = /^(?:-C|-d|--prefix|--dir|--cwd|--directory|--working-directory)(?:=(.+))?$/;

export function tasksIn({ text, cwd, script }: GuardLine, around: Around): RunnerTask[] {
  let here = cwd;
  return commandsIn(text).commands.flatMap(({ words: [name = '', ...args] }) => {
    const from = (word: string): string => folderOf(word, here, script, around.home);
    if (name === 'cd' && args[0] !== undefined) {
      here = from(args[0]);
      return [];
    }
    const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
    if (runner === undefined) return [];
    const at = args.findIndex((word) => FOLDER_OPTION.test(word));
    const option = FOLDER_OPTION.exec(args[at] ?? '')?.[1] ?? args[at + 1];
    const folder = at === -1 || option === undefined ? here : from(option);
    return isInside(around.cwd, folder) ? [] : [taskOf(runner, folder, args)];
  });
}

function taskOf(runner: Runner, folder: string, args: readonly string[]): RunnerTask {
  const manifests = runner.manifests.map((name) => join(folder, name));
  const line = manifests.flatMap((file) => runner.lines(textOf(file), args)).join('\n');
  const names = [...args, ...commandsIn(line).commands.flatMap(({ words }) => words.slice(0, 1))];
  const programs = runner === NODE ? names.filter((name) => /^[\w@.+-]*\w$/.test(name)) : [];
  return {
    manifests,
    programs: programs.map((name) => join(folder, 'node_modules/.bin', name)),
    line,
    cwd: folder,
  };
}

/** A folder that is only known when the guard runs is most often that of its script. */
function folderOf(word: string, here: string, script: string | undefined, home: string): string {
  const path = word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home);
  if (!/[$`]/.test(path)) return isAbsolute(path) ? path : resolve(here, path);
  return script === undefined ? here : dirname(script);
}

function packageScripts(manifest: string, args: readonly string[]): string[] {
  try {
    const { scripts = {} } = JSON.parse(manifest) as { scripts?: Readonly<Record<string, unknown>> };
    return args
      .flatMap((name) => [`pre${name}`, name, `post${name}`])
      .flatMap((name) => (typeof scripts[name] === 'string' ? [scripts[name]] : []));
  } catch {
    return []; // the file is bound all the same
  }
}

const RECIPE_LINE = /^[ \t]+(?:- (?:cmd: )?)?[@+-]*(.+)$/gm;
function recipes(manifest: string): string[] {
  return [...manifest.matchAll(RECIPE_LINE)].map(([, line = '']) => line);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it is not there, or cannot be read; that it appears is a change
  }
}
