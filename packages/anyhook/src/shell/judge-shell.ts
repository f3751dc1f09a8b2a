/** Rules for guards. An approval must cover every command that runs; one command is enough for a refusal. */

import type { ShellAct } from './act.ts';
import { analyseShell, type ShellAnalysis } from './analyse.ts';
import { compileGlob, RUN_TIME, type Glob } from './glob.ts';
import { matchAnalysis } from './matches-shell.ts';
import { compileRule } from './rule.ts';
import { SENSITIVE_SETTINGS } from './settings.ts';

export interface ShellRule {
  /** Every command must match one of these: also wrappers, and the commands inside them. */
  readonly allow?: readonly string[];
  /** One match is enough, and so is a part that cannot be judged. */
  readonly deny?: readonly string[];
  /** Files that an approved command may write by redirection. `/dev/null` is always allowed. */
  readonly writes?: readonly string[];
}

export function judgeShell(rule: ShellRule, command: string): 'allow' | 'deny' | 'unjudged' {
  const analysis = analyseShell(command);
  const deny = (rule.deny ?? []).map(compileRule);
  if (deny.some((denied) => denied.glob.matches(command) || matchAnalysis(denied, analysis).kind !== 'clear'))
    return 'deny';
  return isApproved(rule, analysis) ? 'allow' : 'unjudged';
}

function isApproved(rule: ShellRule, { acts, settings, writes, unjudgeable }: ShellAnalysis): boolean {
  const allow = (rule.allow ?? []).map(compileGlob);
  const targets = ['/dev/null', ...(rule.writes ?? [])].map(compileGlob);
  return (
    unjudgeable.length === 0 &&
    acts.length > 0 &&
    acts.every((act) => allow.some((glob) => glob.matches(certain(act)))) &&
    !settings.some(({ name }) => SENSITIVE_SETTINGS.test(name)) &&
    writes.every((target) => target.fixed && targets.some((glob: Glob) => glob.matches(target.value)))
  );
}

/** Only `*` matches text that run time decides. A folder before the name is part of the name. */
const certain = ({ words }: ShellAct): string =>
  words.map((word) => (word.fixed ? word.value : `${word.lead}${RUN_TIME}`)).join(' ');
