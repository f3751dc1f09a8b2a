import type { ReadLanguage } from '../../shell/references/language.ts';
import { sha256 } from './hash.ts';
import type { Project } from './project.ts';
import { readOnce } from './read-once.ts';
import type { TrustedFile } from './trusted-files.ts';

export const MAX_FILES = 500;
export const MAX_BYTES = 32 * 1024 * 1024;

/** Reads every file once. Unreadable or too many files are obstacles to trust. */
export class FilesRead {
  private readonly files = new Map<string, TrustedFile>();
  private readonly project: Project;
  private readonly obstacles: Set<string>;
  private bytes = 0;

  constructor(project: Project, obstacles: Set<string>) {
    [this.project, this.obstacles] = [project, obstacles];
  }

  has(name: string): boolean {
    return this.files.has(name);
  }
  get(name: string): TrustedFile | undefined {
    return this.files.get(name);
  }
  all(): TrustedFile[] {
    return byName(this.files.values());
  }
  mark(name: string, as: ReadLanguage): void {
    const file = this.files.get(name);
    if (file !== undefined && !file.reads.includes(as))
      this.files.set(name, { ...file, reads: [...file.reads, as] });
  }

  take(name: string, word: string): TrustedFile | undefined {
    const known = this.files.get(name);
    if (known !== undefined) return known;
    const read = readOnce(this.project, name);
    if (read.kind === 'unread') {
      this.obstacles.add(`${read.why} (named by ${word})`);
      return undefined;
    }
    const { bytes, executable } = read;
    this.bytes += bytes.length;
    const file: TrustedFile = { name, bytes, executable, sha256: sha256(bytes), reads: [] };
    this.files.set(name, file);
    if (this.files.size > MAX_FILES)
      this.obstacles.add(`it leads to more than ${MAX_FILES} files, the most that can be trusted at once`);
    if (this.bytes > MAX_BYTES)
      this.obstacles.add(`it leads to more than ${MAX_BYTES} bytes, the most that can be trusted at once`);
    return file;
  }
}

export const byName = <T extends { readonly name: string }>(list: Iterable<T>): T[] =>
  [...list].toSorted((a, b) => (a.name < b.name ? -1 : 1));
