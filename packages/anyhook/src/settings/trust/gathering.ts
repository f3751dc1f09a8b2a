import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { commandText, assignmentsOf, type Rewritten } from '../../shell/files-run/command-text.ts';
import { isKnownProgram } from '../../shell/files-run/roles.ts';
import type { FoundWord, Visitor, ShellFacts } from '../../shell/files-run/visitor.ts';
import { endingsOf } from '../../shell/references/endings.ts';
import type { ReadLanguage } from '../../shell/references/language.ts';
import { pythonFiles } from '../../shell/references/python.ts';
import { isInside } from '../inside.ts';
import { Doubts } from './doubts.ts';
import type { TrustEntry } from './entry.ts';
import { byName, FilesRead, MAX_FILES } from './files-read.ts';
import { folderFiles, MAX_IMPLIED } from './folder-files.ts';
import { follow, startedDoubt, startedPaths } from './follow.ts';
import { locateOnce, nameOf, type ProjectLink, type LocatedPath, type Project } from './project.ts';
import type { TrustedFiles, TrustedFilesOptions } from './trusted-files.ts';

/** How a file was reached: its `$0`, whether it is read at its original path, and by which program. */
interface ReachedFile {
  readonly zero: string;
  readonly isInPlace: boolean;
  readonly as?: ReadLanguage;
}

/**
 * Returns the files that the entry names, and recursively those that they source or import by a literal path.
 * Runs nothing.
 */
export const trustedFilesOf = (
  entry: TrustEntry,
  project: Project,
  options: TrustedFilesOptions = {},
): TrustedFiles => new Gathering(entry, project, options).trustedFiles();

/**
 * Collects everything that an entry leads to, each file read once. A class, because every step adds to the
 * collected state.
 */
class Gathering {
  private readonly links = new Map<string, ProjectLink>();
  private readonly folders = new Set<string>();
  private readonly direct = new Set<string>();
  private readonly inPlace = new Set<string>();
  private readonly copied = new Map<string, string>();
  private readonly outside = new Map<string, TrustedFiles['outside'][number]>();
  private readonly whole = new Set<string>();
  private readonly absent = new Set<string>();
  /** Paths that were looked up and do not exist. */
  private readonly missing = new Set<string>();
  private readonly searched = new Set<string>();
  private readonly doubts: Doubts;
  private readonly obstacles = new Set<string>();
  private readonly files: FilesRead;
  private readonly steps = new Set<string>();
  private readonly locate: (path: string) => LocatedPath;
  private readonly queue: { name: string; path: string; reached: ReachedFile }[] = [];
  private readonly facts: ShellFacts;
  private readonly entry: TrustEntry;
  private readonly project: Project;
  private readonly asked: readonly string[];

  constructor(entry: TrustEntry, project: Project, options: TrustedFilesOptions) {
    [this.entry, this.project] = [entry, project];
    this.files = new FilesRead(project, this.obstacles);
    this.locate = locateOnce(project);
    this.doubts = new Doubts(entry.named.kind);
    const { named } = entry;
    const cwd = named.kind === 'command' ? named.cwd : project.root;
    const vars = { ...options.vars, ...(named.kind === 'command' ? named.vars : {}) };
    const isRepository = existsSync(join(project.root, '.git'));
    this.facts = { cwd, vars, ...(isRepository ? { top: project.root } : {}) };
    this.asked = [...new Set(options.folders ?? [])].toSorted();
  }

  trustedFiles(): TrustedFiles {
    if (this.project.obstacle !== undefined) this.obstacles.add(this.project.obstacle);
    const named =
      this.project.obstacle === undefined ? this.within('the command', () => this.takeNamed()) : undefined;
    for (const folder of this.asked) this.within(folder, () => this.bindAsked(folder));
    for (
      let next = this.queue.pop();
      next !== undefined && this.obstacles.size === 0;
      next = this.queue.pop()
    ) {
      const { name, path, reached } = next;
      this.within(name, () => this.followOn(name, path, reached));
    }
    const error = named?.error;
    return {
      entry: this.entry,
      project: this.project,
      facts: this.facts,
      files: this.files.all(),
      links: byName(this.links.values()),
      folders: [...this.folders].toSorted(),
      direct: [...this.direct].toSorted(),
      inPlace: [...this.inPlace].toSorted(),
      copied: this.copied,
      outside: [...this.outside.values()],
      whole: [...this.whole].toSorted(),
      asked: this.asked,
      absent: [...this.absent].filter((name) => !this.files.has(name)).toSorted(),
      searched: [...this.searched].toSorted(),
      doubts: this.doubts.all(),
      ...(error === undefined ? {} : { unparsed: error }),
      obstacles: [...this.obstacles],
    };
  }

