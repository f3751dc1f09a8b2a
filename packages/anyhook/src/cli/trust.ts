import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { foldersOf, locationsOf, obstacleAt } from '../gather/folders.ts';
import type { ExaminedEntry } from '../gather/gate.ts';
import { findMcpServers } from '../gather/mcp-servers.ts';
import { settleStood } from '../gather/standing.ts';
import { show } from '../events/problems.ts';
import { isInside, physical } from '../settings/inside.ts';
import { readStood, rootOf, stoodFile, type StoodGuard } from '../settings/stood.ts';
import { nameFrom, openProject } from '../settings/trust/project.ts';
import { openTrustStore } from '../settings/trust/store.ts';
import { problemList } from '../render/problem-list.ts';
import { brief, safe } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { contentsOf, headOf, plainExamined, warningsOf } from '../console/examined.ts';
import { paint, print, printJson, screenFor } from '../console/print.ts';
import { wrap } from '../render/wrap.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import type { Hooks } from '../library/hooks.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';
import { survey } from './survey.ts';
import { consentedTo } from './trust-screen.ts';

interface Options {
  readonly cwd?: string;
  readonly json?: boolean;
  readonly hash?: string[];
  readonly folder?: string[];
}

export const define: Define = (command, done) => {
  command
    .command('list', { isDefault: true })
    .description('what the project asks for, and what was trusted before')
    .allowExcessArguments()
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (options: Options, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new UsageError(
          `trust: unknown command ${JSON.stringify(word)}; known are list, add, revoke, accept, help`,
        );
      done(await trustList(options));
    });
  command
    .command('add')
    .description('trust exactly this content, after showing it')
    .argument('[hash...]', 'as `trust list` shows it; without one, everything is shown and asked for')
    .option('--hash <hash...>', 'the same, for scripts')
    .option(
      '--folder <folder>',
      'bind everything in this folder of the project with it; may be said again',
      (folder: string, before: string[] = []) => [...before, folder],
    )
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (hashes: string[], { hash = [], ...options }: Options) =>
      done(await trustAdd([...hashes, ...hash], options)),
    );
  command
    .command('accept')
    .description('accept the guards as they are now, in sessions that saw them change')
    .action(() => done(trustAccept()));
  command
    .command('revoke')
    .description('take trust back')
    .argument('<hash...>', 'as `trust list` shows it')
    .option('--cwd <folder>', 'the project, for a guard that stood in it')
    .option('--json', 'as JSON')
    .action(async (hashes: string[], options: Options) => done(await trustRevoke(hashes, options)));
};

/** Running sessions compare their guards with what they found at their start; from here on, with what is there now. */
function trustAccept(): number {
  checkPerson('trust accept', process.env);
  announce('accepted all guards as they are');
  print(['Accepted. Running sessions take your guards as they are now; look at them with: anyhook list']);
  return 0;
}

/** Exit 1 when something waits for trust. */
async function trustList(options: Options): Promise<number> {
  checkFolder('trust list', options.cwd);
  const { examined } = await projectAsks(options.cwd);
  const store = openTrustStore(foldersOf(locationsOf(options)).trust);
  const stored = store.list();
  const missed = missedIn(options.cwd, examined);
  if (options.json === true) printJson({ project: examined.map(plainExamined), stored, missed });
  else {
    const screen = screenFor(options.cwd);
    print(asked(examined, screen));
    if (missed.length > 0)
      print([
        '',
        paint('bold', 'Stood here, and does not any more: what it guarded is asked about'),
        ...missedLines(missed, screen),
        'To let one go: anyhook trust revoke <hash>',
      ]);
    const others = stored.filter((r) => !examined.some(({ judgement }) => judgement.hash === r.hash));
    if (others.length > 0)
      print([
        '',
        paint('bold', 'Trusted elsewhere, or before'),
        ...others.flatMap((r) => [
          ...wrap(`  ${safe(r.hash)}`, screen.width, '  '),
          `      ${shortPath(r.settings, screen)} ${paint('dim', `on ${r.at.slice(0, 10)}`)}`,
        ]),
      ]);
    print(problemList(store.problems, screen));
  }
  return missed.length > 0 || examined.some(({ judgement }) => judgement.state !== 'trusted') ? 1 : 0;
}

function asked(examined: readonly ExaminedEntry[], screen: Screen): string[] {
  if (examined.length === 0) return ['This project asks for nothing. A hook for it: anyhook init'];
  const waiting = examined.filter(({ judgement }) => ['unknown', 'modified'].includes(judgement.state));
  return [
    paint('bold', 'This project asks for'),
    ...examined.flatMap((one) => [
      ...headOf(one, screen),
      ...(one.judgement.diff === undefined ? [] : contentsOf(one, screen)),
    ]),
    ...warningsOf(
      examined.map(({ judgement }) => judgement),
      screen,
    ),
    ...(waiting.length > 0 ? ['', 'To look and decide: anyhook trust add'] : []),
  ];
}

