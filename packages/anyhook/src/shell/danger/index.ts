/** Presets such as `"match": "danger:delete"`, which find dangerous acts however they are spelled. */

import { dirname } from 'node:path';
import type { ScriptFiles } from '../../events/script-files.ts';
import type { Invocation, ShellAct } from '../act.ts';
import { analyseOnce, type ShellAnalysis } from '../analyse.ts';
import { enteredFolder, isCd } from '../path-uses.ts';
import type { ScriptPlace } from '../script-file.ts';
import { clip, fixedWord, type ShellWord } from '../word.ts';
import { CLOUD } from './cloud.ts';
import { DATABASE } from './database.ts';
import { DELETE } from './delete.ts';
import { DEVICE } from './device.ts';
import { isFar, madeFolders, trimmed, type CommandPlace } from './far.ts';
import { GIT } from './git.ts';
import { makeLoads } from './loads.ts';
import { PIPE_TO_SHELL } from './pipe-to-shell.ts';
import { PUBLISH } from './publish.ts';
import type { Danger, DangerRule, Distance } from './rule.ts';
import { SECRETS } from './secrets.ts';

export const DANGERS = {
  delete: DELETE,
  history: GIT,
  git: GIT,
  cloud: CLOUD,
  database: DATABASE,
  device: DEVICE,
  publish: PUBLISH,
  secrets: SECRETS,
  'pipe-to-shell': PIPE_TO_SHELL,
} as const satisfies Readonly<Record<string, Danger>>;

export type DangerName = keyof typeof DANGERS;
export const DANGER_NAMES = Object.keys(DANGERS) as readonly DangerName[];
export const isDangerName = (name: string): name is DangerName => Object.hasOwn(DANGERS, name);

export type DangerMatch =
  | {
      readonly kind: 'matches';
      readonly command: string;
      readonly why: string;
      readonly instead: string;
      /** The file that contains the command. */
      readonly from?: ScriptPlace;
    }
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'clear' };

/** Judges a command line that runs in `cwd`, and with a reader also the files that it runs. */
export function judgeCommand(
  name: DangerName,
  command: string,
  cwd: string,
  files?: ScriptFiles,
): DangerMatch {
  const whole = analyseOnce(command, files && { files, cwd });
  let doubt: DangerMatch = { kind: 'clear' };
  for (const analysis of bySource(whole)) {
    const file = analysis.acts[0]?.from?.file;
    const text = file === undefined ? command : (whole.scripts.get(file) ?? command);
    const match = judgeAnalysis(name, analysis, text, cwd);
    if (match.kind === 'matches') return match;
    if (match.kind === 'opaque') doubt = match;
  }
  return doubt;
}

/** A `cd` in a script moves only the script, so the acts of each file are judged on their own. */
function bySource(whole: ShellAnalysis): readonly ShellAnalysis[] {
  if (whole.acts.every(({ from }) => from === undefined)) return [whole];
  const files = new Set([undefined, ...whole.acts.map(({ from }) => from?.file)]);
  return [...files].map((file) => ({ ...whole, acts: whole.acts.filter(({ from }) => from?.file === file) }));
}

function judgeAnalysis(name: DangerName, analysis: ShellAnalysis, command: string, cwd: string): DangerMatch {
  const danger: Danger = DANGERS[name];
  const { instead } = danger;
  const base = surroundingsAfter(analysis, placeOf(analysis, cwd));
  const below = actsBelow(analysis, command);
  let loads: ((inner: ShellAct) => boolean) | undefined;
  for (const act of analysis.acts) {
    if (showsHelp(act)) continue;
    const place = base && below.has(act) ? { ...base, isBelow: true } : base;
    const rule = rulesFor(name, act.invocation).find((candidate) => fits(candidate, act, place));
    if (rule === undefined) continue;
    if (danger.mayLoad !== true || !(loads ??= makeLoads(analysis, command))(act))
      return {
        kind: 'matches',
        command: clip(act.text),
        why: rule.why,
        instead,
        ...(act.from && { from: act.from }),
      };
  }
  const written = danger.writes && analysis.writes.find(({ value }) => danger.writes?.pattern.test(value));
  if (written !== undefined && danger.writes !== undefined)
    return { kind: 'matches', command: clip(`> ${written.text}`), why: danger.writes.why, instead };
  if (danger.runsFetched !== undefined && analysis.fetched.length > 0)
    return { kind: 'matches', command: clip(command), why: danger.runsFetched.why, instead };
  const [why] = analysis.unjudgeable;
  return why === undefined ? { kind: 'clear' } : { kind: 'opaque', why };
}

