/** Programs that run code from a file that an option names: make, awk, sed, jq, just. */

import { readOptions } from '../options.ts';
import type { ReadLanguage } from '../references/language.ts';
import { CHDIR, type CommandRoles, fromOf, type PlacedWord } from './word-role.ts';

/** The options that name code, and the folders in which a program searches for more. */
const BY_FILE: Readonly<
  Record<string, { short: string; long: string; files: string[]; folders?: string[]; language: ReadLanguage }>
> = {
  make: {
    short: 'f:C:I:j::o:W:E:Bbdeik lmnpqrRsStvwx',
    long: 'file: makefile: directory: include-dir: eval:',
    files: ['-f', '--file', '--makefile'],
    folders: ['-I', '--include-dir'],
    language: 'make',
  },
  awk: {
    short: 'F:v:f:i:e:E:l:',
    long: 'file: include: exec: load: field-separator: assign: source:',
    files: ['-f', '--file', '-i', '--include', '-E', '--exec', '-l', '--load'],
    language: 'awk',
  },
  sed: {
    short: 'nEre:f:i::sulz',
    long: 'file: expression: in-place:: quiet silent',
    files: ['-f', '--file'],
    language: 'sed',
  },
  jq: {
    short: 'f:L:rceMCnRsSaj',
    long: 'from-file: library-path: arg: argjson:',
    files: ['-f', '--from-file'],
    folders: ['-L', '--library-path'],
    language: 'jq',
  },
  just: {
    short: 'f:d:',
    long: 'justfile: working-directory:',
    files: ['-f', '--justfile'],
    language: 'make',
  },
};
const SAME_FILE: Readonly<Record<string, string>> = {
  gmake: 'make',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gsed: 'sed',
};

export function assignByFile(base: string, args: readonly PlacedWord[], found: CommandRoles): void {
  const row = BY_FILE[SAME_FILE[base] ?? base];
  if (row === undefined) return;
  let [rest, isGiven] = [args, false];
  // Options may follow operands.
  while (rest.length > 0) {
    const read = readOptions(rest, row);
    for (const { name, value: word } of read.found) {
      if (word === undefined) continue;
      const from = fromOf(word);
      if (row.files.includes(name)) {
        if (word.value === '-') found.readsInput = row.language;
        else if (/^-[il]$|^--(?:include|load)$/.test(name))
          found.doubts.push(`${base} ${name} ${word.value} is looked for in several places`);
        else found.roles[word.index] = { as: 'run', language: row.language, from };
      } else if (row.folders?.includes(name)) found.roles[word.index] = { as: 'folders', from };
      else if (CHDIR.has(name)) found.moved = { word: word.index, from: word.index + 1, skip: from };
    }
    isGiven ||= read.found.some(
      ({ name }) => row.files.includes(name) || /^(?:-e|--expression|--source)$/.test(name),
    );
    const [operand, ...more] = read.rest;
    // The first operand is the code, unless an option names it.
    if (operand !== undefined && !isGiven && row.language !== 'make') {
      isGiven = true;
      if (!operand.fixed) found.doubts.push(`the program of ${base} is only known when it runs`);
    }
    rest = more;
  }
}
