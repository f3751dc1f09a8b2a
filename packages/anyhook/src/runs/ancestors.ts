/** Who started a process, as far as the system tells by `/proc`. */
import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

export interface Ancestor {
  readonly argv: readonly string[];
  readonly env: Env;
}

/**
 * What was found above a process, for who asks about the same one again and again. Those above it were there when it was
 * started: what becomes of them later makes it no less deep.
 */
export type AncestorMemory = Map<string, readonly Ancestor[]>;

/** Who started us, and who started those; nothing where the system does not tell by `/proc`. */
export function ancestors(pid = process.ppid, memory?: AncestorMemory): readonly Ancestor[] {
  const nearest = statusOf(pid);
  if (nearest === undefined) return [];
  const known = memory?.get(nearest.key);
  if (known !== undefined) return known;
  const found: Ancestor[] = [];
  for (
    let [at, status] = [pid, nearest as ProcessStatus | undefined];
    status !== undefined && found.length < DEEPEST;
    at = status.parent, status = statusOf(at)
  )
    found.push({ argv: listOf(`/proc/${at}/cmdline`), env: variablesOf(`/proc/${at}/environ`) });
  if (memory !== undefined && memory.size >= REMEMBERED) memory.clear();
  memory?.set(nearest.key, found);
  return found;
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
