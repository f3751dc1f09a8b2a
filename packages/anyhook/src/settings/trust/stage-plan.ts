import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { commandText } from '../../shell/files-run/command-text.ts';
import type { Visitor } from '../../shell/files-run/visitor.ts';
import { walkShell } from '../../shell/files-run/walk.ts';
import { languageOf, shebangIn } from '../../shell/references/language.ts';
import { shebangWords } from './follow.ts';
import { nameOf } from './project.ts';
import type { TrustedFiles, TrustedFile } from './trusted-files.ts';

export type StagedItem =
  | { readonly kind: 'folder' }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string };

/** Name from the root → item. Parents come before their content. */
export type StagePlan = ReadonlyMap<string, StagedItem>;

/** Plans the private copy: the hashed files, the project's own links, and links to everything else. */
export function planOf(trustedFiles: TrustedFiles, root: string): StagePlan {
  const plan = new Map<string, StagedItem>([['', { kind: 'folder' }]]);
  const makeWay = (name: string): void => {
    if (name === '' || name === '.' || plan.has(name)) return;
    makeWay(posix.dirname(name));
    plan.set(name, { kind: 'folder' });
  };
  for (const folder of trustedFiles.folders) makeWay(folder);
  for (const file of trustedFiles.files) {
    makeWay(posix.dirname(file.name));
    plan.set(file.name, {
      kind: 'file',
      bytes: pointedAtCopies(file, trustedFiles, root),
      mode: file.executable ? 0o500 : 0o400,
    });
  }
  for (const link of trustedFiles.links) {
    makeWay(posix.dirname(link.name));
    const target = posix.relative(posix.dirname(link.name), link.target);
    plan.set(link.name, { kind: 'link', target: target === '' ? '.' : target });
  }
  for (const [name, planned] of plan) if (planned.kind === 'folder') letThrough(plan, trustedFiles, name);
  return plan;
}

/** Redirects words that are run to the copy. In a folder that the user bound, redirects every word. */
export function inCopy(trustedFiles: TrustedFiles, root: string): Visitor {
  const { copied, asked, project } = trustedFiles;
  return {
    word: ({ role, path, stays, self }) => {
      if (stays || self || role === 'maybe') return undefined;
      const isCode = role === 'run' || role === 'source' || role === 'folder';
      const name = isCode ? copied.get(path) : undefined;
      if (name !== undefined) return join(root, name);
      const own = asked.length === 0 ? undefined : nameOf(project, path);
      return own !== undefined && asked.some((folder) => own === folder || own.startsWith(`${folder}/`))
        ? join(root, own)
        : undefined;
    },
    pythonPath: (here) => {
      const name = nameOf(project, here);
      const isThere = trustedFiles.files.some(
        (file) => file.name.endsWith('.py') && (name === '' || file.name.startsWith(`${name}/`)),
      );
      return name !== undefined && isThere ? [join(root, name)] : [];
    },
  };
}

/**
 * A script that sources `./lib.sh` means the working directory, which stays the project's. Redirects only
 * that word to the copy. Files that the script finds next to itself are in the copy anyway.
 */
function pointedAtCopies(file: TrustedFile, trustedFiles: TrustedFiles, root: string): Buffer {
  if (!isUtf8(file.bytes)) return file.bytes;
  const path = join(trustedFiles.project.root, file.name);
  const facts = { ...trustedFiles.facts, zero: path, file: path };
  const visitor = inCopy(trustedFiles, root);
  const reads = file.reads.length === 0 ? [undefined] : file.reads;
  const isShell = reads.some((as) => languageOf(file.name, file.bytes, as) === 'shell');
  const written = file.bytes.toString('utf8');
  let text = isShell ? walkShell(written, facts, visitor).text : written;
  const line = file.reads.includes('exec') ? shebangIn(file.bytes) : undefined;
  const argv = line === undefined ? undefined : shebangWords(line);
  if (argv !== undefined) {
    const { run } = commandText({ argv: [...argv, path] }, facts, visitor);
    const words = 'argv' in run ? run.argv.slice(0, argv.length) : [];
    argv.forEach((word, i) => {
      const by = words[i];
      if (by !== undefined && by !== word)
        text = text.replace(/^[^\n]*/, (first) => first.replace(word, () => by));
    });
  }
  return text === written ? file.bytes : Buffer.from(text, 'utf8');
}

/** A `.git` would make git treat the copy as a work tree, and bytecode would run instead of the source. */
const NEVER = new Set(['.git', '__pycache__']);
const IMPORTABLE = /\.(py|pyw|pyc|pyd|so)$/;

/**
 * Links data next to a script, `node_modules` and `package.json`: as reachable and as unbound as before. Adds
 * nothing where code was searched and not found, and nothing to a folder that is bound whole.
 */
function letThrough(plan: Map<string, StagedItem>, trustedFiles: TrustedFiles, name: string): void {
  const { project, whole, absent, searched } = trustedFiles;
  if (whole.some((folder) => name === folder || name.startsWith(`${folder}/`))) return;
  const folder = join(project.root, name);
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // The folder was removed after it was read, so there is nothing to link.
  }
  const isPython =
    searched.includes(name) ||
    [...plan.keys()].some((other) => other.endsWith('.py') && parentOf(other) === name);
  for (const entry of entries) {
    const inside = name === '' ? entry.name : `${name}/${entry.name}`;
    if (plan.has(inside) || NEVER.has(entry.name) || absent.includes(inside)) continue;
    // Python searches next to the script before its own library: a `json.py` there would run for `import
    // json`.
    if (isPython && (IMPORTABLE.test(entry.name) || existsSync(join(folder, entry.name, '__init__.py'))))
      continue;
    const isWay = entry.isDirectory() && absent.some((missing) => missing.startsWith(`${inside}/`));
    plan.set(inside, isWay ? { kind: 'folder' } : { kind: 'link', target: join(folder, entry.name) });
  }
}

const parentOf = (name: string): string => {
  const parent = dirname(name);
  return parent === '.' ? '' : parent;
};
