import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TrustEntry } from './entry.ts';
import { follow } from './follow.ts';
import { sha256 } from './hash.ts';
import { locate, type ProjectLink, type LocatedPath, type Project } from './project.ts';
import { readOnce } from './read-once.ts';
import { commandText, type Rewritten } from './shell/command-text.ts';
import type { FoundWord, ShellFacts, Visit } from './shell/walk.ts';

export interface TrustedFile {
  /** From the root, with `/`. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly sha256: string;
}

/** Everything an entry's trust is bound to, read once. */
export interface TrustedFiles {
  readonly entry: TrustEntry;
  readonly project: Project;
  readonly facts: ShellFacts;
  readonly files: readonly TrustedFile[];
  readonly links: readonly ProjectLink[];
  readonly folders: readonly string[];
  /** Files the entry itself names; what they lead to is in `files` only. */
  readonly direct: readonly string[];
  /** Read where they are, because a program may want their name or their folder: looked at again before each run. */
  readonly inPlace: readonly string[];
  /** Absolute path as it was spelled → name in the copy. */
  readonly copied: ReadonlyMap<string, string>;
  /** Words that name something that is not covered: a folder, or a file outside the project. */
  readonly outside: readonly {
    readonly word: string;
    readonly path: string;
    readonly why: 'folder' | 'outside';
  }[];
  /** Code that is only known when it runs, and so is bound by its text alone. */
  readonly loose: readonly string[];
  /** Why the command could not be parsed: its words were taken by their blanks. */
  readonly unparsed?: string;
  /** Why this cannot be trusted at all; empty when it can. */
  readonly obstacles: readonly string[];
}

export const MAX_FILES = 500;
export const MAX_BYTES = 32 * 1024 * 1024;

export interface TrustedFilesOptions {
  /** Variables whose value is known beforehand (`CLAUDE_PROJECT_DIR`, `HOME`). */
  readonly vars?: Readonly<Record<string, string>>;
}

/** What the entry names, and what that sources or imports by a literal path, and so on. Runs nothing. */
export function trustedFilesOf(
  entry: TrustEntry,
  project: Project,
  options: TrustedFilesOptions = {},
): TrustedFiles {
  return new Gathering(entry, project, options).trustedFiles();
}

/** How a file was reached: `$0` while it runs, and whether it is read where it is. */
interface ReachedFile {
  readonly zero: string;
  readonly isInPlace: boolean;
}

class Gathering {
  private readonly files = new Map<string, TrustedFile>();
  private readonly links = new Map<string, ProjectLink>();
  private readonly folders = new Set<string>();
  private readonly direct = new Set<string>();
  private readonly inPlace = new Set<string>();
  private readonly copied = new Map<string, string>();
  private readonly outside = new Map<string, TrustedFiles['outside'][number]>();
  private readonly loose = new Set<string>();
  private readonly obstacles = new Set<string>();
  private readonly seen = new Set<string>();
  /** Each path is looked up once: however often it is named, it means one thing. */
  private readonly located = new Map<string, LocatedPath>();
  private readonly queue: { file: TrustedFile; path: string; reached: ReachedFile }[] = [];
  private readonly facts: ShellFacts;
  private readonly entry: TrustEntry;
  private readonly project: Project;
  private bytes = 0;

  constructor(entry: TrustEntry, project: Project, options: TrustedFilesOptions) {
    [this.entry, this.project] = [entry, project];
    const { named } = entry;
    const cwd = named.kind === 'command' ? named.cwd : project.root;
    const vars = { ...options.vars, ...(named.kind === 'command' ? named.vars : {}) };
    const isRepository = existsSync(join(project.root, '.git'));
    this.facts = { cwd, vars, ...(isRepository ? { top: project.root } : {}) };
  }

  trustedFiles(): TrustedFiles {
    if (this.project.obstacle !== undefined) this.obstacles.add(this.project.obstacle);
    const named =
      this.project.obstacle === undefined ? this.within('the command', () => this.takeNamed()) : undefined;
    for (
      let next = this.queue.pop();
      next !== undefined && this.obstacles.size === 0;
      next = this.queue.pop()
    ) {
      const { file, path, reached } = next;
      this.within(file.name, () => this.followOn(file, path, reached));
    }
    const error = named?.error;
    return {
      entry: this.entry,
      project: this.project,
      facts: this.facts,
      files: byName(this.files.values()),
      links: byName(this.links.values()),
      folders: [...this.folders].toSorted(),
      direct: [...this.direct].toSorted(),
      inPlace: [...this.inPlace].toSorted(),
      copied: this.copied,
      outside: [...this.outside.values()],
      loose: [...this.loose],
      ...(error === undefined ? {} : { unparsed: error }),
      obstacles: [...this.obstacles],
    };
  }

