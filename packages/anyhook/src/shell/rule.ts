/** A rule on commands, `git push --force*`: a glob over the text, and the act that its words name. */
import { type ShellAct, actOf, isTabled, optionsIn } from './act.ts';
import { compileGlob, type Glob } from './glob.ts';
import type { SimpleCommand } from './read-script.ts';
import { plainName } from './unwrap.ts';
import { fixedWord } from './word.ts';

export interface CommandRule {
  readonly glob: Glob;
  /** The options it asks for, and what the rest of the command must look like; where its options can be read. */
  readonly act?: { readonly options: readonly string[]; readonly isOpen: boolean; readonly rest: Glob };
}

export function compileRule(source: string): CommandRule {
  const glob = compileGlob(source);
  const act = actIn(source);
  return act === undefined ? { glob } : { glob, act };
}

function actIn(source: string): CommandRule['act'] {
  const isOpen = source.endsWith('*');
  const words = source
    .replace(/:?\*$/, '')
    .split(' ')
    .filter((word) => word !== '');
  const [name] = words;
  if (name === undefined || !/^[\w.+-]+$/.test(name)) return undefined;
  const { command } = actOf(words.filter((word) => !/[*?[]/.test(word)).map(fixedWord));
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
export function fitsRule({ glob, act }: CommandRule, command: SimpleCommand): boolean {
  if (glob.matches(command.text)) return true;
  const [name = '', ...rest] = command.words.map((word) => word.value);
  const plain = plainName(name);
  const names = plain === name ? [name] : [name, plain];
  if (names.some((spelling) => glob.matches([spelling, ...rest].join(' ')))) return true;
  return act !== undefined && fitsAct(act, actOf(command.words));
}

function fitsAct({ options, isOpen, rest }: NonNullable<CommandRule['act']>, act: ShellAct): boolean {
  if (!options.every((option) => act.options.has(option))) return false;
  if (!isOpen && act.options.size > options.length) return false;
  return rest.matches([act.command, ...act.operands.map(({ value }) => value)].join(' '));
}
