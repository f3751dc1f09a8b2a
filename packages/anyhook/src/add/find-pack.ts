/** Finds the files that the user's argument means: a recipe, a file, a folder, a tarball, an npm package. */

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isModule } from '../agents/anyhook/dialect/packs.ts';
import { MODULE_ENDINGS } from '../agents/anyhook/dialect/places.ts';
import type { Progress } from '../console/progress.ts';
import { nearOrAll, UsageError } from '../console/usage.ts';
import { DIALECTS } from '../dialects.ts';
import { isFields } from '../events/fields.ts';
import { claimedBy, jsonIn, knownPacks } from './known-packs.ts';
import { filesThatRun } from './named-files.ts';
import { filesBelow, type Pack, type PackFiles } from './pack.ts';
import { RECIPES, recipes } from './recipes.ts';

const run = promisify(execFile);

export interface PackSearch {
  readonly progress: Progress;
  /** Selects one of several dialects of the pack. */
  readonly as?: string;
}

/** A recipe wins over a file of the same name; `./name` is the file. */
export async function findPack(what: string, search: PackSearch): Promise<Pack> {
  const names = recipes().map(({ name }) => name);
  if (names.includes(what)) return packOfFolder(join(RECIPES, what), { name: what, from: what }, search);
  if (existsSync(what)) return onDisk(resolve(what), search);
  if (isGitAddress(what)) return fromGit(what, search);
  if (/^[./~]/.test(what)) throw new UsageError(`add: ${what}: no such file or folder`);
  return fromNpm(what, names, search);
}

/** Folders in which agents keep project settings beside their own files. */
const SETTINGS_FOLDER = /^\.(?:claude|codex|cursor|gemini|github|qwen)$/;
const MAX_SETTINGS_BYTES = 1024 * 1024;

async function onDisk(path: string, search: PackSearch): Promise<Pack> {
  const [name, parent] = [basename(path), dirname(path)];
  // Such a folder, or a file in it, means the project around it, of which nothing else is used.
  if (SETTINGS_FOLDER.test(name) && statSync(path).isDirectory()) return ofSettings(path, search);
  if (name.endsWith('.json') && SETTINGS_FOLDER.test(basename(parent)))
    return ofSettings(parent, search, name);
  if (statSync(path).isDirectory())
    return inScratch((folder) => {
      // Installed packages may differ from the manifest, and links lead elsewhere.
      const isOwn = (file: string) => !/[\\/](?:node_modules|\.git)$/.test(file);
      cpSync(path, folder, { recursive: true, filter: isOwn });
      return packOfFolder(folder, { name: basename(path), from: path }, search);
    });
  if (name.endsWith('.json')) return packOfSettingsFile(path, search);
  return /\.(?:tgz|tar\.gz)$/.test(path) ? fromTarball(path, path, search) : packOfFile(path, search);
}

/** `only` selects one of several settings files. Sessions, caches and other large files are skipped. */
function ofSettings(path: string, search: PackSearch, only?: string): Promise<Pack> {
  const name = basename(path);
  return inScratch((folder) => {
    const isWanted = (file: string): boolean => {
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats === undefined || stats.size > MAX_SETTINGS_BYTES) return false;
      if (/[\\/](?:node_modules|\.git|sessions|projects|plugins|extensions|cache|log|logs|tmp)$/.test(file))
        return false;
      return (
        only === undefined || dirname(file) !== path || !file.endsWith('.json') || basename(file) === only
      );
    };
    cpSync(path, join(folder, name), { recursive: true, filter: isWanted });
    const from = only === undefined ? path : join(path, only);
    return packOfFolder(folder, { name: `${basename(dirname(path))}-${name.slice(1)}`, from }, search);
  });
}