  /** Too many or too large files are an obstacle, because trust in a part of them would protect nothing. */
  private within<T>(what: string, look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return void this.obstacles.add(`${what} cannot be analysed: ${error.message}`);
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
    const result = commandText(named.run, this.facts, this.visitor);
    if (result.error !== undefined) this.doubts.add(`the command cannot be parsed (${result.error})`);
    this.doubts.note('', {
      ...result,
      doubts: [...result.doubts, ...assignmentsOf(named.vars ?? {}, this.facts, this.visitor)],
    });
    return result;
  }

  private readonly visitor: Visitor = {
    word: (found) => {
      this.visitWord(found, { zero: found.path, isInPlace: false }, true);
      return found.role === 'maybe' && this.isBound(found.path) ? found.path : undefined;
    },
    isInProject: (path) => nameOf(this.project, path) !== undefined,
    searched: (here) => {
      const name = nameOf(this.project, here);
      if (name !== undefined) this.searched.add(name);
    },
  };

  /** Returns true for a bound file, or for a module in a folder that is bound whole. */
  private isBound(path: string): boolean {
    const name = nameOf(this.project, path);
    if (name !== undefined && this.files.has(name)) return true;
    return [...this.whole].some((folder) => this.files.has(`${folder}/${basename(path)}`));
  }

  private visitWord(found: FoundWord, from: ReachedFile, isDirect: boolean): void {
    const { role, path, stays } = found;
    const isCode = role === 'run' || role === 'source';
    const isInPlace = from.isInPlace || role === 'read' || (stays && role !== 'named');
    const as = found.language;
    const reached = { zero: from.zero, isInPlace, ...(as !== undefined && { as }) };
    if (role === 'folder') return this.visitFolder(found, reached);
    const located = this.take(path, found.word, reached);
    if (role === 'maybe') return;
    if (located.kind === 'file') {
      if (isDirect) this.direct.add(located.name);
      if (isCode && !stays) this.copied.set(path, located.spelled);
    } else if (located.kind === 'unclear') this.obstacles.add(located.why);
    else if (located.kind === 'outside') this.visitOutside(found, located.path);
    else if (isCode) this.visitUnended(found, reached, located.kind, isDirect);
    else if (located.kind === 'folder' && isDirect)
      this.leave(found, join(this.project.root, located.name), 'folder');
  }

  /**
   * `node g` means `g.js` or a folder with an index, and `python3 folder` the files in it. The file may not
   * exist yet.
   */
  private visitUnended(
    found: FoundWord,
    reached: ReachedFile,
    kind: 'folder' | 'missing',
    isDirect: boolean,
  ) {
    const { path, word, language } = found;
    if (this.copied.has(path)) return;
    const files = endingsOf(path, language)
      .map((one) => this.take(one, word, reached))
      .flatMap((located) => (located.kind === 'file' ? [located.name] : []));
    if (isDirect) for (const name of files) this.direct.add(name);
    const name = nameOf(this.project, path);
    if (name === undefined) this.doubts.add(`${word} is outside the project: it is not bound`);
    else if (!found.stays) this.copied.set(path, name);
    if (kind !== 'folder' || files.length > 0 || !isDirect) return;
    this.leave(found, join(this.project.root, name ?? '.'), 'folder');
  }

  private visitOutside(found: FoundWord, path: string): void {
    if (path === devNull) return; // always empty
    if (found.language === 'exec' && [path, found.path].some((one) => isKnownProgram(basename(one)))) return;
    this.leave(found, path, 'outside');
    if (found.role === 'run' || found.role === 'source')
      this.doubts.add(`${found.word} is outside the project: neither it nor what it runs is bound`);
  }

