/** Objects to commands that change our own program in a project's `node_modules`: edits of all files, patches, other packages. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isFields } from '../events/fields.ts';
import { packageFile } from '../own-files.mjs';
import type { ShellAct } from '../shell/act.ts';
import { passesWordsOn, runsOnFoundFiles } from '../shell/path-uses.ts';
import { isBelow } from './compare-paths.ts';
import { startsOf } from './find.ts';
import { globTest } from './guarded-tree.ts';
import { type Objection, refusal } from './objection.ts';
import {
  changesPrintedFiles,
  copiesOverPackage,
  hasPatchOfPackage,
  isCodeAgainstPackage,
} from './package-writers.ts';
import type { JudgedLine, PathResolver } from './path-resolver.ts';

/** In `node_modules` the whole package and its link are guarded; elsewhere, such as in a checkout, only the build. */
export function packageCode(dist = packageFile('dist')): readonly string[] {
  const root = dirname(dist);
  const modules = dirname(root);
  return modules.endsWith(`${sep}node_modules`) ? [root, join(modules, '.bin', 'anyhook')] : [dist];
}

export function ownPackageObjection(line: JudgedLine): Objection | undefined {
  const { acts } = line.analysis;
  const finder = acts.find((act) => changesFoundFiles(act, line));
  if (finder !== undefined)
    return refusal(`${finder.program} finds files of our own program, and they would be changed`);
  const coder = line.changes.find((act) => isCodeAgainstPackage(act, line));
  if (coder !== undefined) return refusal(`${coder.program} is given code that changes our own program`);
  if (line.changes.some((act) => copiesOverPackage(act, line)))
    return refusal('it would be copied over our own program');
  if (acts.some((act) => isPatch(act) && patchesPackage(act, line)))
    return refusal('the patch changes our own program');
  const install = acts.find((act) => installsOver(act, line) || changesPackages(act, line.resolver));
  return (
    install && refusal(`\`${install.program}\` would put another package in the place of our own program`)
  );
}

/** The act finds files of the package, and it or another act changes the files that are found. */
function changesFoundFiles(act: ShellAct, line: JudgedLine): boolean {
  const { analysis, changes } = line;
  const isPassedOn =
    (changes.length > 0 && analysis.acts.some(passesWordsOn)) || changesPrintedFiles(changes);
  const executes = act.args.some((arg) => /^-(?:exec|execdir|ok|okdir)$/.test(arg));
  return (
    ((isPassedOn || executes) && findsPackage(act, line)) ||
    (isPassedOn && listsPackage(act, line)) ||
    (runsOnFoundFiles(act) && act.words.some(({ value }) => /node_modules/.test(value)))
  );
}

const excludesModules = (args: readonly string[]): boolean =>
  args.some(
    (arg, at) =>
      /node_modules/.test(arg) &&
      /^(?:!|-not|--exclude-dir|--exclude|-path|-name)$|^--exclude/.test(
        arg.startsWith('--exclude') ? arg : (args[at - 1] ?? ''),
      ),
  ) && args.some((arg) => /^(?:!|-not|-prune)$|^--exclude/.test(arg));

/** `find . -name '*.js'`, unless it excludes `node_modules`. */
function findsPackage(
  { program, words, args }: ShellAct,
  { resolver, context: { code } }: JudgedLine,
): boolean {
  if (program !== 'find' || excludesModules(args)) return false;
  const starts = startsOf(words);
  const roots =
    starts.length === 0 ? resolver.placesOf('.') : starts.flatMap((word) => resolver.places(word));
  const below = code.filter((path) => roots.some((root) => isBelow(root, path)));
  if (below.length === 0) return false;
  const names = args.flatMap((arg, at) => (/^-i?name$/.test(arg) ? (args[at + 1] ?? []) : []));
  if (names.length === 0) return true;
  const files = below.flatMap(filesIn);
  return names.some((name) => files.some(globTest(name.toLowerCase())));
}

/** `grep -rl x node_modules` lists files of the package. `rg` searches `node_modules` only if it is named. */
const listsPackage = (
  { program, words, args }: ShellAct,
  { resolver, context: { code } }: JudgedLine,
): boolean =>
  (program === 'rg'
    ? args.some((arg) => /node_modules/.test(arg))
    : /^[ef]?grep$/.test(program) && args.some((arg) => /^-\w*[rR]/.test(arg))) &&
  args.some((arg) => /^-\w*l|^--files-with-matches/.test(arg)) &&
  !excludesModules(args) &&
  words
    .slice(2)
    .some((word) => resolver.places(word).some((root) => code.some((path) => isBelow(root, path))));

const isPatch = ({ program, args }: ShellAct): boolean =>
  program === 'patch' ||
  (program === 'git' && /^(?:apply|am)$/.test(args.find((arg) => !arg.startsWith('-')) ?? ''));

