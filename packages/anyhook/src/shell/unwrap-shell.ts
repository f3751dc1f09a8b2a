/** What `bash -c 'text'` and other shells run: a text, a file, or their input. */

import {
  type ScriptAround,
  fromFile,
  fromInput,
  type Inner,
  NOTHING,
  runsText,
  combine,
  unjudgeable,
} from './inner.ts';
import { fixedWord, type ShellWord } from './word.ts';

/** Shells that read bash, or a subset of it. */
export const SHELL_NAMES: readonly string[] = ['sh', 'bash', 'rbash', 'dash', 'ash', 'posh', 'yash'];
export const OTHER_SHELLS: readonly string[] = [
  'zsh',
  'ksh',
  'mksh',
  'oksh',
  'lksh',
  'rksh',
  'rzsh',
  'osh',
  'ysh',
  'oil',
  'hush',
  'yash',
];

export function unwrapShell(
  args: readonly ShellWord[],
  name: string,
  shell: 'bash' | 'other',
  around: ScriptAround,
): Inner {
  const { letters, long, rest, files, loose } = readShellOptions(args);
  if (loose !== undefined)
    return unjudgeable(`${name}: its options are known only at run time: ${loose.text}`);
  if (long.some((option) => /^--(?:help|version)$/.test(option))) return NOTHING;
  if (letters.includes('n') && !letters.includes('i')) return NOTHING; // only checks the syntax
  const read = (text: string): Inner => ({ ...NOTHING, texts: [{ text, shell }] });
  const start = files.map((file) => fromFile(file, around, name, read));
  const [first] = rest;
  if (letters.includes('c')) {
    if (first === undefined) return combine(...start);
    const inner = runsText(withArguments(first, rest.slice(1)));
    return combine(...start, { ...inner, texts: inner.texts.map((text) => ({ ...text, shell })) });
  }
  const program =
    first === undefined || letters.includes('s')
      ? fromInput(around.input, name, read)
      : fromFile(first, around, name, read);
  return combine(...start, program);
}

/** `sh -c 'exec "$0" x' rm`: the words after the text are its `$0`, `$1`, … */
function withArguments(text: ShellWord, given: readonly ShellWord[]): ShellWord {
  if (!text.fixed || given.length === 0 || !/\$\{?\d/.test(text.value)) return text;
  const value = text.value.replaceAll(/\$(?:\{(\d)\}|(\d))/g, (whole, braced?: string, plain?: string) => {
    const word = given[Number(braced ?? plain)];
    return word?.fixed === true && /^[\w./~:=@%+-]+$/.test(word.value) ? word.value : whole;
  });
  return fixedWord(value);
}

/** `. file`: the text of the file, if it is known. */
export function unwrapSource(args: readonly ShellWord[], name: string, around: ScriptAround): Inner {
  const file = args.find((arg) => !arg.value.startsWith('-') || arg.value === '-');
  return file === undefined ? NOTHING : fromFile(file, around, name, (text) => runsText(fixedWord(text)));
}

/** The options of a shell: letters, long options, start-up files, and the words behind the options. */
export function readShellOptions<Word extends ShellWord>(args: readonly Word[]) {
  const long: string[] = [];
  const files: Word[] = [];
  let letters = '';
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word === undefined || !/^[-+]./.test(word.lead)) break;
    if (!word.fixed) return { letters, long, files, rest: [] as Word[], loose: word };
    if (word.value === '--') {
      at++;
      break;
    }
    // Bash also accepts its long options with one dash.
    const [, option] = /^--?((?:rc|init-)f[a-z]*)$/.exec(word.value) ?? [];
    if (option !== undefined) {
      const file = args[++at];
      if (file !== undefined) files.push(file);
      continue;
    }
    if (word.value.startsWith('--')) {
      long.push(word.value);
      continue;
    }
    if (word.value.startsWith('-')) letters += word.value.slice(1);
    // Each `o` or `O` in a cluster takes one of the following words.
    at += word.value.match(/[oO]/g)?.length ?? 0;
  }
  return { letters, long, files, rest: args.slice(at), loose: undefined };
}
