/** Does `Bash(git *)` concern this command? A hook filter: in doubt the hook runs. */
import { look, type Findings } from './commands-in.ts';
import { compileGlob, type Glob } from './glob.ts';
import type { SimpleCommand } from './read-script.ts';
import { plainName } from './unwrap.ts';

/**
 * True when the whole text matches, or any command in it, or when something in it cannot be judged: it does not parse,
 * or what it runs is known only at run time.
 */
export function matchesShell(glob: string, command: string): boolean {
  const compiled = compileGlob(glob);
  return compiled.matches(command) || matchesFindings(compiled, lookOnce(command));
}

/** Every hook of an event asks about the same command. */
let last: { readonly command: string; readonly findings: Findings } | undefined;

function lookOnce(command: string): Findings {
  if (last?.command !== command) last = { command, findings: look(command) };
  return last.findings;
}

export const matchesFindings = (glob: Glob, findings: Findings): boolean =>
  findings.unjudgeable.length > 0 || findings.commands.some((command) => mayMatch(glob, command));

/** As written, without quotes, and without the program's folder: any of them. */
function mayMatch(glob: Glob, command: SimpleCommand): boolean {
  if (glob.matches(command.text)) return true;
  const [name = '', ...rest] = command.words.map((word) => word.value);
  const plain = plainName(name);
  const names = plain === name ? [name] : [name, plain];
  return names.some(
    (spelling) => glob.matches([spelling, ...rest].join(' ')) || isInDoubt(glob, command, spelling),
  );
}

/**
 * `git $X` may be `git push`: the letters a rule names reach into what only run time knows. Behind the rule's first
 * wildcard, expansions are compared as written.
 */
function isInDoubt(glob: Glob, { words }: SimpleCommand, name: string): boolean {
  const loose = words.findIndex((word, at) => at > 0 && !word.fixed);
  if (loose === -1) return false;
  const before = [name, ...words.slice(1, loose).map((word) => word.value)].join(' ');
  const known = `${before} ${words[loose]?.lead ?? ''}`;
  if (glob.literal.length > known.length ? glob.literal.startsWith(known) : glob.literal === known)
    return true;
  return glob.isLiteral && glob.literal === before;
}
