/** Does `shell(git push*)` concern this command? Yes, no, or it cannot be told. */
import { inspectScript, type Findings } from './commands-in.ts';
import type { SimpleCommand } from './read-script.ts';
import { compileRule, fitsRule, type CommandRule } from './rule.ts';
import { plainName } from './unwrap.ts';
import { clip } from './word.ts';

export type ShellMatch =
  /** This command of the text does what the rule names. */
  | { readonly kind: 'matches'; readonly command: string }
  /** Nothing that can be read does, and something cannot be read. */
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'clear' };

export const CLEAR: ShellMatch = Object.freeze({ kind: 'clear' });

/** The whole text counts, and any command in it. */
export function matchShell(rule: string, command: string): ShellMatch {
  const compiled = compileRule(rule);
  if (compiled.glob.matches(command)) return { kind: 'matches', command: clip(command) };
  return matchFindings(compiled, lookOnce(command));
}

/** For filters of hooks that look at the command themselves: in doubt the hook runs. */
export const matchesShell = (glob: string, command: string): boolean =>
  matchShell(glob, command).kind !== 'clear';

/** Every hook of an event asks about the same command. */
let last: { readonly command: string; readonly findings: Findings } | undefined;

export function lookOnce(command: string): Findings {
  if (last?.command !== command) last = { command, findings: inspectScript(command) };
  return last.findings;
}

export function matchFindings(rule: CommandRule, { commands, unjudgeable }: Findings): ShellMatch {
  const found = commands.find((command) => fitsRule(rule, command));
  if (found !== undefined) return { kind: 'matches', command: clip(found.text) };
  const [why] = unjudgeable;
  if (why !== undefined) return { kind: 'opaque', why };
  const loose = commands.find((command) => isInDoubt(rule, command));
  return loose === undefined
    ? CLEAR
    : { kind: 'opaque', why: `what it does is known only at run time: ${clip(loose.text)}` };
}

/**
 * `git $X` may be `git push`: the letters a rule names reach into what only run time knows. Not so where the rule names
 * an option: what stands there is taken for a name, unless it is called after options (`rm $FLAGS x`).
 */
function isInDoubt({ glob }: CommandRule, { words }: SimpleCommand): boolean {
  const at = words.findIndex((word, place) => place > 0 && !word.fixed);
  const loose = words[at];
  if (loose === undefined) return false;
  const before = [plainName(words[0]?.value ?? ''), ...words.slice(1, at).map((word) => word.value)].join(
    ' ',
  );
  const known = `${before} ${loose.lead}`;
  const wanted = glob.literal.charAt(known.length);
  if (wanted === '-' && !/^\$\{?[\w@*]*(?:[@*]|opt|flag|arg)/i.test(loose.text.replace(/^"/, '')))
    return false;
  if (glob.literal.length > known.length ? glob.literal.startsWith(known) : glob.literal === known)
    return true;
  return glob.isLiteral && glob.literal === before;
}
