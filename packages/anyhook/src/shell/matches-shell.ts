/** Whether a matcher such as `shell(git push*)` applies to a command: yes, no or unknown. */

import type { ShellAct } from './act.ts';
import { analyseOnce, type ShellAnalysis } from './analyse.ts';
import { compileRule, fitsRule, type CommandRule } from './rule.ts';
import type { ScriptPlace, ScriptScene } from './script-file.ts';
import { clip } from './word.ts';

export type ShellMatch =
  /** This command of the text fits the rule; `from` if a file that the text runs contains it. */
  | { readonly kind: 'matches'; readonly command: string; readonly from?: ScriptPlace }
  /** No known command fits, and a part of the text is unknown. */
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'clear' };

export const CLEAR: ShellMatch = Object.freeze({ kind: 'clear' });

/** Compares the rule with the whole text and with every command in it. With a `scene`, also with those in files that it runs. */
export function matchShell(rule: string, command: string, scene?: ScriptScene): ShellMatch {
  const compiled = compileRule(rule);
  if (compiled.glob.matches(command)) return { kind: 'matches', command: clip(command) };
  return matchAnalysis(compiled, analyseOnce(command, scene));
}

/** For filters of hooks that inspect the command themselves. In doubt the hook runs. */
export const matchesShell = (glob: string, command: string): boolean =>
  matchShell(glob, command).kind !== 'clear';

export function matchAnalysis(rule: CommandRule, { acts, unjudgeable }: ShellAnalysis): ShellMatch {
  const found = acts.find((act) => fitsRule(rule, act));
  if (found !== undefined)
    return { kind: 'matches', command: clip(found.text), ...(found.from && { from: found.from }) };
  const [why] = unjudgeable;
  if (why !== undefined) return { kind: 'opaque', why };
  const loose = acts.find((act) => act.from === undefined && isInDoubt(rule, act));
  return loose === undefined
    ? CLEAR
    : { kind: 'opaque', why: `what it does is known only at run time: ${clip(loose.text)}` };
}

/**
 * `git $X` may be `git push`, because the rule names letters that only run time knows. If the rule names an option there, the
 * unknown word counts as an operand, unless its name suggests options (`rm $FLAGS x`).
 */
function isInDoubt({ glob }: CommandRule, { program, words }: ShellAct): boolean {
  const at = words.findIndex((word, place) => place > 0 && !word.fixed);
  const loose = words[at];
  if (loose === undefined) return false;
  const before = [program, ...words.slice(1, at).map((word) => word.value)].join(' ');
  const known = `${before} ${loose.lead}`;
  const wanted = glob.literal.charAt(known.length);
  if (wanted === '-' && !/^\$\{?[\w@*]*(?:[@*]|opt|flag|arg)/i.test(loose.text.replace(/^"/, '')))
    return false;
  if (glob.literal.length > known.length ? glob.literal.startsWith(known) : glob.literal === known)
    return true;
  return glob.isLiteral && glob.literal === before;
}
