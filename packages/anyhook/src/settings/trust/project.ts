import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { thrownText } from '../../events/thrown.ts';
import { isInside, physical } from '../inside.ts';

/** A project by its physical path: every alias of one folder is one project, and none inherits from its parent. */
export interface Project {
  readonly root: string;
  /** Why nothing in it can be trusted: its path cannot be made out. */
  readonly obstacle?: string;
}

export function openProject(folder: string): Project {
  try {
    return { root: realpathSync.native(folder) };
  } catch (error) {
    return { root: folder, obstacle: `${folder}: ${thrownText(error)}` };
  }
}

/** A symbolic link inside the project, and where inside the project it leads in the end. */
export interface ProjectLink {
  readonly name: string;
  readonly target: string;
}

export type LocatedPath =
  | {
      readonly kind: 'file';
      /** As it was spelled, links included; `$0` of the copy ends in it. */
      readonly spelled: string;
      /** Where it really is. Both with `/`, from the root. */
      readonly name: string;
      readonly links: readonly ProjectLink[];
      /** Folders of the project on the way, so that `a/../b` can be walked in the copy too. */
      readonly folders: readonly string[];
    }
  | { readonly kind: 'folder'; readonly name: string }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclear'; readonly why: string };

/** Walks a path as the kernel would, component by component; a link that leaves the project leaves it for good. */
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

/** Each path is looked up once: however often it is named, it means one thing. */
export function locateOnce(project: Project): (path: string) => LocatedPath {
  const known = new Map<string, LocatedPath>();
  return (path) => {
    const located = known.get(path) ?? locate(project, path);
    known.set(path, located);
    return located;
  };
}

export const nameFrom = (root: string, path: string): string => relative(root, path).split(sep).join('/');

/** The name that a path has, or would have, in the project. */
export function nameOf({ root }: Project, path: string): string | undefined {
  const real = physical(path);
  return isAbsolute(path) && isInside(root, real) ? nameFrom(root, real) : undefined;
}

const partsOf = (root: string, path: string): string[] =>
  isInside(root, path) && path !== root ? nameFrom(root, path).split('/') : [];

/** The path an open descriptor has now, where the system can say. */
export function pathOfDescriptor(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}
