/** Acts with their targets, and whether one act covers another. */

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface CallAct {
  readonly does: 'delete' | 'write' | 'read' | 'fetch' | 'run' | 'call';
  /** The most likely target first. Several if the text does not say in which folder the command runs. */
  readonly targets: readonly string[];
  /** A program names the file and may read it. */
  readonly isGuess?: true;
}

/** As it is remembered: `delete /p/build`. */
export const actText = ({ does, targets }: CallAct): string => `${does} ${targets[0] ?? ''}`;

/** Whether a later act does what is remembered, or more. */
export function covers({ does, targets }: CallAct, remembered: string): boolean {
  const at = remembered.indexOf(' ');
  if (does !== remembered.slice(0, at)) return false;
  const wanted = remembered.slice(at + 1);
  if (targets.includes(wanted)) return true;
  const [likely = ''] = targets;
  if (does === 'delete' && isBelow(wanted, likely)) return true;
  return (does === 'delete' || does === 'write' || does === 'read') && fitsGlob(likely, wanted);
}

/** Whoever deletes a folder deletes what is in it. */
const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder === '/' ? '/' : `${folder}/`) && !GLOB.test(folder);

const GLOB = /[*?[\]]/;
const DEEPER = '/**/';

/** The target has a glob in its last part, or is a name in any folder below another. */
function fitsGlob(target: string, path: string): boolean {
  if (!GLOB.test(target) || GLOB.test(path)) return false;
  const deep = target.indexOf(DEEPER);
  if (deep !== -1)
    return (
      path.startsWith(`${target.slice(0, deep)}/`) &&
      nameFits(target.slice(deep + DEEPER.length), basename(path))
    );
  return dirname(target) === dirname(path) && nameFits(basename(target), basename(path));
}

function nameFits(glob: string, name: string): boolean {
  if (glob.length > LONGEST_GLOB) return false;
  const source = glob
    .replaceAll(/[^\w*?]/g, '\\$&')
    .replaceAll(/\*+/g, '[^/]*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(name);
}
const LONGEST_GLOB = 60;

/** Resolves links in the folders of a path. Parts that do not exist stay as they are. */
export function resolvedPath(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing.toReversed());
    } catch {
      if (dirname(at) === at) return path;
      missing.push(basename(at));
    }
  }
}

/** Deleting a link deletes the link. */
export const resolvedEntry = (path: string): string =>
  dirname(path) === path ? path : join(resolvedPath(dirname(path)), basename(path));

/** Host and path of an address. */
export function fetched(url: string): string {
  const [, rest = url] = /^[a-z][a-z\d+.-]*:\/\/(.*)$/is.exec(url) ?? [];
  const [, authority = '', path = ''] = /^([^/?#]*)([^#]*)/s.exec(rest) ?? [];
  return `${authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()}${path.replace(/\/$/, '')}`;
}