  /** A folder that is searched for code. All of its files are bound, unless there are too many. */
  private visitFolder(found: FoundWord, reached: ReachedFile): void {
    const located = this.locate(found.path);
    const name = nameOf(this.project, found.path);
    if (located.kind === 'file') return void this.visitWord({ ...found, role: 'run' }, reached, true);
    if (located.kind === 'outside' || name === undefined) return;
    if (!found.stays) this.copied.set(found.path, name);
    if (located.kind === 'missing') return void this.absent.add(name);
    if (located.kind === 'unclear') return void this.obstacles.add(located.why);
    const files = located.name === '.' ? undefined : folderFiles(this.project, located.name, MAX_IMPLIED);
    if (files === undefined)
      return void this.doubts.add(
        `${found.word}: code is searched in ${located.name}, which is too large to bind`,
      );
    this.bind(located.name, files, reached);
  }

  private bindAsked(folder: string): void {
    const files = folderFiles(this.project, folder, MAX_FILES);
    if (files === undefined)
      return void this.obstacles.add(
        `${folder} has more than ${MAX_FILES} files, or is not a folder of the project`,
      );
    this.bind(folder, files, { zero: join(this.project.root, folder), isInPlace: true });
  }

  private bind(folder: string, files: readonly string[], reached: ReachedFile): void {
    this.whole.add(folder);
    this.folders.add(folder);
    for (const file of files)
      this.take(join(this.project.root, file), folder, { ...reached, zero: join(this.project.root, file) });
  }

  private leave(found: FoundWord, path: string, why: 'folder' | 'outside'): void {
    this.outside.set(`${found.word}\0${path}`, { word: found.word, path, why });
  }

  private take(path: string, word: string, reached: ReachedFile): LocatedPath {
    if (this.missing.has(path)) return { kind: 'missing' };
    const located = this.locate(path);
    if (located.kind === 'missing') {
      this.missing.add(path);
      const name = nameOf(this.project, path);
      if (name !== undefined) this.absent.add(name);
    }
    if (located.kind !== 'file') return located;
    const file = this.files.take(located.name, word);
    if (file === undefined) return located;
    const { as } = reached;
    if (as !== undefined) this.files.mark(located.name, as);
    for (const link of located.links) this.links.set(link.name, link);
    for (const folder of located.folders) this.folders.add(folder);
    if (reached.isInPlace) this.inPlace.add(located.name);
    const step = `${located.spelled}\0${reached.zero}\0${reached.isInPlace}\0${as}`;
    if (!this.steps.has(step)) {
      this.steps.add(step);
      this.queue.push({ name: located.name, path: join(this.project.root, located.spelled), reached });
    }
    return located;
  }

  private followOn(name: string, path: string, reached: ReachedFile): void {
    const { bytes } = this.files.get(name)!; // every queued file was read
    const real = join(this.project.root, name);
    const bases = [...new Set([dirname(path), dirname(real)])];
    const { as } = reached;
    const refs = follow(
      { name, bytes, ...(as !== undefined && { as }) },
      { ...this.facts, zero: reached.zero, file: path },
      (folder) => bases.some((base) => this.locate(join(base, folder)).kind === 'folder'),
    );
    this.doubts.note(`${name}: `, refs);
    const { as: _, ...onwards } = reached;
    for (const near of refs.near) for (const base of bases) this.take(`${base}/${near}`, name, onwards);
    for (const path of startedPaths(refs, bases, this.facts.cwd, (one) => this.locate(one).kind === 'file')) {
      this.take(path, name, { ...onwards, zero: path, isInPlace: true });
      this.doubts.add(startedDoubt(name, path, this.project.root));
    }
    for (const near of refs.nearZero) this.take(`${dirname(reached.zero)}/${near}`, name, onwards);
    for (const module of refs.modules ?? []) {
      const files = [...bases, dirname(reached.zero)].flatMap((folder) =>
        pythonFiles(module).map((file) => `${folder}/${file}`),
      );
      if (!files.some((file) => this.isBound(file)))
        this.doubts.add(`${name}: the package ${module} is not bound`);
    }
    if (refs.asksPackage === true) this.takePackage(dirname(real), onwards);
    for (const found of refs.found) {
      // A sourced file keeps `$0`; a program that is run has its own.
      const zero = found.role === 'source' ? reached.zero : found.path;
      this.visitWord(found, { ...onwards, zero }, false);
    }
  }

  private takePackage(folder: string, reached: ReachedFile): void {
    for (let at = folder; isInside(this.project.root, at); at = dirname(at))
      if (this.take(join(at, 'package.json'), folder, reached).kind === 'file' || at === dirname(at)) return;
  }
}
