/**
 * Would this command line change something guarded? Read off its words: a program that names a guarded path and does
 * not only look is refused; what may name one and cannot be made out is a question. What a program does by itself is out
 * of sight here; see docs/library.md.
 */
import { basename, join } from 'node:path';
import { LONGEST_TEXT } from '../shell/limits.ts';
import { analyseOnce } from '../shell/analyse.ts';
import type { ShellAssignment } from '../shell/read-script.ts';
import type { ShellWord } from '../shell/word.ts';
import { startsUnhooked, unhooks } from './agent-commands.ts';
import { makesNames, namedIn } from './code-names.ts';
import {
  copiesFrom,
  copiesInto,
  feeds,
  fills,
  looksBelow,
  newRoot,
  onlyReads,
  runsOnFound,
  runsPrograms,
  takesAlong,
  takesCode,
  type CommandWords,
  commandWords,
} from './commands.ts';
import { findObjection } from './find.ts';
import { gitObjection } from './git.ts';
import { mountObjection, mountsOf } from './mounts.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import { endsUs, replacesUs, saidToUs, spokenToUs, tellsWhereWeAre, types } from './ours.ts';
import { ownPackageObjection } from './own-package.ts';
import { sweepOf } from './sweep.ts';
import { type Meaning, type ReadCommand, type PathSight, pathSightOf, type Terms } from './sight.ts';