/** Reads the patch, which some word of the line names (`<`, `cat` or an argument), and the paths in its headers. */
function patchesPackage({ args }: ShellAct, line: JudgedLine): boolean {
  const { text, analysis, resolver } = line;
  const { code } = line.context;
  const redirected = [...text.matchAll(/<\s*([^\s<>|;&()]+)/g)].map(([, file]) =>
    file!.replaceAll(/["']/g, ''),
  );
  const named = analysis.acts.flatMap(({ words }) =>
    words.slice(1).flatMap((word) => resolver.spellings(word)),
  );
  const patches = [...redirected, ...named]
    .flatMap((file) => resolver.placesOf(file.replace(/^(?:-i|--input=)/, '')))
    .map(textAt);
  const changed = patches.flatMap((patch) =>
    [
      ...patch.matchAll(
        /^(?:\+\+\+|---|rename to|copy to|Index:|diff --git a\/\S+)\s+(?:[ab]\/)?([^\t\n]+)/gm,
      ),
    ].map((header) => header[1]!.trim()),
  );
  const folders = ['', ...args.flatMap((arg) => /^--directory=(.+)$/.exec(arg)?.[1] ?? [])];
  return changed.some((name) => {
    const parts = name.split('/');
    return parts.some((_, at) =>
      folders.some((folder) =>
        resolver
          .placesOf(join(folder, parts.slice(at).join('/')))
          .some((place) => code.some((path) => isBelow(path, place))),
      ),
    );
  });
}

const MANAGERS = /^(?:npm|pnpm|yarn|bun|cnpm)$/;
const INSTALLS =
  /^(?:i|in|ins|inst|insta|instal|install|ci|add|up|update|upgrade|link|ln|r|rm|remove|un|uninstall|unlink|rebuild|dedupe|exec)$/;
/** Applies only if the package is in the `node_modules` of a folder that the command works in. */
function installsOver({ program, args }: ShellAct, { resolver, context: { code } }: JudgedLine): boolean {
  const isInstalledHere = code.some((path) =>
    resolver.folders.some((folder) => path.startsWith(join(folder, 'node_modules') + sep)),
  );
  const [verb, ...specs] = args.filter((arg) => !arg.startsWith('-'));
  const isInstall = MANAGERS.test(program) && (verb === undefined ? program === 'yarn' : INSTALLS.test(verb));
  if (!isInstalledHere || !isInstall) return false;
  if (specs.some((spec) => /^anyhook(?:@|$)/.test(spec))) return true;
  const local = specs
    .filter((spec) => /^(?:\.{0,2}\/|~|file:|link:)|\.tgz$|\.tar\.gz$/.test(spec))
    .map((spec) => spec.replace(/^(?:[^@]+@)?(?:file|link):/, ''));
  if (local.some((spec) => resolver.placesOf(spec).some(hasOurName))) return true;
  return resolver.folders.some(
    (folder) => replacesOurs(textAt(join(folder, 'package.json'))) || hasPatchOfPackage(folder),
  );
}

/** `npx patch-package`, `npm explore anyhook -- rm -rf dist`. */
const changesPackages = ({ program, args }: ShellAct, { folders }: PathResolver): boolean =>
  args.includes('patch-package') || program === 'patch-package'
    ? folders.some(hasPatchOfPackage)
    : MANAGERS.test(program) && args[0] === 'explore' && args[1] === 'anyhook' && args.length > 2;

/** A tarball or a folder whose package has our name. */
function hasOurName(path: string): boolean {
  const folder = textAt(join(path, 'package.json'));
  if (folder !== '') return /"name"\s*:\s*"anyhook"/.test(folder);
  try {
    return /"name"\s*:\s*"anyhook"/.test(
      gunzipSync(readFileSync(path), { maxOutputLength: 64 * 1024 * 1024 }).toString('latin1'),
    );
  } catch {
    return false; // it is not a tarball
  }
}

/** The manifest takes our name from a folder, a link, an address or another package, or patches it. */
function replacesOurs(text: string): boolean {
  try {
    const manifest: unknown = JSON.parse(text);
    if (!isFields(manifest)) return false;
    const wanted = [
      'dependencies',
      'devDependencies',
      'optionalDependencies',
      'overrides',
      'resolutions',
    ].flatMap((key) => {
      const list = manifest[key];
      return isFields(list) ? [list['anyhook']] : [];
    });
    const { pnpm } = manifest;
    const patched = [
      manifest['patchedDependencies'],
      isFields(pnpm) ? pnpm['patchedDependencies'] : undefined,
    ];
    if (
      patched.some((list) => isFields(list) && Object.keys(list).some((key) => /^anyhook(?:@|$)/.test(key)))
    )
      return true;
    return wanted.some(
      (spec) =>
        typeof spec === 'string' &&
        /^(?:file|link|portal|git\S*|https?|github|npm):|^[\w-]+\/[\w-]+/.test(spec),
    );
  } catch {
    return false;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ name }) =>
      name.toLowerCase(),
    );
  } catch {
    return [];
  }
}
const LONGEST = 8 * 1024 * 1024;
function textAt(path: string): string {
  try {
    const bytes = readFileSync(path);
    return bytes.length > LONGEST ? '' : bytes.toString('utf8');
  } catch {
    return '';
  }
}
