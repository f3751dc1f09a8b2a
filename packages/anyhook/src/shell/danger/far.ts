/** Whether a path is far: neither plainly below the working folder nor in a folder for temporary files. */

import { isAbsolute, relative, resolve } from 'node:path';
import type { ShellAssignment } from '../read-script.ts';
import type { ShellWord } from '../word.ts';

const TEMPORARY = /^(?:\/tmp|\/var\/tmp|\/private\/tmp|\$\{?(?:TMPDIR|TMP|TEMP|RUNNER_TEMP)\}?)\/[^/*?.]/;
const TEMPORARY_ROOT = /^(?:\/tmp|\/var\/tmp|\/private\/tmp|\$\{?\w+\}?)\//;
/** Folders that contain a script's own files. */
const OWN =
  /^(?:\$\((?:pwd|git rev-parse --show-toplevel|npm (?:root|prefix))\)|`pwd`|\$\{?(?:PWD|INIT_CWD|GITHUB_WORKSPACE|CI_PROJECT_DIR|SRC_DIR|BUILD_DIR|OUT_DIR|OUTDIR|DIST_DIR)\}?)(?:\/|$)/;
/** Caches, which programs create again. */
const CACHE =
  /^(?:~|\$\{?HOME\}?)\/(?:\.cache|Library\/Caches|\.npm\/_\w+|\.gradle\/caches|\.cargo\/registry)\/[^*?]/;
const MADE = /^(?:"?\$\(|`)mktemp\b/;

/** Variables whose only value is a temporary folder that the text itself creates. */
export function madeFolders(settings: readonly ShellAssignment[]): ReadonlySet<string> {
  const isMade = ({ value }: ShellAssignment) => MADE.test(value.text);
  const others = new Set(settings.filter((setting) => !isMade(setting)).map(({ name }) => name));
  return new Set(
    settings.filter((setting) => isMade(setting) && !others.has(setting.name)).map(({ name }) => name),
  );
}

/** Where a command runs, and which paths count as near or far there. */
export interface CommandPlace {
  readonly cwd: string;
  readonly made: ReadonlySet<string>;
  /** Near names to which the text has moved a far path: `mv ~/x y`. */
  readonly brought: ReadonlySet<string>;
  /** Far folders from which the text deletes something. */
  readonly emptied: ReadonlySet<string>;
  /** The command runs in a subfolder of the project, so `*` there is not the whole project. */
  readonly isBelow?: boolean;
}

export function isFar(
  { value, text, lead, fixed }: ShellWord,
  { cwd, made, brought, isBelow: isInFolder }: CommandPlace,
): boolean {
  const path = value.replace(/^file:\/\//, '').replaceAll('\\', '/');
  if (path === '' || /^-./.test(path)) return false;
  if (brought.has(trimmed(path))) return true;
  if (isInFolder === true && /^(?:\.\/)?\*{1,2}$/.test(path)) return false;
  if (path === '{}' || path.startsWith('{}')) return false; // what another program puts in is judged there
  if (MADE.test(text)) return false;
  const [whole, name = ''] = /^\$\{?(\w+)\}?(?:\/|$)/.exec(path) ?? [];
  if (whole !== undefined && made.has(name)) return climbs(path.slice(whole.length));
  if (CACHE.test(path)) return path.includes('..');
  if (TEMPORARY.test(path)) return climbs(path.replace(TEMPORARY_ROOT, ''));
  if (OWN.test(path)) return climbs(path.replace(OWN, '')) || isAll(path.replace(OWN, ''));
  if (/^[~$`%]/.test(path) || /^[A-Za-z]:/.test(path)) return true;
  if (!fixed && lead === '')
    return !/^(?:\*{1,2}\/)*[*?[{]?[\w.@-]*[*?[{]?[\w.@*-]+$/.test(path) || isAll(path);
  if (isAbsolute(path)) return !isBelow(path, cwd);
  return isAll(path) || climbs(path);
}

export const trimmed = (path: string): string => path.replace(/^(?:\.\/)+(?=.)|\/+$/g, '');

/** Everything in the folder, or its repository. */
const isAll = (path: string): boolean =>
  /^(?:\.{0,2}\/)*(?:\.|\*|\.\*|\.\?\*|\*\.\*|\{[*.,]+\}|\*\*|\.\[!\.\]\*|\.\.)?\/?\*{0,2}$/.test(path) ||
  /(?:^|\/)\.git\/?$/.test(path);

function climbs(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '.' && part !== '') depth++;
    if (depth < 0) return true;
  }
  return depth === 0 && path.includes('..');
}

function isBelow(path: string, cwd: string): boolean {
  const below = relative(cwd, resolve(path));
  return cwd !== '' && cwd !== '/' && below !== '' && !below.startsWith('..') && !isAll(below);
}