/** What is wrong with it; undefined when nothing is. */
export function shellObjection(text: string, terms: Terms): Objection | undefined {
  const { acts: commands, settings, writes, unjudgeable, isCut } = analyseOnce(text);
  const read = commands.map(({ words, input }) => ({
    words,
    ...(input && { input }),
    said: commandWords(words),
  }));
  const sight = pathSightOf(read, settings, text, terms);
  const acts = once(read.filter(({ said }) => !onlyReads(said)));
  const isHidden =
    unjudgeable.length > 0 ||
    (acts.length > 0 && read.some(({ said }) => feeds(said))) ||
    acts.some(({ words: [program] }) => program?.text.replace(/^"/, '').startsWith('$'));
  const isCode = acts.some(({ said }) => takesCode(said) || types(said));
  const ours = read.map(({ said }) => saidToUs(said)).find((verb) => verb !== undefined);
  const letters = text.slice(0, LONGEST_TEXT); // what is longer is a question in any case
  const spoken = ours ?? (isHidden || isCode ? spokenToUs(letters, settings) : undefined);
  if (spoken !== undefined) return refusal(`\`anyhook ${spoken}\` is for a person to run`);
  const unhooking = read.map(({ said }) => unhooks(said, terms)).find((said) => said !== undefined);
  if (unhooking !== undefined) return refusal(`\`${unhooking}\` changes what leads the agent to its hooks`);
  if (read.some(({ said }) => replacesUs(said))) return refusal('it would take away or replace our program');
  if (endsUs(read.map(({ said }) => said))) return refusal('it would end what asks the hooks');
  const found = [
    ...writes.map((word) => objectionTo(sight.meaning(word), `it writes to ${word.text}`)),
    ...acts.map(({ said, input }) =>
      takesCode(said) && input?.kind === 'text'
        ? objectionToCode(input.text, `${said.name} is given code`, terms)
        : undefined,
    ),
    ...acts.flatMap((act) => objectionsTo(act, sight, terms)),
    ...acts.map(({ said }) =>
      startsUnhooked(
        said,
        settings.map(({ name }) => name),
      ),
    ),
    ownPackageObjection(letters, read, acts, sight, terms),
    handedOn(read, acts, sight, terms),
    handedUs(read, acts, writes, settings),
  ];
  const worst = found.find((one) => one?.kind === 'refused') ?? found.find((one) => one !== undefined);
  if (worst?.kind === 'refused') return worst;
  // A pattern in a value finds files where the variable is used, and is judged there.
  const values = new Map(
    settings.flatMap(({ value }) => (/[*?[]/.test(value.value) ? [] : [[value.text, value] as const])),
  );
  if (acts.length > 0 && [...values.values()].some((value) => sight.meaning(value) === 'inside'))
    return refusal('a variable names it');
  if (isHidden && terms.names.within(letters))
    return refusal(unjudgeable[0] ?? 'it is named to a program that acts');
  return (
    worst ??
    (isCut || sight.isCut()
      ? doubt(`it cannot be judged as a whole: ${unjudgeable[0] ?? 'it names too many paths'}`)
      : undefined)
  );
}

/** The same command twice is one objection. */
const once = <C extends { readonly words: readonly ShellWord[]; readonly input?: unknown }>(
  commands: readonly C[],
): C[] => {
  const known = new Map<string, C>();
  for (const command of commands) {
    const key =
      command.input === undefined ? command.words.map(({ text }) => text).join('\0') : `\0${known.size}`;
    if (!known.has(key)) known.set(key, command);
  }
  return [...known.values()];
};

/** `ls -d ~/.config/* | xargs rm`, `rm $(find ~ -name anyhook)`: what one finds, another may be given. */
function handedOn(
  read: readonly ReadCommand[],
  acts: readonly ReadCommand[],
  sight: PathSight,
  terms: Terms,
): Objection | undefined {
  const isGiven = ({ words }: ReadCommand) => words.slice(1).some(({ value }) => /\$\(|`/.test(value));
  if (acts.length === 0 || !(acts.some(isGiven) || read.some(({ said }) => feeds(said)))) return undefined;
  const finder = read.find(
    (one) =>
      onlyReads(one.said) &&
      (one.said.name === 'find'
        ? findObjection(one.words, sight, terms)?.kind === 'refused'
        : one.words
            .slice(1)
            .some(
              (word) =>
                sight.meaning(word) === 'inside' ||
                (looksBelow(one.said) && sight.meaning(word) === 'above' && sight.isElsewhere(word)),
            )),
  );
  return (
    finder && doubt(`${finder.said.name} finds it, and what it finds may be handed to ${acts[0]!.said.name}`)
  );
}

/** `rm $(which anyhook)`, `which anyhook | xargs rm`: our own program, by what prints where it lies. */
function handedUs(
  read: readonly ReadCommand[],
  acts: readonly ReadCommand[],
  writes: readonly ShellWord[],
  settings: readonly ShellAssignment[],
): Objection | undefined {
  const isPrinted = ({ text }: ShellWord) => PRINTED.test(text);
  const named = settings.filter(({ value }) => isPrinted(value)).map(({ name }) => name);
  const isUs = (word: ShellWord) =>
    isPrinted(word) || [...word.text.matchAll(/\$\{?(\w+)/g)].some(([, name]) => named.includes(name!));
  const changer = acts.find(
    ({ said, words }) =>
      !runsPrograms(said) && words.slice(1).some((word, at) => isUs(word) && !copiesFrom(said, at)),
  );
  const isFed = read.some(({ said }) => tellsWhereWeAre(said)) && read.some(({ said }) => feeds(said));
  const by = changer ?? (isFed ? acts[0] : undefined);
  if (by !== undefined) return refusal(`${by.said.name} is given our own program`);
  return writes.some(isUs) ? refusal('it writes to our own program') : undefined;
}

/** A substitution by which a shell is told where a program lies, and ours behind it: not every path with our name in it. */
const PRINTED =
  /(?:\$\(|`)[^]*\b(?:which|whereis|type|command\s+-[vV]|p?npm\s+(?:root|prefix|bin)|yarn\s+global)\b[^]*\banyhook\b(?!-)/;

function objectionsTo(
  { words, said }: ReadCommand,
  sight: PathSight,
  terms: Terms,
): (Objection | undefined)[] {
  if (said.name === 'git') return [gitObjection(words, sight, terms)];
  if (said.name === 'find') return [findObjection(words, sight, terms)];
  const along = takesAlong(said);
  const handsOn = runsOnFound(said);
  const mounts = new Map(mountsOf(said).map((mount) => [mount.at, mount]));
  return words.slice(1).map((word, at) => {
    if (copiesFrom(said, at)) return undefined;
    const mount = mounts.get(at);
    if (mount !== undefined) return mountObjection(mount, words, said.name, sight, terms);
    const meaning = sight.meaning(word);
    const what = `${said.name} is given ${word.text}`;
    if (meaning === 'above' && fills(said) === at) {
      const folder = behindOption(word);
      const swept = sight.isElsewhere(folder) ? sweepOf(said.name, folder, sight, terms) : undefined;
      if (swept !== undefined)
        return along.includes(at) ? swept : doubt(`${what}, and nobody can tell what it puts there`);
    }
    if (meaning === 'above' && newRoot(said) === at)
      return doubt(`${what}, and what runs there calls that folder /`);
    if (meaning === 'above' && handsOn && sight.isElsewhere(word))
      return doubt(`${what}, and what it finds there is handed on`);
    if (meaning === 'above')
      return along.includes(at)
        ? sweepOf(said.name, word, sight, terms)
        : copied(said, words, at, sight, terms);
    if (meaning === undefined && takesCode(said)) return objectionToCode(word.value, what, terms);
    return objectionTo(meaning, what);
  });
}

/** `--directory=x` and `-Cx` are about `x`. */
function behindOption(word: ShellWord): ShellWord {
  const lead = /^(?:--[\w-]+=|-[a-zA-Z](?=.))/.exec(word.value)?.[0];
  return lead === undefined ? word : { ...word, value: word.value.slice(lead.length) };
}

function objectionToCode(code: string, what: string, { names }: Terms): Objection | undefined {
  if (namedIn(code, names)) return refusal(`${what}, which names it`);
  return makesNames(code) ? doubt(`${what}, which acts on a name that only it can read`) : undefined;
}

const objectionTo = (meaning: Meaning | undefined, what: string): Objection | undefined =>
  meaning === 'inside'
    ? refusal(what)
    : meaning === 'unclear'
      ? doubt(`${what}, which is known only at run time and may be one of them`)
      : undefined;

/** What is put into a folder lies there under its own name: `cp -r anyhook ~/.config`. */
function copied(
  said: CommandWords,
  words: readonly ShellWord[],
  into: number,
  sight: PathSight,
  { look: at, cwd }: Terms,
): Objection | undefined {
  if (!copiesInto(said, into)) return undefined;
  const targets = sight.spelled(words[into + 1]!);
  const names = words.slice(1).flatMap((word) => sight.spelled(word).map((one) => basename(one)));
  const hit = targets
    .flatMap((target) => names.map((name) => join(target, name)))
    .find((path) => at.touches(path, cwd) === 'inside');
  return hit === undefined ? undefined : refusal(`${said.name} would write ${hit}`);
}
