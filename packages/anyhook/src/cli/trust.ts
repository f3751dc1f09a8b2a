import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { answerTo, isYes } from '../console/answer-to.ts';
import { contentsOf, headOf, plainExamined, warningsOf } from '../console/examined.ts';
import { acceptCommand, missingGuards, trustedGuardsPlace } from '../console/missing-guards.ts';
import { paint, print, printJson, screenFor } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { show } from '../events/problems.ts';
import { acceptHomes } from '../gather/accepted-homes.ts';
import { foldersOf, locationsOf, obstacleAt } from '../gather/folders.ts';
import type { ExaminedEntry } from '../gather/gate.ts';
import { findMcpServers } from '../gather/mcp-servers.ts';
import { settleTrustedGuards } from '../gather/missed-guards.ts';
import { movedInto, movedProblem, systemHome } from '../gather/moved.ts';
import type { Hooks } from '../library/hooks.ts';
import { problemList } from '../render/problem-list.ts';
import { brief, safe } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';
import { isInside, physical } from '../settings/inside.ts';
import { nameFrom, openProject } from '../settings/trust/project.ts';
import { openTrustStore } from '../settings/trust/store.ts';
import { readTrustedGuards, type TrustedGuard } from '../settings/trusted-guards.ts';
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
    .description('List what the project wants to run, and what you trusted')
    .allowExcessArguments()
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (options: Options, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new UsageError(
          `trust: unknown command ${JSON.stringify(word)}; known: list, add, revoke, accept, home, help`,
        );
      done(await trustList(options));
    });
  command
    .command('add')
    .description('Show what the project wants to run, ask, and trust exactly this content')
    .argument('[hash...]', 'Hash from `trust list`, or its beginning; default: show and ask for everything')
    .option('--hash <hash...>', 'The same, for scripts')
    .option(
      '--folder <folder>',
      'Also bind every file in this folder of the project; can be repeated',
      (folder: string, before: string[] = []) => [...before, folder],
    )
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (hashes: string[], { hash = [], ...options }: Options) =>
      done(await trustAdd([...hashes, ...hash], options)),
    );
  command
    .command('accept')
    .description('Accept the guards as they are now, in sessions that saw them change')
    .action(() => done(trustAccept()));
  command
    .command('home')
    .description('Accept a home folder inside this project, as in some containers')
    .option('--cwd <folder>', 'Project folder')
    .action(async (options: Options) => done(await trustHome(options)));
  command
    .command('revoke')
    .description('Withdraw trust, or accept that a trusted guard is gone')
    .argument('<hash...>', 'Hash from `trust list`, or its beginning')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (hashes: string[], options: Options) => done(await trustRevoke(hashes, options)));
};

/** Running sessions compare their guards with those at their start. From now on they compare with what is there now. */
function trustAccept(): number {
  checkPerson('trust accept', process.env);
  announce('accepted all guards as they are');
  print(['Accepted. Running sessions use your guards as they are now. To see them: anyhook list']);
  return 0;
}

/** For containers: the user's own settings are inside the project, and are used from then on. */
async function trustHome({ cwd }: Options): Promise<number> {
  checkPerson('trust home', process.env);
  checkFolder('trust home', cwd);
  const project = resolve(cwd ?? process.cwd());
  const moved = movedInto(project, process.env);
  if (moved.length === 0) {
    print(['Your home folder is not inside this project. There is nothing to accept.']);
    return 0;
  }
  const fixed = moved.find(({ canBeAccepted }) => !canBeAccepted);
  if (fixed !== undefined) throw new UsageError(`trust home: ${show(movedProblem(fixed))}`);
  const screen = screenFor(cwd);
  print([
    ...moved.map(({ variable, folder }) => `${variable} ${safe(folder)}`),
    ...wrap(
      `These folders are inside the project ${safe(project)}. If you accept them, hooks in their settings run as your own, without trust, also hooks that the project adds later.`,
      screen.width,
    ),
  ]);
  if (!isYes(await answerTo('Accept them for this project? [y/N]'))) {
    print(['Nothing was accepted.']);
    return 1;
  }
  announce(
    `accepted ${moved.map(({ variable, folder }) => `${variable}=${folder}`).join(', ')} in ${project}`,
  );
  acceptHomes(
    project,
    systemHome() ?? '',
    moved.map(({ variable, folder }) => ({ variable, folder: physical(folder) })),
  );
  print(['Accepted for this project.', 'next: anyhook install']);
  return 0;
}

