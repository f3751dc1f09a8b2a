/** Who started a process, as far as the system tells by `/proc`. */
import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

export interface Ancestor {
  readonly argv: readonly string[];
  readonly env: Env;
}

/** Who started us, and who started those; nothing where the system does not tell by `/proc`. */
export function ancestors(pid = process.ppid): readonly Ancestor[] {
  const found: Ancestor[] = [];
  for (let at = pid; at > 1 && found.length < DEEPEST;) {
    const status = readOr(`/proc/${at}/stat`);
    if (status === '') break;
    found.push({ argv: listOf(`/proc/${at}/cmdline`), env: variablesOf(`/proc/${at}/environ`) });
    at = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  }
  return found;
}
const DEEPEST = 64;

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
