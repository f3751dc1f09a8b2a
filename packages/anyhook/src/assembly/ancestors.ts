/** Who started a process, as far as the system tells by `/proc`. */
import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

export interface Ancestor {
  readonly argv: readonly string[];
  readonly env: Env;
}

/** What was read of processes, for who asks about the same ones again and again. */
export type AncestorMemory = Map<string, Ancestor>;

/** Who started us, and who started those; nothing where the system does not tell by `/proc`. */
export function ancestors(pid = process.ppid, memory?: AncestorMemory): readonly Ancestor[] {
  const found: Ancestor[] = [];
  for (let at = pid; at > 1 && found.length < DEEPEST;) {
    const status = readOr(`/proc/${at}/stat`);
    if (status === '') break;
    const name = status.slice(0, status.lastIndexOf(')') + 1);
    const fields = status.slice(name.length + 1).split(' ');
    // The number, the program's name, and when it was started: another process, or another program in it, differs in one.
    const key = `${name} ${fields[STARTED]}`;
    const known = memory?.get(key);
    const ancestor = known ?? {
      argv: listOf(`/proc/${at}/cmdline`),
      env: variablesOf(`/proc/${at}/environ`),
    };
    if (known === undefined) keep(memory, key, ancestor);
    found.push(ancestor);
    at = Number(fields[PARENT]);
  }
  return found;
}
const DEEPEST = 64;
/** Which of the fields behind the name. */
const [PARENT, STARTED] = [1, 19];

const REMEMBERED = 256;
function keep(memory: AncestorMemory | undefined, key: string, ancestor: Ancestor): void {
  if (memory !== undefined && memory.size >= REMEMBERED) memory.clear();
  memory?.set(key, ancestor);
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
