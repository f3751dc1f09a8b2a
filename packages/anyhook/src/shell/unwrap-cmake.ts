/** `cmake -E` runs a few portable commands; `cmake -P` runs a script. */

import { codeIn } from './code-in.ts';
import { type ScriptAround, fromFile, type Inner, NOTHING, runs, combine } from './inner.ts';
import { fixedWord, type ShellWord } from './word.ts';

const WORDS: Readonly<Record<string, { readonly as?: readonly string[]; readonly skip?: number }>> = {
  rm: { as: ['rm'] },
  remove: { as: ['rm'] },
  remove_directory: { as: ['rm', '-rf'] },
  env: { as: ['env'] },
  time: {},
  chdir: { skip: 1 },
};

export function unwrapCmake(args: readonly ShellWord[], name: string, around: ScriptAround): Inner {
  const at = args.findIndex(({ value }) => value === '-E' || value === '-P');
  const [sub, ...rest] = args.slice(at + 1);
  if (at === -1 || sub === undefined) return NOTHING;
  if (args[at]?.value === '-P')
    return fromFile(sub, around, name, (text) =>
      combine(
        codeIn(text, 'other', name),
        ...[...text.matchAll(/\bCOMMAND\s+([^)]*)/g)].map(([, words = '']) =>
          runs((words.match(/"[^"]*"|[^\s"]+/g) ?? []).map((word) => fixedWord(word.replaceAll('"', '')))),
        ),
      ),
    );
  const row = Object.hasOwn(WORDS, sub.value) ? WORDS[sub.value] : undefined;
  return row === undefined ? NOTHING : runs([...(row.as ?? []).map(fixedWord), ...rest.slice(row.skip ?? 0)]);
}
