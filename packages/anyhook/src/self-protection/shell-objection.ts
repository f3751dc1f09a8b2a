/**
 * Objects to a command line that would change a guarded path. A program that names a guarded path and does more than read it
 * is refused. A word that may name one, which only run time decides, is a doubt. What a program does without naming the
 * path is not detected; see docs/library.md.
 */

import { basename, join } from 'node:path';
import type { ShellAct } from '../shell/act.ts';
import { analyseOnce, type ShellAnalysis } from '../shell/analyse.ts';
import { LONGEST_TEXT } from '../shell/limits.ts';
import {
  copiesFrom,
  copiesInto,
  filledFolder,
  newRoot,
  onlyReads,
  passesWordsOn,
  runsOnFoundFiles,
  searchesBelow,
  sweptFolders,
  takesCode,
  takesProgram,
} from '../shell/path-uses.ts';
import type { ShellWord } from '../shell/word.ts';
import { unhookedStart, unhookingCommand } from './agent-commands.ts';
import {
  endsAnyhook,
  printsAnyhookPath,
  replacesAnyhook,
  sendsKeys,
  userDecision,
  userDecisionInText,
} from './anyhook-commands.ts';
import { findObjection } from './find.ts';
import { gitObjection } from './git.ts';
import { computesNames } from './guarded-names.ts';
import { mountObjection, mountsOf } from './mounts.ts';
import { doubt, type Objection, refusal, sweepObjection } from './objection.ts';
import { ownPackageObjection } from './own-package.ts';
import { type GuardedCall, type JudgedLine, PathResolver, type WordTouch } from './path-resolver.ts';

export function shellObjection(text: string, context: GuardedCall): Objection | undefined {
  const analysis = analyseOnce(text);
  const line: JudgedLine = {
    text: text.slice(0, LONGEST_TEXT), // a longer text is cut, and so a doubt in any case
    analysis,
    changes: withoutRepeats(analysis.acts.filter((act) => !onlyReads(act))),
    resolver: new PathResolver(analysis, text, context),
    context,
  };
  return commandObjection(line) ?? pathObjection(line);
}

/** Commands that disarm the guards whatever paths they name. */
function commandObjection(line: JudgedLine): Objection | undefined {
  const { text, analysis, changes, context } = line;
  const { acts, settings } = analysis;
  const isCode = changes.some((act) => takesCode(act) || sendsKeys(act));
  const decision =
    firstFound(acts, userDecision) ??
    (hidesWords(line) || isCode ? userDecisionInText(text, settings) : undefined);
  if (decision !== undefined) return refusal(`\`anyhook ${decision}\` is for a person to run`);
  const unhooking = firstFound(acts, (act) => unhookingCommand(act, context));
  if (unhooking !== undefined) return refusal(`\`${unhooking}\` changes what leads the agent to its hooks`);
  if (acts.some(replacesAnyhook)) return refusal('it would take away or replace our program');
  return endsAnyhook(acts) ? refusal('it would end what asks the hooks') : undefined;
}

function pathObjection(line: JudgedLine): Objection | undefined {
  const { text, analysis, changes, resolver, context } = line;
  const { acts, settings, writes, unjudgeable, isCut } = analysis;
  const variables = settings.map(({ name }) => name);
  const worst = strictest([
    ...writes.map((word) => touchObjection(resolver.touch(word), `it writes to ${word.text}`)),
    ...changes.map((act) =>
      takesCode(act) && act.input?.kind === 'text'
        ? codeObjection(act.input.text, `${act.program} is given code`, context)
        : undefined,
    ),
    ...changes.flatMap((act) => wordObjections(act, line)),
    ...changes.map((act) => unhookedStart(act, variables)),
    ownPackageObjection(line),
    foundPathObjection(acts, line),
    ownProgramObjection(line),
  ]);
  if (worst?.kind === 'refused') return worst;
  if (changes.length > 0 && variableValues(analysis).some((value) => resolver.touch(value) === 'inside'))
    return refusal('a variable names it');
  if (hidesWords(line) && context.names.within(text))
    return refusal(unjudgeable[0] ?? 'it is named to a program that acts');
  return (
    worst ??
    (isCut || resolver.isCut
      ? doubt(`it cannot be judged as a whole: ${unjudgeable[0] ?? 'it names too many paths'}`)
      : undefined)
  );
}

