/**
 * Commands that change our own program without naming it as a path of theirs: code of other languages, what a `find` prints, copies
 * of whole folders, and patches that a package manager applies.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { takesCode } from './commands.ts';
import type { PathSight, ReadCommand, Terms } from './sight.ts';

const isBelow = (folder: string, path: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`);

const TEXTS = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
const WRITES =
  /write|unlink|\brm|remove|rename|truncate|chmod|symlink|copy|append|replace|put_contents|\bsub!?\(|\bsed\b|\bprint\s+\w+\s|open\w*\s*\([^)\n]*["'][rwax+]*[wax+]/i;
const WALKS = /walk|glob|readdir|scandir|listdir|find\b|Dir\[/i;

/** `node -e "fs.writeFileSync('node_modules/anyhook/dist/index.js', '')"`. Code that only reads our program is harmless. */
export function isCodeAgainstUs(
  { words, said, input }: ReadCommand,
  sight: PathSight,
  terms: Terms,
): boolean {
  if (!takesCode(said)) return false;
  const texts = [
    ...words.slice(1).map(({ value }) => value),
    ...(input?.kind === 'text' ? [input.text] : []),
  ];
  return texts.some((text) => WRITES.test(text) && namesCode(text, sight, terms));
}
function namesCode(text: string, { folders }: PathSight, { code }: Terms): boolean {
  return [...text.matchAll(TEXTS)].some(([, , literal = '']) => {
    const at = literal.search(/[*?[{]/);
    const lead = at === -1 ? literal : literal.slice(0, literal.lastIndexOf('/', at) + 1);
    const goesBelow = at !== -1 || WALKS.test(text);
    return folders.some((folder) => {
      const path = resolve(folder, lead);
      const isAbove = goesBelow && literal.includes('node_modules') && code.some((one) => isBelow(path, one));
      return isAbove || (lead !== '' && code.some((one) => isBelow(one, path)));
    });
  });
}

const CHANGERS =
  /^(?:g?sed|perl|ruby|g?awk|mv|cp|tee|truncate|chmod|chown|dd|patch|ed|ex|vim?|install|ln|sponge)$/;
/** `sed -i s/a/b/ $(find node_modules -name '*.js')`: what is printed is changed. */
export const changesWhatIsPrinted = (acts: readonly ReadCommand[]): boolean =>
  acts.some(
    ({ said, words }) => CHANGERS.test(said.name) && words.slice(1).some(({ value }) => /\$\(|`/.test(value)),
  );

const COPIERS = /^(?:cp|rsync|ditto|mv)$/;
/** `cp -r evil/* node_modules/`, where `evil/anyhook` is a folder. */
export function copiesOverUs({ said, words }: ReadCommand, sight: PathSight, { code }: Terms): boolean {
  if (!COPIERS.test(said.name)) return false;
  const operands = words.slice(1).filter(({ value }) => !value.startsWith('-'));
  const [target, ...sources] = operands
    .toReversed()
    .map((word) =>
      sight
        .spelled(word)
        .flatMap((one) =>
          sight.folders.map((folder) => `${resolve(folder, one)}${/(?<=[^/])\/\.?$/.exec(one)?.[0] ?? ''}`),
        ),
    );
  return (target ?? []).some((into) =>
    code
      .filter((path) => isBelow(into, path))
      .some((path) =>
        sources.flat().some((source) => bringsOurs(source, relative(into, path), said.name === 'rsync')),
      ),
  );
}
/** Whether what is copied from `source` holds something under the name of our package. */
function bringsOurs(source: string, ours: string, takesContents: boolean): boolean {
  const isContents = /\/(?:\.|\*)$/.test(source) || (takesContents && source.endsWith('/'));
  const folder = isContents ? source.replace(/\/(?:\.|\*)?$/, '') : dirname(source);
  const isTaken = isContents || basename(source) === ours.split('/')[0];
  return isTaken && existsSync(join(folder, ours));
}

/** `patches/anyhook+1.0.0.patch`, which `patch-package` applies, also after an install. */
export const hasPatchOfUs = (folder: string): boolean =>
  ['patches', '.yarn/patches'].some((name) =>
    namesIn(join(folder, name)).some((file) => /^anyhook[+@-].*\.patch$/.test(file)),
  );

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is none
  }
}
