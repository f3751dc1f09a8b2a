/** Who started a process, as far as the system tells by `/proc`. */
import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

export interface Ancestor {
  readonly argv: readonly string[];
  readonly env: Env;
}

/**
 * What was found above each process, for callers that look again and again: an agent starts a new shell for each event, and
 * everything above that shell stays. The processes above were there when a process was started: what becomes of them later
 * makes it no less deep.
 */
export type AncestorMemory = Map<string, readonly Ancestor[]>;

/** Who started us, and who started those; nothing where the system does not tell by `/proc`. */
export function ancestors(pid = process.ppid, memory: AncestorMemory = new Map()): readonly Ancestor[] {
  const keys: string[] = [];
  const found: Ancestor[] = [];
  let at = pid;
  let status = statusOf(at);
  while (status !== undefined && !memory.has(status.key) && found.length < DEEPEST) {
    keys.push(status.key);
    found.push({ argv: listOf(`/proc/${at}/cmdline`), env: variablesOf(`/proc/${at}/environ`) });
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
  /** The number, the program's name, and when it was started: another process, or another program in it, differs in one. */
  readonly key: string;
  readonly parent: number;
}
/** Which of the fields behind the name. */
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