/** Exit 1 if something waits for trust. */
async function trustList(options: Options): Promise<number> {
  checkFolder('trust list', options.cwd);
  const { examined } = await projectAsks(options.cwd);
  const store = openTrustStore(foldersOf(locationsOf(options)).trust);
  const stored = store.list();
  const missed = missingGuards(options.cwd, examined);
  if (options.json === true) printJson({ project: examined.map(plainExamined), stored, missed });
  else {
    const screen = screenFor(options.cwd);
    print(asked(examined, screen));
    if (missed.length > 0)
      print([
        '',
        paint(
          'bold',
          'Trusted earlier and now changed or missing. Calls they covered need your confirmation',
        ),
        ...missedLines(missed, screen),
      ]);
    const others = stored.filter((r) => !examined.some(({ judgement }) => judgement.hash === r.hash));
    if (others.length > 0)
      print([
        '',
        paint('bold', 'Trusted in other projects, or earlier'),
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
  if (examined.length === 0)
    return ['This project wants to run nothing. To write a hook for it: anyhook init'];
  const waiting = examined.filter(({ judgement }) => ['unknown', 'modified'].includes(judgement.state));
  return [
    paint('bold', 'This project wants to run'),
    ...examined.flatMap((entry) => [
      ...headOf(entry, screen),
      ...(entry.judgement.diff === undefined ? [] : contentsOf(entry, screen)),
    ]),
    ...warningsOf(
      examined.map(({ judgement }) => judgement),
      screen,
    ),
    ...(waiting.length > 0 ? ['', 'To review and decide: anyhook trust add'] : []),
  ];
}

/** A named hash is consent to exactly that content. Without one, each entry is shown and asked for; the default is no. */
async function trustAdd(typed: readonly string[], options: Options): Promise<number> {
  checkPerson('trust add', process.env);
  checkFolder('trust add', options.cwd);
  const folders = options.folder?.map((folder) => folderName(options.cwd, folder));
  const known = typed.length === 0 ? [] : (await projectAsks(options.cwd)).examined;
  const hashes = typed.map((word) =>
    fullHash(
      'trust add',
      word,
      known.map(({ judgement }) => judgement.hash),
    ),
  );
  const { examined, grant } = await projectAsks(options.cwd, hashes, folders);
  // Hashes in `trust list` are those of the entry without the folder.
  const shown = folders === undefined ? examined : (await projectAsks(options.cwd)).examined;
  const isNamed = (hash: string, at: number) =>
    [examined[at]?.judgement.hash, shown[at]?.judgement.hash].includes(hash);
  for (const hash of hashes)
    if (!examined.some((_, at) => isNamed(hash, at)))
      throw new UsageError(
        `trust add: nothing in this project has the hash ${hash}. See: anyhook trust list`,
      );
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
      ? 'This project wants to run nothing. To write a hook for it: anyhook init'
      : 'Nothing waits for trust here. To see what is trusted: anyhook trust list';

async function trustRevoke(typed: readonly string[], options: Options): Promise<number> {
  checkPerson('trust revoke', process.env);
  const store = openTrustStore(foldersOf(locationsOf({})).trust);
  const known = [...store.list(), ...readTrustedGuards(trustedGuardsPlace(options.cwd).file)].map(
    ({ hash }) => hash,
  );
  const hashes = typed.map((word) => fullHash('trust revoke', word, known));
  const revoked = hashes.filter((hash) => [store.revoke(hash), letGo(options.cwd, hash)].includes(true));
  if (revoked.length > 0) announce(`trust taken back from ${revoked.join(', ')}`);
  const unknown = hashes.filter((hash) => !revoked.includes(hash));
  if (options.json === true)
    printJson({
      revoked,
      unknown,
      ...(unknown.length > 0 && {
        errors: unknown.map((hash) => ({ code: 'not-known', message: `${hash} was not trusted` })),
      }),
    });
  else
    print([
      ...revoked.map((hash) => `Revoked ${hash}.`),
      ...unknown.map((hash) => `${safe(hash)} was not trusted.`),
    ]);
  return unknown.length > 0 ? 1 : 0;
}

const MIN_PREFIX = 6;

/** The known hash with this prefix; a word that matches none is returned unchanged. */
function fullHash(command: string, word: string, known: readonly string[]): string {
  const prefix = word.startsWith('sha256:') ? word : `sha256:${word}`;
  const found = [...new Set(known)].filter((hash) => hash.startsWith(prefix));
  if (found.length > 1 && prefix.length >= 'sha256:'.length + MIN_PREFIX)
    throw new UsageError(`${command}: ${word} is the beginning of ${found.length} hashes. Type more of it.`);
  return found.length === 1 && prefix.length >= 'sha256:'.length + MIN_PREFIX ? found[0]! : word;
}

/** A folder of the project, by its path from the root. */
function folderName(cwd: string | undefined, folder: string): string {
  const { root } = openProject(cwd ?? process.cwd());
  const path = physical(resolve(root, folder));
  if (!isInside(root, path) || path === root || obstacleAt(path) !== undefined || !existsSync(path))
    throw new UsageError(`trust add: ${folder} is not a folder inside the project`);
  return nameFrom(root, path);
}

/** Everything that a project defines: hooks, modules and MCP servers. Starts none of it. */
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
      servers.examined.some((other) => other.entry === entry) ? servers.grant(entry) : hooks.grant(entry),
  };
}

/** Returns whether it was recorded until now. */
function letGo(cwd: string | undefined, hash: string): boolean {
  const { file, root } = trustedGuardsPlace(cwd);
  return settleTrustedGuards(file, root, { hash });
}

const missedLines = (missed: readonly TrustedGuard[], screen: Screen): string[] =>
  missed.flatMap(({ label, file, hash, on }) => [
    `  ${brief(`${shortPath(file, screen)} · ${on} · ${label}`, screen.width - 2)}`,
    ...wrap(`      ${hash}`, screen.width, '      '),
    `      To accept that it is gone: ${acceptCommand({ hash } as TrustedGuard)}`,
  ]);
