import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locations } from '../../events/dialect.ts';
import type { Hook } from '../../events/hook.ts';

const SYSTEM = /^\/(?:bin|sbin|usr|lib\w*|nix|System|Library)\//;

/** A word with its quotes, such as `"$HOME"/guard.sh`. */
const WORD = /(?:(?<written>>)[>|]?\s*)?(?<word>(?:"[^"]*"|'[^']*'|[^\s"';|&()<>])+)/g;

export interface NamedFile {
  readonly path: string;
  /** The word follows `>`. Output such as a log does not define what the command does. */
  readonly isWritten: boolean;
}

/** The files that a command names: its script, its arguments, its output. Programs of the system are excluded. */
export function filesNamed(
  { run }: Hook,
  { cwd, home }: Pick<Locations, 'cwd' | 'home'>,
  projectNames: readonly string[] = ['PWD'],
): NamedFile[] {
  if (run.kind !== 'command') return [];
  const project = new RegExp(`^\\$\\{?(?:${projectNames.join('|')})\\}?(?=/)`);
  const withVariables = (word: string): string =>
    word.replace(/^\$\{?(\w+)\}?(?=\/)/, (whole, name: string) => run.set?.[name] ?? whole);
  const pathOf = (word: string): string =>
    resolve(
      run.cwd ?? cwd,
      withVariables(word.replaceAll(/["']/g, ''))
        .replace(/^(?:~|\$\{?HOME\}?)(?=\/)/, home)
        .replace(project, cwd),
    );
  const words =
    'argv' in run.run
      ? run.run.argv.map((word) => ({ path: pathOf(word), isWritten: false }))
      : [...run.run.line.matchAll(WORD)].map(({ groups }) => ({
          path: pathOf(groups!['word']!),
          isWritten: groups!['written'] !== undefined,
        }));
  return words.filter(({ path }) => !SYSTEM.test(path) && isFile(path) && !SYSTEM.test(real(path)));
}

/** The files that define what a command does. Files that it writes are excluded, even if it also reads them. */
export function scriptsNamed(hook: Hook, locations: Pick<Locations, 'cwd' | 'home'>): string[] {
  if (hook.run.kind !== 'command') return [];
  const named = filesNamed(hook, locations);
  const written = new Set(named.flatMap(({ path, isWritten }) => (isWritten ? [path] : [])));
  return named.flatMap(({ path }) => (written.has(path) ? [] : [path]));
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
