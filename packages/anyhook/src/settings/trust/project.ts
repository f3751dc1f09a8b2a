import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { thrownText } from '../../events/thrown.ts';
import { isInside, physical } from '../inside.ts';

/**
 * A project, identified by its physical path: all aliases of a folder are one project, and no project
 * inherits trust from its parent.
 */
export interface Project {
  readonly root: string;
  /** Why nothing in it can be trusted: its path cannot be resolved. */
  readonly obstacle?: string;
}

export function openProject(folder: string): Project {
  try {
    return { root: realpathSync.native(folder) };
  } catch (error) {
    return { root: folder, obstacle: `${folder}: ${thrownText(error)}` };
  }
}

/** A symbolic link inside the project, and its final target inside the project. */
export interface ProjectLink {
  readonly name: string;
  readonly target: string;
}

export type LocatedPath =
  | {
      readonly kind: 'file';
      /** The path as it was written, with links. The copy's `$0` ends with it. */
      readonly spelled: string;
      /** The real path. Both are relative to the root and use `/`. */
      readonly name: string;
      readonly links: readonly ProjectLink[];
      /** Folders of the project on the path, so that `a/../b` also works in the copy. */
      readonly folders: readonly string[];
    }
  | { readonly kind: 'folder'; readonly name: string }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclear'; readonly why: string };

/**
 * Resolves a path as the kernel would, component by component. Once a link leaves the project, the path stays
 * outside.
 */
export function locate(project: Project, path: string): LocatedPath {
  const { root } = project;
  const links = new Map<string, ProjectLink>();
  const folders = new Set<string>();
  let real: string = sep;
  let spelled: string[] = [];
  try {
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') {
        real = dirname(real);
        spelled = partsOf(root, real);
        continue;
      }
      const next = join(real, part);
      if (!lstatSync(next).isSymbolicLink()) {
        real = next;
        spelled = isInside(root, real) ? [...spelled, part] : [];
        if (real === root) spelled = [];
      } else {
        const target = realpathSync.native(next);
        if (isInside(root, real)) {
          if (!isInside(root, target)) return { kind: 'outside', path: target };
          links.set(nameFrom(root, next), { name: nameFrom(root, next), target: nameFrom(root, target) });
          spelled = [...spelled, part];
        } else spelled = partsOf(root, target);
        real = target;
      }
      if (isInside(root, real) && lstatSync(real).isDirectory()) folders.add(nameFrom(root, real));
    }
    return concluded(
      root,
      realpathSync.native(real),
      links.size > 0 ? spelled.join('/') : undefined,
      links,
      folders,
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG'
      ? { kind: 'missing' }
      : { kind: 'unclear', why: `${path}: ${thrownText(error)}` };
  }
}

function concluded(
  root: string,
  real: string,
  spelled: string | undefined,
  links: ReadonlyMap<string, ProjectLink>,
  folders: ReadonlySet<string>,
): LocatedPath {
  if (!isInside(root, real)) return { kind: 'outside', path: real };
  const name = nameFrom(root, real);
  if (lstatSync(real).isDirectory()) return { kind: 'folder', name: name === '' ? '.' : name };
  return { kind: 'file', spelled: spelled ?? name, name, links: [...links.values()], folders: [...folders] };
}

/** Resolves each path only once, so that it has one meaning however often it is named. */
export function locateOnce(project: Project): (path: string) => LocatedPath {
  const known = new Map<string, LocatedPath>();
  return (path) => {
    const located = known.get(path) ?? locate(project, path);
    known.set(path, located);
    return located;
  };
}

export const nameFrom = (root: string, path: string): string => relative(root, path).split(sep).join('/');

/** Returns the name that a path has, or would have, in the project. */
export function nameOf({ root }: Project, path: string): string | undefined {
  const real = physical(path);
  return isAbsolute(path) && isInside(root, real) ? nameFrom(root, real) : undefined;
}

const partsOf = (root: string, path: string): string[] =>
  isInside(root, path) && path !== root ? nameFrom(root, path).split('/') : [];

/** Returns the current path of an open descriptor, if the system provides it. */
export function pathOfDescriptor(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}
