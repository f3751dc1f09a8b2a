/**
 * Our own program, where it is installed in a project's `node_modules`: it is changed by whatever goes through all files there, by
 * patches, and by a package manager that puts another package in its place.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ShellWord } from '../shell/word.ts';
import { isFields } from '../events/fields.ts';
import { packageFile } from '../own-files.mjs';
import { feeds, runsOnFound } from './commands.ts';
import { globTest } from './guarded-tree.ts';
import { type Objection, refusal } from './objection.ts';
import { changesWhatIsPrinted, copiesOverUs, hasPatchOfUs, isCodeAgainstUs } from './package-writers.ts';
import type { PathSight, ReadCommand, Terms } from './sight.ts';

/** In `node_modules` the whole package and its link are ours; elsewhere, in a checkout say, only what was built. */
export function packageCode(dist = packageFile('dist')): readonly string[] {
  const root = dirname(dist);
  const modules = dirname(root);
  return modules.endsWith(`${sep}node_modules`) ? [root, join(modules, '.bin', 'anyhook')] : [dist];
}

export function ownPackageObjection(
  text: string,
  read: readonly ReadCommand[],
  acts: readonly ReadCommand[],
  sight: PathSight,
  terms: Terms,
): Objection | undefined {
  const isFed = (acts.length > 0 && read.some(({ said }) => feeds(said))) || changesWhatIsPrinted(acts);
  const finder = read.find(
    (one) =>
      (isFed && (findsCode(one, sight, terms) || looksThrough(one, sight, terms))) ||
      (one.said.args.some((arg) => /^-(?:exec|execdir|ok|okdir)$/.test(arg)) &&
        findsCode(one, sight, terms)) ||
      (runsOnFound(one.said) && one.words.some(({ value }) => /node_modules/.test(value))),
  );
  if (finder !== undefined)
    return refusal(`${finder.said.name} finds files of our own program, and they would be changed`);
  const coder = acts.find((one) => isCodeAgainstUs(one, sight, terms));
  if (coder !== undefined) return refusal(`${coder.said.name} is given code that changes our own program`);
  if (acts.some((one) => copiesOverUs(one, sight, terms)))
    return refusal('it would be copied over our own program');
  // A patch comes from a file that some word of the line names, by `<`, `cat` or an argument.
  const fed = [...text.matchAll(/<\s*([^\s<>|;&()]+)/g)].map(([, file]) => file!.replaceAll(/["']/g, ''));
  const named = read.flatMap(({ words }) => words.slice(1).flatMap((word) => sight.spelled(word)));
  const files = () =>
    [...fed, ...named].flatMap((one) => placesOf(one.replace(/^(?:-i|--input=)/, ''), sight));
  const patch = read.find((one) => isPatch(one) && patchesCode(one, files(), sight, terms));
  if (patch !== undefined) return refusal('the patch changes our own program');
  const install = read.find((one) => installsOver(one, sight, terms) || changesPackages(one, sight));
  return (
    install && refusal(`\`${install.said.name}\` would put another package in the place of our own program`)
  );
}

const isBelow = (folder: string, path: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`);
const placesOf = (value: string, { folders }: PathSight): string[] =>
  folders.map((folder) => resolve(folder, value));
const leavesOut = (args: readonly string[]): boolean =>
  args.some(
    (arg, at) =>
      /node_modules/.test(arg) &&
      /^(?:!|-not|--exclude-dir|--exclude|-path|-name)$|^--exclude/.test(
        arg.startsWith('--exclude') ? arg : (args[at - 1] ?? ''),
      ),
  ) && args.some((arg) => /^(?:!|-not|-prune)$|^--exclude/.test(arg));

/** `find . -name '*.js'`, unless it leaves out `node_modules`. */
function findsCode({ words, said }: ReadCommand, sight: PathSight, { code }: Terms): boolean {
  if (said.name !== 'find' || leavesOut(said.args)) return false;
  const starts = startsOf(words);
  const roots = (starts.length === 0 ? ['.'] : starts.flatMap((word) => sight.spelled(word))).flatMap((one) =>
    placesOf(one, sight),
  );
  const below = code.filter((path) => roots.some((root) => isBelow(root, path)));
  if (below.length === 0) return false;
  const names = said.args.flatMap((arg, at) => (/^-i?name$/.test(arg) ? (said.args[at + 1] ?? []) : []));
  if (names.length === 0) return true;
  const files = below.flatMap(filesIn);
  return names.some((name) => files.some(globTest(name.toLowerCase())));
}
function startsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const args = words.slice(1);
  const first = args.findIndex(({ value }) => /^[-!(]/.test(value));
  return first === -1 ? args : args.slice(0, first);
}

/** `grep -rl x node_modules`, whose names are handed on. `rg` leaves `node_modules` out unless it is named. */
const looksThrough = ({ said, words }: ReadCommand, sight: PathSight, { code }: Terms): boolean =>
  (said.name === 'rg'
    ? said.args.some((arg) => /node_modules/.test(arg))
    : /^[ef]?grep$/.test(said.name) && said.args.some((arg) => /^-\w*[rR]/.test(arg))) &&
  said.args.some((arg) => /^-\w*l|^--files-with-matches/.test(arg)) &&
  !leavesOut(said.args) &&
  words
    .slice(2)
    .some((word) =>
      sight
        .spelled(word)
        .some((one) => placesOf(one, sight).some((root) => code.some((path) => isBelow(root, path)))),
    );

const isPatch = ({ said: { name, args } }: ReadCommand): boolean =>
  name === 'patch' ||
  (name === 'git' && /^(?:apply|am)$/.test(args.find((arg) => !arg.startsWith('-')) ?? ''));

/** A patch is a text: what it is about stands in its heads, below some of the folders that they name. */
function patchesCode(
  { said }: ReadCommand,
  files: readonly string[],
  sight: PathSight,
  { code }: Terms,
): boolean {
  const lead = said.args.flatMap((arg) => /^--directory=(.+)$/.exec(arg)?.[1] ?? []);
  const texts = files.map(textAt);
  const named = texts.flatMap((text) =>
    [
      ...text.matchAll(
        /^(?:\+\+\+|---|rename to|copy to|Index:|diff --git a\/\S+)\s+(?:[ab]\/)?([^\t\n]+)/gm,
      ),
    ].map((head) => head[1]!.trim()),
  );
  return named.some((name) => {
    const parts = name.split('/');
    return parts.some((_, at) =>
      ['', ...lead].some((folder) =>
        placesOf(join(folder, parts.slice(at).join('/')), sight).some((path) =>
          code.some((one) => isBelow(one, path)),
        ),
      ),
    );
  });
}

const MANAGERS = /^(?:npm|pnpm|yarn|bun|cnpm)$/;
const INSTALLS =
  /^(?:i|in|ins|inst|insta|instal|install|ci|add|up|update|upgrade|link|ln|r|rm|remove|un|uninstall|unlink|rebuild|dedupe|exec)$/;
/** Only for a program that lies in the `node_modules` of a folder that the command works in. */
function installsOver({ said }: ReadCommand, sight: PathSight, { code }: Terms): boolean {
  const isHere = code.some((path) =>
    sight.folders.some((folder) => path.startsWith(join(folder, 'node_modules') + sep)),
  );
  const [verb, ...specs] = said.args.filter((arg) => !arg.startsWith('-'));
  if (
    !isHere ||
    !MANAGERS.test(said.name) ||
    !(verb === undefined ? said.name === 'yarn' : INSTALLS.test(verb))
  )
    return false;
  if (specs.some((spec) => /^anyhook(?:@|$)/.test(spec))) return true;
  const local = specs.filter((spec) => /^(?:\.{0,2}\/|~|file:|link:)|\.tgz$|\.tar\.gz$/.test(spec));
  if (
    local.some((spec) => placesOf(spec.replace(/^(?:[^@]+@)?(?:file|link):/, ''), sight).some(isNamedLikeUs))
  )
    return true;
  return sight.folders.some(
    (folder) => asksForAnother(textAt(join(folder, 'package.json'))) || hasPatchOfUs(folder),
  );
}

/** `npx patch-package`, `npm explore anyhook -- rm -rf dist`. */
const changesPackages = ({ said: { name, args } }: ReadCommand, { folders }: PathSight): boolean =>
  args.includes('patch-package') || name === 'patch-package'
    ? folders.some(hasPatchOfUs)
    : MANAGERS.test(name) && args[0] === 'explore' && args[1] === 'anyhook' && args.length > 2;

/** A tarball or a folder whose package has our name. */
function isNamedLikeUs(path: string): boolean {
  const folder = textAt(join(path, 'package.json'));
  if (folder !== '') return /"name"\s*:\s*"anyhook"/.test(folder);
  try {
    return /"name"\s*:\s*"anyhook"/.test(
      gunzipSync(readFileSync(path), { maxOutputLength: 64 * 1024 * 1024 }).toString('latin1'),
    );
  } catch {
    return false; // no tarball
  }
}

/** The manifest wants our name to be a folder, a link, an address or another package. */
function asksForAnother(text: string): boolean {
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