const isGitAddress = (what: string): boolean =>
  /^(?:git\+|git:|ssh:\/\/|git@|github:|gitlab:|bitbucket:|file:)/.test(what) ||
  /^https?:\/\/\S+\.git(?:#|$)/.test(what) ||
  /^https?:\/\/(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)\/[^/]+\/[^/#]+\/?(?:#|$)/.test(
    what,
  );

const FORGES: Readonly<Record<string, string>> = {
  github: 'https://github.com/',
  gitlab: 'https://gitlab.com/',
  bitbucket: 'https://bitbucket.org/',
};

/** The newest commit, or that of the branch or tag after `#`. Runs nothing of it and asks for no password. */
async function fromGit(what: string, search: PackSearch): Promise<Pack> {
  const [address = '', reference] = what.split('#');
  const url = address
    .replace(/^(github|gitlab|bitbucket):/, (_, forge: string) => FORGES[forge]!)
    .replace(/^git\+/, '');
  return inScratch(async (folder) => {
    search.progress.say(`Cloning ${url}`);
    const branch = reference === undefined || reference === '' ? [] : ['--branch', reference];
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' };
    try {
      const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
      await run('git', [...quiet, 'clone', '--quiet', '--depth', '1', ...branch, '--', url, folder], { env });
    } catch (error) {
      const [line = ''] = String((error as { stderr?: unknown }).stderr ?? (error as Error).message)
        .trim()
        .split('\n');
      throw new UsageError(`add: ${what} cannot be cloned: ${line}`);
    }
    const name = basename(url.replace(/\/$/, ''), '.git');
    return await packOfFolder(folder, { name, from: what }, search);
  });
}

/** Downloads and unpacks the package without running its scripts. */
async function fromNpm(spec: string, known: readonly string[], search: PackSearch): Promise<Pack> {
  return inScratch(async (folder) => {
    search.progress.say(`Fetching ${spec} from npm`);
    try {
      await run('npm', ['pack', spec, '--ignore-scripts', '--silent', '--pack-destination', folder]);
    } catch (error) {
      const errorLine =
        String((error as { stderr?: unknown }).stderr ?? '')
          .trim()
          .split('\n')[0] ?? '';
      throw new UsageError(
        `add: ${JSON.stringify(spec)} is not a recipe (${nearOrAll(spec, known)}) or a file, and npm has no such package${errorLine === '' ? '' : `: ${errorLine}`}`,
      );
    }
    const [tarball = ''] = readdirSync(folder);
    return await fromTarball(join(folder, tarball), spec, search);
  });
}

async function fromTarball(file: string, from: string, search: PackSearch): Promise<Pack> {
  return inScratch(async (folder) => {
    search.progress.say(`Unpacking ${from}`);
    try {
      await run('tar', ['-xzf', file, '-C', folder, '--strip-components=1', '--no-same-owner']);
    } catch (error) {
      throw new UsageError(`add: ${from} cannot be unpacked: ${(error as Error).message.split('\n')[0]}`);
    }
    const name = basename(from)
      .replace(/\.(?:tgz|tar\.gz)$/, '')
      .replace(/(.)@.*$/, '$1');
    return await packOfFolder(folder, { name, from }, search);
  });
}

type PackSource = Pick<Pack, 'name' | 'from'>;

async function packOfFolder(folder: string, source: PackSource, search: PackSearch): Promise<Pack> {
  const own = filesBelow(folder, (path) => !path.includes('node_modules/'));
  const known = knownPacks(folder, [...own.files.keys()]);
  const { as } = search;
  const chosen = as === undefined ? known[0] : known.find(({ dialect }) => dialect === as);
  if (chosen === undefined) throw new UsageError(`add: ${source.from} ${nothingIn(known, as)}`);
  const about = MANIFESTS.map((path) => jsonIn(folder, path)).find((json) => json !== undefined) ?? {};
  const { isProject, ...pack } = chosen;
  if (isProject !== true) await installDependencies(folder, search.progress);
  const all = isProject === true ? onlyNamed(own, pack.modules) : filesBelow(folder);
  return {
    ...source,
    ...all,
    ...pack,
    ...(typeof about['version'] === 'string' && { version: about['version'] }),
    also: known.flatMap(({ dialect }) => (dialect === chosen.dialect ? [] : [dialect])),
  };
}

const MANIFESTS = [
  'package.json',
  '.claude-plugin/plugin.json',
  '.codex-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  'gemini-extension.json',
];

/** Of a project, its settings and the scripts that they name. */
function onlyNamed({ files, executable }: PackFiles, settings: readonly string[]): PackFiles {
  const paths = filesThatRun(files, settings);
  return {
    files: new Map(paths.map((path) => [path, files.get(path)!])),
    executable: new Set(paths.filter((path) => executable.has(path))),
  };
}

/** A single settings file, in the dialect that knows all of its events. Scripts with absolute paths stay where they are. */
function packOfSettingsFile(file: string, { as }: PackSearch): Pack {
  const bytes = readFileSync(file);
  const name = basename(file);
  const place = { layer: 'user', file } as const;
  const fitting = DIALECTS.filter(({ config, packs }) => {
    if (packs === undefined || config.packPlace === undefined) return false;
    const { hooks, problems } = config.read(bytes.toString(), place);
    return hooks.length > 0 && !problems.some(({ code }) => code === 'unknown-event' || code === 'syntax');
  }).map((dialect) => dialect.name);
  const dialect = as ?? fitting[0];
  if (dialect === undefined || !fitting.includes(dialect))
    throw new UsageError(
      `add: ${file} holds no hooks ${as === undefined ? 'of a dialect that is read here' : `of ${as}`}`,
    );
  return {
    name: basename(file, '.json'),
    from: file,
    files: new Map([[name, bytes]]),
    executable: new Set(),
    dialect,
    also: fitting.filter((other) => other !== dialect),
    entries: [{ path: '.', dialect, settings: name }],
    modules: [name],
  };
}

const nothingIn = (known: readonly { dialect: string }[], as: string | undefined): string =>
  as === undefined || known.length === 0
    ? 'holds no hooks: no module that calls defineHook, and nothing by which another agent’s plugins are known'
    : `holds nothing of ${as}; it is written for ${known.map(({ dialect }) => dialect).join(' and ')}`;

async function packOfFile(file: string, { as }: PackSearch): Promise<Pack> {
  const name = basename(file);
  if (!isModule(name))
    throw new UsageError(
      `add: ${file} is not a hook module (${MODULE_ENDINGS.join(', ')}); of a plugin, name its folder`,
    );
  const bytes = readFileSync(file);
  const text = bytes.toString();
  const [, beside] = /(?:from|import|require\()\s*['"](\.{1,2}\/[^'"]+)['"]/.exec(text) ?? [];
  if (beside !== undefined)
    throw new UsageError(`add: ${file} needs ${beside}, which is beside it: add its folder`);
  const dialect = as ?? claimedBy(text);
  return {
    name: basename(file, extname(file)),
    from: file,
    files: new Map([[name, bytes]]),
    executable: new Set(),
    dialect,
    also: [],
    entries: [dialect === 'anyhook' ? name : { path: name, dialect }],
    modules: [name],
  };
}

async function inScratch<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-add-'));
  try {
    mkdirSync(join(folder, 'files'));
    return await work(join(folder, 'files'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ARGS = ['--ignore-scripts', '--omit=peer', '--no-audit', '--no-fund', '--no-package-lock', '--silent'];

/**
 * Installs the dependencies of a pack and pins them with it, because installing later from a registry could give different
 * code. Runtime dependencies only: development dependencies may exist only in the pack's own workspace, and we provide peers
 * (the agent). Runs no install scripts.
 */
async function installDependencies(folder: string, progress: Progress): Promise<void> {
  const about = jsonIn(folder, 'package.json') ?? {};
  const { anyhook: _, ...dependencies } = isFields(about['dependencies']) ? about['dependencies'] : {};
  const names = Object.keys(dependencies);
  if (names.every((name) => existsSync(join(folder, 'node_modules', name)))) return;
  progress.say(`Installing what it needs: ${names.join(', ')}`);
  const apart = mkdtempSync(join(dirname(folder), 'needs-'));
  try {
    const optionalDependencies = about['optionalDependencies'];
    writeFileSync(
      join(apart, 'package.json'),
      JSON.stringify({ private: true, dependencies, optionalDependencies }),
    );
    await run('npm', ['install', ...ARGS], { cwd: apart });
    // Bundled packages take precedence.
    cpSync(join(apart, 'node_modules'), join(folder, 'node_modules'), { recursive: true, force: false });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const firstLine = (stderr.trim() || message).split('\n').find((line) => line.trim() !== '');
    throw new UsageError(
      `add: it needs ${names.join(', ')}, and npm could not install them: ${firstLine ?? ''}`,
    );
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}
