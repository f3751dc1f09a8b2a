/** Shows the content of a pack before the user approves it. For an installed pack, only the differences. */

import { existsSync } from 'node:fs';
import type { Paint } from '../render/paint.ts';
import { safe } from '../render/safe.ts';
import { diffOf } from '../settings/trust/diff.ts';
import { filesThatRun } from './named-files.ts';
import { dependenciesIn, filesBelow, type Pack, type PackFiles } from './pack.ts';

/** Lines per file. The rest is named with its location. */
const LONGEST = 200;
const NOTHING: PackFiles = { files: new Map(), executable: new Set() };

export function broughtIn(pack: Pack, folder: string, paint: Paint): string[] {
  const before = existsSync(folder) ? filesBelow(folder) : undefined;
  const own = before === undefined ? allFiles(pack, paint) : changedFiles(before, pack, paint);
  return [...own, ...neededPackages(before ?? NOTHING, pack, paint)];
}

const isOwn = (path: string): boolean => !/(?:^|\/)node_modules\//.test(path);
const title = (path: string, { modules }: Pack, paint: Paint, runs: readonly string[] = []): string =>
  paint(
    'cyan',
    `── ${safe(path)}${modules.includes(path) ? ', hooks' : runs.includes(path) ? ', runs' : ''}`,
  );

/** Above this size, only what would run is shown, and other files are named. */
const READABLE = 40_000;

/** What runs comes last, hooks at the very end, so that they are visible when the question appears. */
function allFiles(pack: Pack, paint: Paint): string[] {
  const own = [...pack.files].filter(([path]) => isOwn(path));
  const isLarge = own.reduce((sum, [, { length }]) => sum + length, 0) > READABLE;
  const runs = filesThatRun(pack.files, pack.modules);
  const [hooks, others] = [true, false].map((wanted) =>
    own
      .filter(([path]) => runs.includes(path) === wanted)
      .toSorted(([a], [b]) => runs.indexOf(b) - runs.indexOf(a) || (a < b ? -1 : 1)),
  ) as [typeof own, typeof own];
  const whole = ([path, bytes]: (typeof own)[number]) => [
    title(path, pack, paint, runs),
    ...shown(path, bytes),
    '',
  ];
  return [...(isLarge ? [...named(others), ''] : others.flatMap(whole)), ...hooks.flatMap(whole)];
}

function named(files: readonly (readonly [string, Buffer])[]): string[] {
  const most = 60;
  const lines = files
    .slice(0, most)
    .map(([path, { length }]) => `${String(length).padStart(9)}  ${safe(path)}`);
  return files.length > most ? [...lines, `  … and ${files.length - most} files more`] : lines;
}

/** Documentation, which no hook runs. */
const IS_PROSE = /(?:\.(?:md|map)|(?:^|\/)licen[cs]e(?:\.\w+)?)$/i;

function shown(path: string, bytes: Buffer): string[] {
  if (IS_PROSE.test(path)) return [`(${bytes.length} bytes)`];
  if (bytes.includes(0)) return [`(${bytes.length} bytes, no text)`];
  const lines = safe(bytes.toString().replace(/\n$/, '')).split('\n');
  const isLong = lines.length > LONGEST || bytes.length > 100 * LONGEST;
  if (!isLong) return lines;
  const some = lines
    .slice(0, LONGEST / 4)
    .map((line) => (line.length > 200 ? `${line.slice(0, 200)}…` : line));
  return [...some, `… ${lines.length} lines, ${bytes.length} bytes in all`];
}

function changedFiles(before: PackFiles, pack: Pack, paint: Paint): string[] {
  const paths = [...new Set([...before.files.keys(), ...pack.files.keys()])].filter(isOwn).toSorted();
  return paths.flatMap((path) => {
    const [was, is] = [before.files.get(path), pack.files.get(path)];
    const isMoreNow = pack.executable.has(path) && !before.executable.has(path);
    const isSame = was !== undefined && is !== undefined && was.equals(is);
    if (isSame && !isMoreNow) return [];
    const difference =
      was?.includes(0) || is?.includes(0)
        ? ['(no text)']
        : diffOf(path, was?.toString() ?? '', is?.toString() ?? '')
            .split('\n')
            .slice(2);
    return [title(path, pack, paint), ...(isMoreNow ? ['(may be started now)'] : []), ...difference, ''];
  });
}

/** Names and versions only. Their content is covered by the hash. */
function neededPackages(before: PackFiles, pack: Pack, paint: Paint): string[] {
  const [was, is] = [dependenciesIn(before), dependenciesIn(pack)];
  const lines = [...new Set([...was.keys(), ...is.keys()])].toSorted().flatMap((path) => {
    const [old, now] = [was.get(path), is.get(path)];
    if (old === now) return [];
    if (now === undefined) return [`- ${safe(old!)}`];
    return [old === undefined ? `+ ${safe(now)}` : `~ ${safe(old)} → ${safe(now.split(' ').at(-1)!)}`];
  });
  return lines.length === 0 ? [] : [paint('cyan', '── what it needs, brought with it'), ...lines, ''];
}