/** `kubectl delete --help`, `aws s3 rm help`. Programs for files are excluded, because some read `help` as a file name. */
const showsHelp = ({ program, words }: ShellAct): boolean =>
  (words.at(-1)?.value === '--help' || (words.length > 2 && words.at(-1)?.value === 'help')) &&
  !/^(?:g?rm|g?find|dd|g?mv|g?cp|shred|unlink|truncate|tee|sh|bash)$/.test(program);

/** Judges a call of a tool for files. */
export function judgeFile(name: DangerName, tool: string, path: string): DangerMatch {
  const { files, instead }: Danger = DANGERS[name];
  if (files === undefined || !files.tools.includes(tool) || !files.pattern.test(path))
    return { kind: 'clear' };
  return { kind: 'matches', command: `${tool} ${clip(path)}`, why: files.why, instead };
}

/** What the text itself moves, and where it deletes. */
function placeOf({ settings, acts }: ShellAnalysis, cwd: string): CommandPlace {
  const start: CommandPlace = { cwd, made: madeFolders(settings), brought: new Set(), emptied: new Set() };
  const operandsOf = (names: RegExp) =>
    acts
      .filter(({ program }) => names.test(program))
      .map(({ words }) => words.slice(1).filter(({ value }) => !value.startsWith('-')));
  const moves = operandsOf(/^g?mv$/).filter(([from]) => from !== undefined && isFar(from, start));
  const deleted = operandsOf(/^(?:g?rm|unlink|shred|srm)$/).flat();
  return {
    ...start,
    brought: new Set(moves.flatMap((words) => (words.length === 2 ? [trimmed(words[1]!.value)] : []))),
    emptied: new Set(deleted.filter((word) => isFar(word, start)).map(({ value }) => dirname(value))),
  };
}

/** The place of the later commands; undefined after a `cd` to a far folder, because every path is far there. */
function surroundingsAfter({ acts }: ShellAnalysis, start: CommandPlace): CommandPlace | undefined {
  let depth = 0;
  for (const act of acts) {
    const to = isCd(act) ? enteredFolder(act) : chdirOf(act);
    if (isCd(act) && to === undefined) return undefined;
    if (to === undefined || to.value === '-' || OWN_FOLDER.test(to.value) || isTemporaryFolder(to)) continue;
    const steps = /^[\w.@+-][\w./@+-]*$/.test(to.value) ? to.value.split('/') : undefined;
    if (steps === undefined) {
      if (isFar(to, start)) return undefined;
      continue;
    }
    for (const step of steps) depth += step === '..' ? -1 : step === '.' || step === '' ? 0 : 1;
    if (depth < 0) return undefined;
  }
  return start;
}
/** Acts that run only if a `cd` into a folder of the project succeeds: `cd build && rm -rf *`. */
function actsBelow({ acts }: ShellAnalysis, line: string): ReadonlySet<ShellAct> {
  const found = new Set<ShellAct>();
  let isBelow = false;
  for (const act of acts) {
    const [, to, more] = act.words;
    if (isCd(act))
      isBelow =
        more === undefined &&
        to?.fixed === true &&
        /^(?:\.\/)?[\w@+-][\w.@+-]*(?:\/[\w@+-][\w.@+-]*)*\/?$/.test(to.value) &&
        line.includes(`${act.text} &&`);
    else if (isBelow) found.add(act);
    // After `;` or `||` the next act also runs if the `cd` failed.
    if (isBelow && !isCd(act) && !line.includes(`${act.text} &&`)) isBelow = false;
  }
  return found;
}

