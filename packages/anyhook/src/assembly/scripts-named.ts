import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locations } from '../canon/dialect.ts';
import type { Hook } from '../canon/hook.ts';

const SYSTEM = /^\/(?:bin|sbin|usr|lib\w*|nix|System|Library)\//;

/** With its quotes: `"$HOME"/guard.sh` is one. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"';|&()<>])+/g;

/** The files that a command names: its script, and what it is given. The system's own programs are none of ours. */
export function scriptsNamed(
  { run }: Hook,
  { cwd, home }: Pick<Locations, 'cwd' | 'home'>,
  projectNames: readonly string[] = ['PWD'],
): string[] {
  if (run.kind !== 'command') return [];
  const project = new RegExp(`^\\$\\{?(?:${projectNames.join('|')})\\}?(?=/)`);
  const text = 'line' in run.run ? run.run.line : undefined;
  const words = 'argv' in run.run ? run.run.argv : (text?.match(WORD) ?? []);
  return words
    .map((word) => word.replaceAll(/["']/g, ''))
    .map((word) => word.replace(/^(?:~|\$\{?HOME\}?)(?=\/)/, home).replace(project, cwd))
    .map((word) => resolve(run.cwd ?? cwd, word))
    .filter((path) => !SYSTEM.test(path) && isFile(path) && !SYSTEM.test(real(path)));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
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
