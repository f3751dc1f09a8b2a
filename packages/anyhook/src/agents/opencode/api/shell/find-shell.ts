import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

export interface FoundShell {
  readonly file: string;
  readonly args: readonly string[];
  /** Prepended to every script. */
  readonly prelude: string;
}

/** Bash if available, because its `echo` keeps backslashes like Bun's. Other shells get a replacement. */
export function findShell(wanted: string | undefined): FoundShell {
  const file = wanted ?? (found ??= inPath('bash') ?? inPath('sh') ?? '/bin/sh');
  return basename(file).startsWith('bash')
    ? { file, args: ['-p'], prelude: '' } // -p: no startup files, and no functions or options from the environment
    : { file, args: [], prelude: PLAIN_ECHO };
}

let found: string | undefined;

const PLAIN_ECHO = `echo() { if [ "\${1-}" = -n ]; then shift; printf %s "$*"; else printf '%s\\n' "$*"; fi; }; `;

function inPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not found.
    }
  }
  return undefined;
}
