/** From what a person types to the files that it means: a recipe, a file, a folder, a tarball, a package of npm. */
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
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isModule } from '../../dialects/anyhook/packs.ts';
import { MODULE_ENDINGS } from '../../dialects/anyhook/places.ts';
import type { Progress } from '../console/progress.ts';
import { nearOrAll, UsageError } from '../console/usage.ts';
import { installDependencies } from './dependencies.ts';
import { claimedBy, jsonIn, knownPacks } from './known-packs.ts';
import { filesBelow, type Pack } from './pack.ts';
import { RECIPES, recipes } from './recipes.ts';

const run = promisify(execFile);

export interface PackSearch {
  readonly progress: Progress;
  /** Of several dialects that it is written for: this one. */
  readonly as?: string;
}

/** A recipe goes before a file of that name; `./name` is the file. */
export async function findPack(what: string, search: PackSearch): Promise<Pack> {
  const names = recipes().map(({ name }) => name);
  if (names.includes(what)) return packOfFolder(join(RECIPES, what), { name: what, from: what }, search);
  if (existsSync(what)) return onDisk(resolve(what), search);
  if (/^[./~]/.test(what)) throw new UsageError(`add: ${what}: there is no such file or folder`);
  return fromNpm(what, names, search);
}

async function onDisk(path: string, search: PackSearch): Promise<Pack> {
  if (statSync(path).isDirectory())
    return inScratch((folder) => {
      // What was installed there is not what its manifest asks for, and links lead elsewhere.
      const isOwn = (file: string) => !/[\\/](?:node_modules|\.git)$/.test(file);
      cpSync(path, folder, { recursive: true, filter: isOwn });
      return packOfFolder(folder, { name: basename(path), from: path }, search);
    });
  return /\.(?:tgz|tar\.gz)$/.test(path) ? fromTarball(path, path, search) : packOfFile(path, search);
}

/** No script of it runs: it is fetched and unpacked, nothing else. */
async function fromNpm(spec: string, known: readonly string[], search: PackSearch): Promise<Pack> {
  return inScratch(async (folder) => {
    search.progress.say(`Fetching ${spec} from npm`);
    try {
      await run('npm', ['pack', spec, '--ignore-scripts', '--silent', '--pack-destination', folder]);
    } catch (error) {
      const said =
        String((error as { stderr?: unknown }).stderr ?? '')
          .trim()
          .split('\n')[0] ?? '';
      throw new UsageError(
        `add: ${JSON.stringify(spec)} is no recipe (${nearOrAll(spec, known)}), no file, and npm has no such package${said === '' ? '' : `: ${said}`}`,
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
  const about = jsonIn(folder, 'package.json') ?? jsonIn(folder, '.claude-plugin/plugin.json') ?? {};
  await installDependencies(folder, search.progress);
  return {
    ...source,
    ...filesBelow(folder),
    ...chosen,
    ...(typeof about['version'] === 'string' && { version: about['version'] }),
    also: known.flatMap(({ dialect }) => (dialect === chosen.dialect ? [] : [dialect])),
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
      `add: ${file} is no module of hooks (${MODULE_ENDINGS.join(', ')}); of a plugin, name its folder`,
    );
  const bytes = readFileSync(file);
  const text = bytes.toString();
  const [, beside] = /(?:from|import|require\()\s*['"](\.{1,2}\/[^'"]+)['"]/.exec(text) ?? [];
  if (beside !== undefined)
    throw new UsageError(`add: ${file} needs ${beside}, which lies beside it: add its folder`);
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