/** Naming a hash is consent to exactly that content; without one, each is shown and asked for, and no is the default. */
async function trustAdd(hashes: readonly string[], options: Options): Promise<number> {
  checkPerson('trust add', process.env);
  checkFolder('trust add', options.cwd);
  const folders = options.folder?.map((folder) => folderName(options.cwd, folder));
  const { examined, grant } = await projectAsks(options.cwd, hashes, folders);
  // A hash as `trust list` shows it is that of the entry without the folder.
  const shown = folders === undefined ? examined : (await projectAsks(options.cwd)).examined;
  const isNamed = (hash: string, at: number) =>
    [examined[at]?.judgement.hash, shown[at]?.judgement.hash].includes(hash);
  for (const hash of hashes)
    if (!examined.some((_, at) => isNamed(hash, at)))
      throw new UsageError(`trust add: nothing in this project has the hash ${hash}; see anyhook trust list`);
  const screen = screenFor(options.cwd);
  const chosen =
    hashes.length > 0
      ? examined.filter((_, at) => hashes.some((hash) => isNamed(hash, at)))
      : await consentedTo(examined, screen);
  const added = chosen.map((one) => ({ one, result: grant(one.entry) }));
  const refused = added.flatMap(({ result }) => (result.kind === 'failed' ? [result.problem] : []));
  for (const problem of refused) process.stderr.write(`anyhook: trust add: ${safe(show(problem))}\n`);
  const trusted = added.filter(({ result }) => result.kind !== 'failed').map(({ one }) => one.judgement.hash);
  if (options.json === true) printJson({ trusted, refused });
  else
    print(
      trusted.length === 0
        ? [nothingTrusted(examined)]
        : trusted.flatMap((hash) => wrap(`Trusted ${hash}.`, screen.width, '  ')),
    );
  return refused.length > 0 ? 1 : 0;
}

const nothingTrusted = (examined: readonly ExaminedEntry[]): string =>
  examined.some(({ judgement }) => judgement.state !== 'trusted')
    ? 'Nothing was trusted.'
    : examined.length === 0
      ? 'This project asks for nothing. A hook for it: anyhook init'
      : 'Nothing waits for trust here; what is trusted: anyhook trust list';

async function trustRevoke(hashes: readonly string[], options: Options): Promise<number> {
  checkPerson('trust revoke', process.env);
  const store = openTrustStore(foldersOf(locationsOf({})).trust);
  const revoked = hashes.filter((hash) => [store.revoke(hash), letGo(options.cwd, hash)].includes(true));
  if (revoked.length > 0) announce(`trust taken back from ${revoked.join(', ')}`);
  const unknown = hashes.filter((hash) => !revoked.includes(hash));
  if (options.json === true) printJson({ revoked, unknown });
  else
    print([
      ...revoked.map((hash) => `Revoked ${hash}.`),
      ...unknown.map((hash) => `${safe(hash)} was not trusted.`),
    ]);
  return unknown.length > 0 ? 1 : 0;
}

/** A folder of the project, by its name from the root. */
function folderName(cwd: string | undefined, folder: string): string {
  const { root } = openProject(cwd ?? process.cwd());
  const path = physical(resolve(root, folder));
  if (!isInside(root, path) || path === root || obstacleAt(path) !== undefined || !existsSync(path))
    throw new UsageError(`trust add: ${folder} is not a folder inside the project`);
  return nameFrom(root, path);
}

/** All that a project asks for: hooks, modules, and servers of the Model Context Protocol. Nothing of it is started. */
async function projectAsks(
  cwd: string | undefined,
  hashes: readonly string[] = [],
  folders?: readonly string[],
): Promise<Pick<Hooks, 'examined' | 'grant'>> {
  const trust = { hashes, ...(folders && { folders }) };
  const hooks = await survey(cwd, trust);
  await hooks.close();
  const servers = findMcpServers({ trust, ...(cwd !== undefined && { cwd }) });
  return {
    examined: [...hooks.examined, ...servers.examined],
    grant: (entry) =>
      servers.examined.some((one) => one.entry === entry) ? servers.grant(entry) : hooks.grant(entry),
  };
}

/** Where guards that stood in this project are kept. */
function stoodPlace(cwd: string | undefined): { readonly file: string; readonly root: string } {
  const locations = locationsOf(cwd === undefined ? {} : { cwd });
  const root = rootOf(locations.cwd);
  return { file: stoodFile(foldersOf(locations).stood, root), root };
}

/** Those that do not stand any more. */
function missedIn(cwd: string | undefined, examined: readonly ExaminedEntry[]): readonly StoodGuard[] {
  const trusted = new Set(
    examined.flatMap(({ judgement: { state, hash } }) => (state === 'trusted' ? [hash] : [])),
  );
  return readStood(stoodPlace(cwd).file).filter(({ hash }) => !trusted.has(hash));
}

/** True: it was kept until now. */
function letGo(cwd: string | undefined, hash: string): boolean {
  const { file, root } = stoodPlace(cwd);
  return settleStood(file, root, { hash });
}

const missedLines = (missed: readonly StoodGuard[], screen: Screen): string[] =>
  missed.flatMap(({ label, file, hash, on }) => [
    `  ${brief(`${shortPath(file, screen)} · ${on} · ${label}`, screen.width - 2)}`,
    ...wrap(`      ${hash}`, screen.width, '      '),
  ]);