  /** Too many or too large files cannot be trusted: trust that is bound to a part of them would protect nothing. */
  private within<T>(what: string, look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.obstacles.add(`${what} cannot be followed: ${error.message}`);
      return undefined;
    }
  }

  private takeNamed(): Rewritten | undefined {
    const { named } = this.entry;
    if (named.kind === 'text') return undefined;
    if (named.kind === 'module') {
      const located = this.take(named.file, named.file, { zero: named.file, isInPlace: false });
      if (located.kind === 'file') {
        this.direct.add(located.name);
        this.copied.set(named.file, located.spelled);
      } else this.obstacles.add(`${named.file} is not a file of the project (${located.kind})`);
      return undefined;
    }
    const result = commandText(named.run, this.facts, this.visitWord);
    for (const word of result.loose) this.loose.add(word);
    return result;
  }

  private readonly visitWord: Visit = (found) => {
    const isCopied = (found.role === 'run' || found.role === 'source') && !found.stays;
    const isInPlace = found.role === 'read' || (found.stays && found.role !== 'named');
    const located = this.take(found.path, found.word, { zero: found.path, isInPlace });
    if (located.kind === 'file') this.direct.add(located.name);
    if (located.kind === 'unclear') this.obstacles.add(located.why);
    if (located.kind === 'folder') this.leave(found, join(this.project.root, located.name), 'folder');
    if (located.kind === 'outside') this.leave(found, located.path, 'outside');
    if (located.kind === 'file' && isCopied) this.copied.set(found.path, located.spelled);
    return undefined;
  };

  private leave(found: FoundWord, path: string, why: 'folder' | 'outside'): void {
    this.outside.set(`${found.word}\0${path}`, { word: found.word, path, why });
  }

  private take(path: string, word: string, reached: ReachedFile): LocatedPath {
    const located = this.locate(path);
    if (located.kind !== 'file') return located;
    const file = this.files.get(located.name) ?? this.read(located.name, word);
    if (file === undefined) return located;
    for (const link of located.links) this.links.set(link.name, link);
    for (const folder of located.folders) this.folders.add(folder);
    if (reached.isInPlace) this.inPlace.add(located.name);
    const step = `${located.spelled}\0${reached.zero}\0${reached.isInPlace}`;
    if (!this.seen.has(step)) {
      this.seen.add(step);
      this.queue.push({ file, path: join(this.project.root, located.spelled), reached });
    }
    return located;
  }

  private locate(path: string): LocatedPath {
    const known = this.located.get(path);
    if (known !== undefined) return known;
    const located = locate(this.project, path);
    this.located.set(path, located);
    return located;
  }

  private read(name: string, word: string): TrustedFile | undefined {
    const read = readOnce(this.project, name);
    if (read.kind === 'unread') {
      this.obstacles.add(`${read.why} (named by ${word})`);
      return undefined;
    }
    this.bytes += read.bytes.length;
    const file = { name, bytes: read.bytes, executable: read.executable, sha256: sha256(read.bytes) };
    this.files.set(name, file);
    if (this.files.size > MAX_FILES)
      this.obstacles.add(`it leads to more than ${MAX_FILES} files, the most that can be trusted at once`);
    if (this.bytes > MAX_BYTES)
      this.obstacles.add(`it leads to more than ${MAX_BYTES} bytes, the most that can be trusted at once`);
    return file;
  }

  private followOn(file: TrustedFile, path: string, reached: ReachedFile): void {
    const real = join(this.project.root, file.name);
    const bases = [...new Set([dirname(path), dirname(real)])];
    const refs = follow(file, { ...this.facts, zero: reached.zero, file: path }, (folder) =>
      bases.some((base) => this.locate(join(base, folder)).kind === 'folder'),
    );
    for (const note of refs.loose) this.loose.add(`${file.name}: ${note}`);
    for (const near of refs.near) {
      for (const base of bases) this.take(`${base}/${near}`, file.name, reached);
    }
    for (const near of refs.nearZero) this.take(`${dirname(reached.zero)}/${near}`, file.name, reached);
    for (const found of refs.found) {
      // What is sourced keeps `$0`; what is run has its own.
      const zero = found.role === 'source' ? reached.zero : found.path;
      const isInPlace = reached.isInPlace || found.stays;
      const located = this.take(found.path, found.word, { zero, isInPlace });
      if (located.kind === 'file' && !found.stays) this.copied.set(found.path, located.spelled);
      else if (located.kind === 'outside') this.leave(found, located.path, 'outside');
    }
  }
}

const byName = <T extends { readonly name: string }>(list: Iterable<T>): T[] =>
  [...list].toSorted((a, b) => (a.name < b.name ? -1 : 1));
