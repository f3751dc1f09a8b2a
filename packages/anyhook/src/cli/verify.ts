/** `anyhook verify`: every record against its chain, every chain against its head. */

import { journalFolderOf } from '../console/journal-folder.ts';
import { NOTHING_RECORDED } from '../console/nothing-recorded.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { fileNameOf } from '../events/session-file.ts';
import { locationsOf, foldersOf } from '../gather/folders.ts';
import { type VerifiedSession, verifyFolder } from '../journal/index.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly session?: string;
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .option('--session <id>', 'Check only this session')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .addHelpText('after', '\nExit 0: all records are as written. Exit 1: some are not. Exit 2: wrong use.')
    .action((options: Options) => done(verified(options)));
};

function verified({ session, cwd, json }: Options): number {
  checkFolder('verify', cwd);
  const locations = locationsOf(cwd === undefined ? {} : { cwd });
  const folder = journalFolderOf(locations);
  const all = [...verifyFolder(folder, foldersOf(locations).heads)];
  const wanted = session === undefined ? all : all.filter((file) => file.session === fileNameOf(session));
  if (session !== undefined && wanted.length === 0)
    throw new UsageError(`verify: no session ${JSON.stringify(session)} was recorded in ${folder}`);
  const bad = wanted.filter(({ ok }) => !ok);
  const records = wanted.reduce((sum, file) => sum + file.records, 0);
  if (json === true)
    printJson({ ok: bad.length === 0, sessions: wanted.length, records, found: bad.map(withCodes) });
  else
    print([
      ...bad.flatMap((file) => linesFor(file, screenFor(cwd))),
      bad.length === 0
        ? wanted.length === 0
          ? `Nothing was recorded yet: ${NOTHING_RECORDED}`
          : `As it was written: sessions ${wanted.length}, records ${records}.`
        : `Not as it was written: ${bad.length} of ${wanted.length} sessions, of ${records} records.`,
    ]);
  return bad.length === 0 ? 0 : 1;
}

const withCodes = (session: VerifiedSession) => ({
  ...session,
  problems: session.problems.map((problem) => ({ code: 'journal-damaged', ...problem })),
});

const linesFor = ({ file, problems }: VerifiedSession, screen: Screen): string[] =>
  problems.map(({ kind, message }) => screen.paint('red', `${kind}  ${shortPath(file, screen)}: ${message}`));
