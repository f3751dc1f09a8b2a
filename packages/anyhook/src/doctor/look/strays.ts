/** Finds files that look like hooks but are not loaded, and explains why. Runs nothing. */

import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { MODULE_ENDINGS, modulePlaces } from '../../agents/anyhook/dialect/places.ts';
import { DIALECTS } from '../../dialects.ts';
import type { Locations, IgnoredPlaces } from '../../events/dialect.ts';
import { type Hook, inOwnPaths } from '../../events/hook.ts';
import { hasWindowsShebang, windowsShebang } from '../../runners/command/shebang.mjs';
import { fillDefaults } from './fill-defaults.ts';

export interface Stray {
  readonly file: string;
  readonly why: string;
}

const CODE = /\.(?:[cm]?[jt]sx?|py|rb|sh|bash|zsh|fish|pl)$/;
/** Files beside a hook that are not hooks. */
const BESIDE = /\.(?:test|spec|cases|d)\.[cm]?[jt]sx?$/;

const UNREAD: readonly IgnoredPlaces[] = DIALECTS.flatMap(({ config }) => config.unread ?? []);
/** The project folder at the start of a word, as agents and shells name it. */
const PROJECT = new RegExp(
  `^\\$\\{?(?:${[...DIALECTS.flatMap(({ projectVariable }) => projectVariable ?? []), 'PWD'].join('|')})\\}?(?=/)`,
);

export function straysIn(locations: Locations, hooks: readonly Hook[]): Stray[] {
  const named = namedBy(hooks, locations);
  return [
    ...modulePlaces(locations).flatMap(({ folder }) => [
      ...inModules(folder, named),
      ...besideSettings(dirname(folder), named),
    ]),
    ...wrongPlaces(locations),
    ...UNREAD.flatMap(({ elsewhere }) => elsewhere?.(locations) ?? []),
    ...scriptFolders(locations).flatMap((folder) => unnamed(folder, named)),
    ...hooks.flatMap((hook) => unstartable(hook, locations)),
  ];
}

function inModules(folder: string, named: ReadonlySet<string>): Stray[] {
  return filesIn(folder).flatMap((file) => {
    if (basename(file) === 'hooks.json')
      return [{ file, why: `settings are read from ${join(dirname(folder), 'hooks.json')}, one folder up` }];
    if (!CODE.test(file) || BESIDE.test(file) || named.has(file)) return [];
    if (MODULE_ENDINGS.some((ending) => file.endsWith(ending))) return [];
    return [
      {
        file,
        why: `only ${MODULE_ENDINGS.join(', ')} are loaded as modules, not ${extname(file)}; a script is named in hooks.json`,
      },
    ];
  });
}

const besideSettings = (folder: string, named: ReadonlySet<string>): Stray[] =>
  filesIn(folder)
    .filter((file) => CODE.test(file) && !BESIDE.test(file) && !named.has(file))
    .map((file) => ({
      file,
      why: `modules are loaded from ${join(folder, 'hooks')}; nothing names this one`,
    }));

/** Places where people put settings that no agent reads. */
function wrongPlaces({ home, cwd }: Locations): Stray[] {
  const ours = 'our settings are .anyhook/hooks.json in a project and ~/.config/anyhook/hooks.json for you';
  const places: readonly (readonly [string, string])[] = [
    [join(cwd, 'hooks.json'), ours],
    [join(cwd, '.anyhook.json'), ours],
    [join(cwd, 'anyhook.json'), ours],
    [join(cwd, '.anyhook', 'settings.json'), ours],
    [join(home, '.anyhook', 'hooks.json'), ours],
    [join(home, '.anyhook.json'), ours],
    ...UNREAD.flatMap(({ settings }) =>
      settings.flatMap(({ file, from, why }) =>
        from.map((base) => [join(base === 'home' ? home : cwd, file), why] as const),
      ),
    ),
  ];
  return places
    .filter(([file]) => isFile(file))
    .map(([file, why]) => ({ file, why: `it is not read here: ${why}` }));
}

/** Agents run no script only because it is in a folder. An entry must name it. */
const scriptFolders = ({ home, cwd }: Locations): string[] =>
  [cwd, home].flatMap((base) =>
    [...UNREAD.flatMap(({ scripts }) => scripts), '.anyhook/hook'].map((folder) => join(base, folder)),
  );

const unnamed = (folder: string, named: ReadonlySet<string>): Stray[] =>
  filesIn(folder)
    .filter((file) => CODE.test(file) && !BESIDE.test(file) && !named.has(file))
    .map((file) => ({ file, why: 'no settings file names it, so it does not run' }));

/** A script that is started by its path must be executable, and its first line must name an existing interpreter. */
function unstartable(hook: Hook, locations: Locations): Stray[] {
  const { run } = hook;
  if (run.kind !== 'command') return [];
  const [word] = wordsIn(run);
  if (word === undefined || !word.includes('/')) return [];
  const file = resolve(run.cwd ?? locations.cwd, expanded(word, locations));
  if (!isFile(file)) return [];
  const own = inOwnPaths(file, hook);
  if (hasWindowsShebang(file)) return [{ file: own, why: `it cannot start: ${windowsShebang(own)}` }];
  return isExecutable(file)
    ? []
    : [{ file: own, why: `it is not executable, so it cannot start: chmod +x ${word}` }];
}

function namedBy(hooks: readonly Hook[], locations: Locations): Set<string> {
  return new Set(
    hooks
      .flatMap(({ run, origin }) => [
        origin.file,
        ...(run.kind === 'command'
          ? wordsIn(run).map((word) => resolve(run.cwd ?? locations.cwd, expanded(word, locations)))
          : []),
      ])
      .concat(
        hooks.flatMap(({ label = '', copy }) =>
          `${label} ${copy?.what ?? ''}`
            .split(/\s+/)
            .map((word) => resolve(locations.cwd, expanded(word, locations))),
        ),
      ),
  );
}

const wordsIn = (run: Extract<Hook['run'], { kind: 'command' }>): readonly string[] =>
  'argv' in run.run ? run.run.argv : (run.run.line.match(/(?:"[^"]*"|'[^']*'|[^\s"';|&()<>])+/g) ?? []);

const expanded = (word: string, { home, cwd, env }: Locations): string =>
  fillDefaults(word, env)
    .replaceAll(/["']/g, '')
    .replace(/^(?:~|\$\{?HOME\}?)(?=\/)/, home)
    .replace(PROJECT, cwd);

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(folder, entry.name))
      .toSorted();
  } catch {
    return [];
  }
}
export const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