/** A script's own folder counts as near. */
const OWN_FOLDER =
  /^(?:"?\$\(dirname|\$\{?(?:BASH_SOURCE|0|DIR|SCRIPT_DIR|ROOT|REPO_ROOT|PROJECT_ROOT)\b|"?\$\(git rev-parse|\$\(mktemp)/;

function chdirOf({ program, words }: ShellAct): ShellWord | undefined {
  if (program !== 'env') return undefined;
  const at = words.findIndex(({ value }) => /^(?:-C|--c[a-z]*)$/.test(value));
  const attached = words.find(({ value }) => /^(?:-C|--c[a-z]*=)./.test(value));
  if (attached !== undefined)
    return { ...attached, value: attached.value.replace(/^(?:-C|--c[a-z]*=)/, ''), lead: '' };
  return at === -1 ? undefined : words[at + 1];
}

/** The rules of each danger by command, created on first use. Most commands have no rule. */
const INDEX = new Map<DangerName, ReadonlyMap<string, readonly DangerRule[]>>();
function rulesByCommand(name: DangerName): ReadonlyMap<string, readonly DangerRule[]> {
  const known = INDEX.get(name);
  if (known !== undefined) return known;
  const byCommand = new Map<string, DangerRule[]>();
  for (const rule of DANGERS[name].rules)
    for (const command of rule.command.split('|'))
      byCommand.set(command, [...(byCommand.get(command) ?? []), rule]);
  INDEX.set(name, byCommand);
  return byCommand;
}
const programOf = ({ command }: Invocation): string => command.split(' ', 1)[0] ?? '';
const withFirst = ({ command, operands }: Invocation): string => `${command} ${operands[0]?.value ?? ''}`;

function rulesFor(name: DangerName, invocation: Invocation): readonly DangerRule[] {
  const found = [invocation.command, programOf(invocation), withFirst(invocation)].flatMap(
    (command) => rulesByCommand(name).get(command) ?? [],
  );
  return found.length === 0 ? found : [...new Set(found)];
}

/** The operands after the command that the rule names. A subcommand that no table contains is an operand. */
function operandsOf(rule: DangerRule, invocation: Invocation): readonly ShellWord[] {
  const names = rule.command.split('|');
  return names.includes(invocation.command) || names.includes(programOf(invocation))
    ? invocation.operands
    : invocation.operands.slice(1);
}

function fits(
  rule: DangerRule,
  { words, input, invocation }: ShellAct,
  base: CommandPlace | undefined,
): boolean {
  const own = operandsOf(rule, invocation);
  const has = (spellings: string) => spellings.split('|').some((option) => invocation.options.has(option));
  if (rule.with?.every(has) === false || rule.without?.some(has) === true) return false;
  const args = words.slice(1);
  if (rule.readsInput === true && input?.kind === 'text') args.push(fixedWord(input.text));
  if (rule.word !== undefined && !args.some(({ value }) => rule.word?.test(value))) return false;
  if (rule.noWord !== undefined && args.some(({ value }) => rule.noWord?.test(value))) return false;
  const is = (word: ShellWord | undefined, wanted: RegExp | Distance): boolean =>
    word !== undefined && (typeof wanted === 'string' ? isAt(wanted, word, base) : wanted.test(word.value));
  if (rule.first !== undefined && !is(own[0], rule.first)) return false;
  if (
    rule.last !== undefined &&
    !is(own.length > 1 || rule.first === undefined ? own.at(-1) : undefined, rule.last)
  )
    return false;
  return rule.operand === undefined || own.some((word) => is(word, rule.operand ?? 'far'));
}

function isAt(distance: Distance, word: ShellWord, base: CommandPlace | undefined): boolean {
  if (distance === 'emptied') return base?.emptied.has(trimmed(word.value)) === true;
  if (base === undefined) return !isTemporary(word);
  return isFar(word, base) && !(distance === 'away' && /^(?:\.\/?|\*|\.\/\*)$/.test(word.value));
}

/** Paths in a temporary folder are near. */
const isTemporaryFolder = ({ value, fixed }: ShellWord): boolean =>
  fixed && /^\/(?:var\/|private\/)?tmp(?:\/[\w.-]+)*\/?$/.test(value) && !value.includes('..');
const isTemporary = ({ value }: ShellWord): boolean => /^\/(?:var\/)?tmp\/[^/*?.]/.test(value);
