/** Finds the processes that started a process, through `/proc`. */

import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

export interface Ancestor {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly env: Env;
}

/**
 * Caches the ancestors of processes for repeated lookups: an agent starts a new shell for each event, but
 * everything above that shell stays. Ancestors are those at the time of the first lookup; their later end
 * does not reduce the depth.
 */
export type AncestorMemory = Map<string, readonly Ancestor[]>;

/** Returns parent, grandparent and so on, or an empty list without `/proc`. */
export function ancestors(pid = process.ppid, memory: AncestorMemory = new Map()): readonly Ancestor[] {
  const keys: string[] = [];
  const found: Ancestor[] = [];
  let at = pid;
  let status = statusOf(at);
  while (status !== undefined && !memory.has(status.key) && found.length < DEEPEST) {
    keys.push(status.key);
    found.push({ pid: at, argv: listOf(`/proc/${at}/cmdline`), env: variablesOf(`/proc/${at}/environ`) });
    at = status.parent;
    status = statusOf(at);
  }
  const above = (status && memory.get(status.key)) ?? [];
  const all = [...found, ...above].slice(0, DEEPEST);
  if (memory.size + keys.length > REMEMBERED) memory.clear();
  for (const [nth, key] of keys.entries()) memory.set(key, all.slice(nth));
  return all;
}
const DEEPEST = 64;
const REMEMBERED = 256;

interface ProcessStatus {
  /**
   * Pid, program name and start time. Another process, or another program in the same process, differs in at
   * least one.
   */
  readonly key: string;
  readonly parent: number;
}
/** Indexes of the fields after the name. */
const [PARENT, STARTED] = [1, 19];
function statusOf(pid: number): ProcessStatus | undefined {
  const status = pid > 1 ? readOr(`/proc/${pid}/stat`) : '';
  if (status === '') return undefined;
  const name = status.slice(0, status.lastIndexOf(')') + 1);
  const fields = status.slice(name.length + 1).split(' ');
  return { key: `${name} ${fields[STARTED]}`, parent: Number(fields[PARENT]) };
}

const listOf = (file: string): string[] =>
  readOr(file)
    .split('\0')
    .filter((word) => word !== '');
const variablesOf = (file: string): Env =>
  Object.fromEntries(
    listOf(file).map((word) => {
      const at = word.indexOf('=');
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
