/** From what a person types to the files that it means: a recipe, a file, a folder, a tarball, a package of npm. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { nearOrAll, UsageError } from '../console/usage.ts';
import { type Pack, packOfFile, packOfFolder } from './pack.ts';
import { RECIPES, recipes } from './recipes.ts';

/** A recipe goes before a file of that name; `./name` is the file. */
export function findPack(what: string): Pack {
  const names = recipes().map(({ name }) => name);
  if (names.includes(what)) return packOfFolder(join(RECIPES, what), what, what);
  if (existsSync(what)) return onDisk(resolve(what));
  if (/^[./~]/.test(what)) throw new UsageError(`add: ${what}: there is no such file or folder`);
  return fromNpm(what, names);
}

function onDisk(path: string): Pack {
  if (statSync(path).isDirectory()) return packOfFolder(path, basename(path), path);
  return /\.(?:tgz|tar\.gz)$/.test(path) ? fromTarball(path, path) : packOfFile(path, path);
}

/** No script of it runs: it is fetched and unpacked, nothing else. */
function fromNpm(spec: string, known: readonly string[]): Pack {
  return inScratch((folder) => {
    try {
      execFileSync('npm', ['pack', spec, '--ignore-scripts', '--silent', '--pack-destination', folder], {
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      });
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
    return fromTarball(join(folder, tarball), spec);
  });
}

function fromTarball(file: string, from: string): Pack {
  return inScratch((folder) => {
    try {
      execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1', '--no-same-owner'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (error) {
      throw new UsageError(`add: ${from} cannot be unpacked: ${(error as Error).message.split('\n')[0]}`);
    }
    const name = basename(from)
      .replace(/\.(?:tgz|tar\.gz)$/, '')
      .replace(/(.)@.*$/, '$1');
    return packOfFolder(folder, name, from);
  });
}

function inScratch<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-add-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
