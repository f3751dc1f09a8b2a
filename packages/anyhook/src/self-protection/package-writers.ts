/** Acts that change our own program in `node_modules` without naming its files: code, printed paths, copies of folders, patches. */

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { ShellAct } from '../shell/act.ts';
import { takesCode } from '../shell/path-uses.ts';
import { isBelow } from './compare-paths.ts';
import type { JudgedLine } from './path-resolver.ts';

const LITERALS = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
const WRITES =
  /write|unlink|\brm|remove|rename|truncate|chmod|symlink|copy|append|replace|put_contents|\bsub!?\(|\bsed\b|\bprint\s+\w+\s|open\w*\s*\([^)\n]*["'][rwax+]*[wax+]/i;
const WALKS = /walk|glob|readdir|scandir|listdir|find\b|Dir\[/i;

/** `node -e "fs.writeFileSync('node_modules/anyhook/dist/index.js', '')"`. Code that only reads our program is harmless. */
export function isCodeAgainstPackage(act: ShellAct, line: JudgedLine): boolean {
  if (!takesCode(act)) return false;
  const texts = [...act.args, ...(act.input?.kind === 'text' ? [act.input.text] : [])];
  return texts.some((text) => WRITES.test(text) && namesPackage(text, line));
}

function namesPackage(text: string, { resolver, context: { code } }: JudgedLine): boolean {
  return [...text.matchAll(LITERALS)].some(([, , literal = '']) => {
    const at = literal.search(/[*?[{]/);
    const lead = at === -1 ? literal : literal.slice(0, literal.lastIndexOf('/', at) + 1);
    const goesBelow = at !== -1 || WALKS.test(text);
    return resolver.placesOf(lead).some((place) => {
      const isAbove =
        goesBelow && literal.includes('node_modules') && code.some((path) => isBelow(place, path));
      return isAbove || (lead !== '' && code.some((path) => isBelow(path, place)));
    });
  });
}

const CHANGERS =
  /^(?:g?sed|perl|ruby|g?awk|mv|cp|tee|truncate|chmod|chown|dd|patch|ed|ex|vim?|install|ln|sponge)$/;
/** `sed -i s/a/b/ $(find node_modules -name '*.js')`: changes the files that a substitution prints. */
export const changesPrintedFiles = (changes: readonly ShellAct[]): boolean =>
  changes.some(({ program, args }) => CHANGERS.test(program) && args.some((arg) => /\$\(|`/.test(arg)));

/** `cp -r evil/* node_modules/`, where `evil/anyhook` is a folder. */
export function copiesOverPackage(
  { program, words }: ShellAct,
  { resolver, context: { code } }: JudgedLine,
): boolean {
  if (!/^(?:cp|rsync|ditto|mv)$/.test(program)) return false;
  const operands = words.slice(1).filter(({ value }) => !value.startsWith('-'));
  const [target, ...sources] = operands
    .toReversed()
    .map((word) =>
      resolver
        .spellings(word)
        .flatMap((path) =>
          resolver.folders.map(
            (folder) => `${resolve(folder, path)}${/(?<=[^/])\/\.?$/.exec(path)?.[0] ?? ''}`,
          ),
        ),
    );
  return (target ?? []).some((into) =>
    code
      .filter((path) => isBelow(into, path))
      .some((path) =>
        sources.flat().some((source) => containsOurs(source, relative(into, path), program === 'rsync')),
      ),
  );
}
/** Whether the files copied from `source` contain our package. */
function containsOurs(source: string, ours: string, takesContents: boolean): boolean {
  const isContents = /\/(?:\.|\*)$/.test(source) || (takesContents && source.endsWith('/'));
  const folder = isContents ? source.replace(/\/(?:\.|\*)?$/, '') : dirname(source);
  const isTaken = isContents || basename(source) === ours.split('/')[0];
  return isTaken && existsSync(join(folder, ours));
}

/** `patches/anyhook+1.0.0.patch`, which `patch-package` applies, also after an install. */
export const hasPatchOfPackage = (folder: string): boolean =>
  ['patches', '.yarn/patches'].some((name) =>
    namesIn(join(folder, name)).some((file) => /^anyhook[+@-].*\.patch$/.test(file)),
  );

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no such folder
  }
}
