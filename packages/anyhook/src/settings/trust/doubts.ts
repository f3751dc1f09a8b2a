/** Collects what is uncertain about an entry, from its command and from every file it leads to. */

import type { NamedFiles } from './entry.ts';

interface DoubtsFound {
  readonly doubts: readonly string[];
  /** Unknown programs. */
  readonly programs: readonly string[];
  /** Functions of a script, which look like programs in another script. */
  readonly functions: readonly string[];
}

export class Doubts {
  private readonly kind: NamedFiles['kind'];
  private readonly found = new Set<string>();
  private readonly programs = new Map<string, string>();
  private readonly functions = new Set<string>();

  constructor(kind: NamedFiles['kind']) {
    this.kind = kind;
  }

  add(doubt: string): void {
    // Modules get our own package from their loader, wherever it is installed.
    if (this.kind !== 'module' || !/the package anyhook\b/.test(doubt)) this.found.add(doubt);
  }

  note(where: string, { doubts, programs, functions }: DoubtsFound): void {
    for (const doubt of doubts) this.add(`${where}${doubt}`);
    for (const program of programs) this.programs.set(program, this.programs.get(program) ?? where);
    for (const name of functions) this.functions.add(name);
  }

  all(): string[] {
    const unknownPrograms = [...this.programs].filter(([program]) => !this.functions.has(program));
    return [
      ...this.found,
      ...unknownPrograms.map(
        ([program, where]) => `${where}unknown program ${program}: it may run code of the project`,
      ),
    ];
  }
}