/** Some words of a command that changes something are known only at run time. */
const hidesWords = ({ analysis: { acts, unjudgeable }, changes }: JudgedLine): boolean =>
  unjudgeable.length > 0 ||
  (changes.length > 0 && acts.some(passesWordsOn)) ||
  changes.some(({ words: [program] }) => program?.text.replace(/^"/, '').startsWith('$'));

const strictest = (objections: readonly (Objection | undefined)[]): Objection | undefined =>
  objections.find((objection) => objection?.kind === 'refused') ??
  objections.find((objection) => objection !== undefined);

function firstFound<T>(acts: readonly ShellAct[], find: (act: ShellAct) => T | undefined): T | undefined {
  for (const act of acts) {
    const found = find(act);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withoutRepeats(acts: readonly ShellAct[]): ShellAct[] {
  const distinct = new Map<string, ShellAct>();
  for (const act of acts) {
    const key = act.input === undefined ? act.words.map(({ text }) => text).join('\0') : `\0${distinct.size}`;
    if (!distinct.has(key)) distinct.set(key, act);
  }
  return [...distinct.values()];
}

/** A pattern in a value finds files where the variable is used, and is judged there. */
const variableValues = ({ settings }: ShellAnalysis): ShellWord[] => [
  ...new Map(
    settings.flatMap(({ value }) => (/[*?[]/.test(value.value) ? [] : [[value.text, value] as const])),
  ).values(),
];

/** `ls -d ~/.config/* | xargs rm`, `rm $(find ~ -name anyhook)`: one command finds a guarded path, another may change it. */
function foundPathObjection(
  acts: readonly ShellAct[],
  { changes, resolver, context }: JudgedLine,
): Objection | undefined {
  const hasSubstitution = ({ args }: ShellAct) => args.some((arg) => /\$\(|`/.test(arg));
  if (changes.length === 0 || !(changes.some(hasSubstitution) || acts.some(passesWordsOn))) return undefined;
  const finds = (act: ShellAct, word: ShellWord): boolean =>
    resolver.touch(word) === 'inside' ||
    (searchesBelow(act) && resolver.touch(word) === 'above' && resolver.isElsewhere(word));
  const finder = acts.find(
    (act) =>
      onlyReads(act) &&
      (act.program === 'find'
        ? findObjection(act, resolver, context)?.kind === 'refused'
        : act.words.slice(1).some((word) => finds(act, word))),
  );
  return (
    finder && doubt(`${finder.program} finds it, and what it finds may be handed to ${changes[0]!.program}`)
  );
}

/** `rm $(which anyhook)`, `which anyhook | xargs rm`: the path of our own program is printed by another command. */
function ownProgramObjection({ analysis, changes }: JudgedLine): Objection | undefined {
  const { acts, settings, writes } = analysis;
  const isPrinted = ({ text }: ShellWord) => PRINTS_OWN_PATH.test(text);
  const variables = settings.filter(({ value }) => isPrinted(value)).map(({ name }) => name);
  const isOwnPath = (word: ShellWord) =>
    isPrinted(word) || [...word.text.matchAll(/\$\{?(\w+)/g)].some(([, name]) => variables.includes(name!));
  const changer = changes.find(
    (act) =>
      !takesProgram(act) && act.words.slice(1).some((word, at) => isOwnPath(word) && !copiesFrom(act, at)),
  );
  const isPassedOn = acts.some(printsAnyhookPath) && acts.some(passesWordsOn);
  const by = changer ?? (isPassedOn ? changes[0] : undefined);
  if (by !== undefined) return refusal(`${by.program} is given our own program`);
  return writes.some(isOwnPath) ? refusal('it writes to our own program') : undefined;
}

/** A substitution that prints the path of our program. Not every path that contains its name. */
const PRINTS_OWN_PATH =
  /(?:\$\(|`)[^]*\b(?:which|whereis|type|command\s+-[vV]|p?npm\s+(?:root|prefix|bin)|yarn\s+global)\b[^]*\banyhook\b(?!-)/;

function wordObjections(
  act: ShellAct,
  { resolver, context }: JudgedLine,
): readonly (Objection | undefined)[] {
  if (act.program === 'git') return [gitObjection(act, resolver, context)];
  if (act.program === 'find') return [findObjection(act, resolver, context)];
  const mounts = new Map(mountsOf(act).map((mount) => [mount.at, mount]));
  return act.words.slice(1).map((word, at) => {
    if (copiesFrom(act, at)) return undefined;
    const mount = mounts.get(at);
    if (mount !== undefined) return mountObjection(mount, act, resolver, context);
    const touch = resolver.touch(word);
    const what = `${act.program} is given ${word.text}`;
    if (touch === 'above') return folderObjection(act, word, at, resolver, context);
    if (touch === undefined && takesCode(act)) return codeObjection(word.value, what, context);
    return touchObjection(touch, what);
  });
}

/** The word names a folder with a guarded path below it. */
function folderObjection(
  act: ShellAct,
  word: ShellWord,
  at: number,
  resolver: PathResolver,
  context: GuardedCall,
): Objection | undefined {
  const what = `${act.program} is given ${word.text}`;
  const isSwept = sweptFolders(act).includes(at);
  if (filledFolder(act) === at) {
    const folder = withoutOption(word);
    const sweep = resolver.isElsewhere(folder)
      ? sweepObjection(act.program, folder, resolver, context)
      : undefined;
    if (sweep !== undefined)
      return isSwept ? sweep : doubt(`${what}, and nobody can tell what it puts there`);
  }
  if (newRoot(act) === at) return doubt(`${what}, and what runs there calls that folder /`);
  if (runsOnFoundFiles(act) && resolver.isElsewhere(word))
    return doubt(`${what}, and what it finds there is handed on`);
  return isSwept
    ? sweepObjection(act.program, word, resolver, context)
    : copyObjection(act, at, resolver, context);
}

/** The folder in `--directory=x` and `-Cx`. */
function withoutOption(word: ShellWord): ShellWord {
  const option = /^(?:--[\w-]+=|-[a-zA-Z](?=.))/.exec(word.value)?.[0];
  return option === undefined ? word : { ...word, value: word.value.slice(option.length) };
}

function codeObjection(code: string, what: string, { names }: GuardedCall): Objection | undefined {
  if (names.withinCode(code)) return refusal(`${what}, which names it`);
  return computesNames(code) ? doubt(`${what}, which acts on a name that only it can read`) : undefined;
}

const touchObjection = (touch: WordTouch | undefined, what: string): Objection | undefined =>
  touch === 'inside'
    ? refusal(what)
    : touch === 'unclear'
      ? doubt(`${what}, which is known only at run time and may be one of them`)
      : undefined;

/** A copy keeps its name in the folder: `cp -r anyhook ~/.config`. */
function copyObjection(
  act: ShellAct,
  into: number,
  resolver: PathResolver,
  { look, cwd }: GuardedCall,
): Objection | undefined {
  if (!copiesInto(act, into)) return undefined;
  const targets = resolver.spellings(act.words[into + 1]!);
  const names = act.words.slice(1).flatMap((word) => resolver.spellings(word).map((path) => basename(path)));
  const hit = targets
    .flatMap((target) => names.map((name) => join(target, name)))
    .find((path) => look.touches(path, cwd) === 'inside');
  return hit === undefined ? undefined : refusal(`${act.program} would write ${hit}`);
}
