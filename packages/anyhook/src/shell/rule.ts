/** A rule such as `git push --force*`: a glob for the text, and the options and operands that its words name. */

import { type Invocation, invocationOf, isTabled, optionsIn, type ShellAct } from './act.ts';
import { compileGlob, type Glob } from './glob.ts';
import { fixedWord } from './word.ts';

export interface CommandRule {
  readonly glob: Glob;
  /** The options that the command needs, and a glob for the rest. Absent if the options of the command are not known. */
  readonly invocation?: {
    readonly options: readonly string[];
    readonly isOpen: boolean;
    readonly rest: Glob;
  };
}

export function compileRule(source: string): CommandRule {
  const glob = compileGlob(source);
  const invocation = invocationIn(source);
  return invocation === undefined ? { glob } : { glob, invocation };
}

function invocationIn(source: string): CommandRule['invocation'] {
  const isOpen = source.endsWith('*');
  const words = source
    .replace(/:?\*$/, '')
    .split(' ')
    .filter((word) => word !== '');
  const [name] = words;
  if (name === undefined || !/^[\w.+-]+$/.test(name)) return undefined;
  const { command } = invocationOf(words.filter((word) => !/[*?[]/.test(word)).map(fixedWord));
  if (!isTabled(name) && !isTabled(command)) return undefined;
  const options: string[] = [];
  const others: string[] = [];
  for (const word of words) {
    const found = optionsIn(command, word);
    if (found === undefined) others.push(word);
    else options.push(...found);
  }
  const last = words.at(-1) ?? '';
  const isOption = last.startsWith('-') || source.endsWith(':*');
  // After an option, `*` matches whatever follows. After another word it is part of that word.
  const rest =
    isOpen && isOption
      ? `${others.join(' ')}:*`
      : `${others.join(' ')}${source.endsWith(' *') ? ' *' : isOpen ? '*' : ''}`;
  return { options, isOpen, rest: compileGlob(rest) };
}

/** Compares the spelling, with and without quotes and the program's folder, and then options and operands. */
export function fitsRule({ glob, invocation }: CommandRule, act: ShellAct): boolean {
  if (glob.matches(act.text)) return true;
  const name = act.words[0]?.value ?? '';
  const names = act.program === name ? [name] : [name, act.program];
  if (names.some((spelling) => glob.matches([spelling, ...act.args].join(' ')))) return true;
  return invocation !== undefined && fitsInvocation(invocation, act.invocation);
}

function fitsInvocation(
  { options, isOpen, rest }: NonNullable<CommandRule['invocation']>,
  found: Invocation,
): boolean {
  if (!options.every((option) => found.options.has(option))) return false;
  if (!isOpen && found.options.size > options.length) return false;
  return rest.matches([found.command, ...found.operands.map(({ value }) => value)].join(' '));
}
