/** A rule on commands, `git push --force*`: a glob over the text, and the act that its words name. */
import { type Invocation, invocationOf, isTabled, optionsIn, type ShellAct } from './act.ts';
import { compileGlob, type Glob } from './glob.ts';
import { fixedWord } from './word.ts';

export interface CommandRule {
  readonly glob: Glob;
  /** The options it asks for, and what the rest of the command must look like; where its options can be read. */
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
  // Behind an option, `*` is whatever follows; behind another word it is part of that word.
  const rest =
    isOpen && isOption
      ? `${others.join(' ')}:*`
      : `${others.join(' ')}${source.endsWith(' *') ? ' *' : isOpen ? '*' : ''}`;
  return { options, isOpen, rest: compileGlob(rest) };
}

/** As written, without quotes, without the program's folder, or as the same act in other words. */
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
