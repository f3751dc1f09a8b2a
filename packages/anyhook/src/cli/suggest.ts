/** Proposes rules for the user's own `hooks.json` from the journal, with evidence, and writes them only for the user. */

import { journalFolder } from '../console/journal-folder.ts';
import { NOTHING_RECORDED } from '../console/nothing-recorded.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { withProgress } from '../console/progress.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { Unreadable } from '../install/json-text.ts';
import { readFolder, type ReadRecord } from '../journal/index.ts';
import { writeEdit } from '../menu/file-edit.ts';
import { brief } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { recordedCommands } from '../suggest/evidence.ts';
import { missingIn, ownHooksFile, proposedEdit } from '../suggest/file-proposal.ts';
import { type CommandEvidence, propose, type Proposals } from '../suggest/propose.ts';
import { tried, type TriedProposal } from '../suggest/trial.ts';
import { undoneCalls } from '../undo/undone-calls.ts';
import { announce, checkAnnounceable, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface SuggestOptions {
  readonly min: string;
  readonly write?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .option('--min <count>', 'How often something must have happened', '3')
    .option('--write', 'Write the proposals to your hooks.json; needs a terminal')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .addHelpText('after', '\nExit 0: done. Exit 1: there is nothing to write. Exit 2: wrong use.')
    .action(async (options: SuggestOptions) => done(await suggest(options)));
};

async function suggest({ min, write = false, cwd, json }: SuggestOptions): Promise<number> {
  checkFolder('suggest', cwd);
  const least = Number(min);
  if (!Number.isInteger(least) || least < 1)
    throw new UsageError(`suggest: --min ${JSON.stringify(min)} is not a whole number from 1`);
  if (write) checkPerson('suggest --write', process.env);
  const locations = locationsOf(cwd === undefined ? {} : { cwd });
  const records = recordsIn(journalFolder(cwd));
  const commands = recordedCommands(records, undoneCalls(foldersOf(locations).undo));
  const { proposals, asked } = propose(commands, least);
  try {
    const wanted = missingIn(locations, proposals);
    const found = await withProgress('Running proposals on recorded calls', () => tried(wanted, records));
    const edit = proposedEdit(
      locations,
      found.map(({ proposal }) => proposal),
    );
    const isWritten = write && found.length > 0;
    if (isWritten) {
      checkAnnounceable();
      writeEdit(edit, 'user', locations);
      announce(`${found.length} suggested rules were added to ${ownHooksFile(locations)}`);
    }
    const diff = found.length === 0 ? '' : edit.diff;
    if (json === true)
      printJson({
        commands: commands.length,
        proposals: found,
        asked,
        file: edit.target.file,
        diff,
        isWritten,
      });
    else print(report({ found, asked, commands: commands.length, diff, isWritten }, screenFor(cwd)));
    return write && !isWritten ? 1 : 0;
  } catch (error) {
    if (error instanceof Unreadable) throw new UsageError(`suggest: ${error.message}`);
    throw error;
  }
}

const recordsIn = (folder: string): readonly ReadRecord[] =>
  [...readFolder(folder)].flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []));

interface Report extends Pick<Proposals, 'asked'> {
  readonly found: readonly TriedProposal[];
  readonly commands: number;
  readonly diff: string;
  readonly isWritten: boolean;
}

function report({ found, asked, commands, diff, isWritten }: Report, screen: Screen): string[] {
  if (commands === 0) return [`No shell command was recorded: ${NOTHING_RECORDED}`];
  const { paint } = screen;
  const allows = found.filter(({ proposal }) => proposal.kind === 'allow');
  const guards = found.filter(({ proposal }) => proposal.kind === 'guard');
  const questions = found.filter(({ proposal }) => proposal.kind === 'question');
  return [
    ...section(
      'Approved each time: allow for good',
      allows.flatMap((one) => proposalLines(one, screen)),
      screen,
    ),
    ...section(
      'Refused each time: refuse by a rule',
      guards.flatMap((one) => proposalLines(one, screen)),
      screen,
    ),
    ...section(
      'Undone each time: ask first',
      questions.flatMap((one) => proposalLines(one, screen)),
      screen,
    ),
    ...section(
      'Asked about, not proposed',
      asked.flatMap(({ command, why, evidence }) => [
        `  ${brief(command, screen.width - 4)}`,
        `      ${evidenceText(evidence)}: ${why}`,
      ]),
      screen,
    ),
    ...(found.length === 0
      ? [`Nothing to propose from ${commands} recorded shell commands.`]
      : [
          ...diff.split('\n').map((line) => paintedDiff(line, paint)),
          '',
          isWritten
            ? 'Written. Running agents read it with the next event.'
            : 'Nothing was written. To write it:',
          ...(isWritten ? [] : ['  anyhook suggest --write']),
        ]),
  ];
}

const section = (title: string, lines: readonly string[], { paint }: Screen): readonly string[] =>
  lines.length === 0 ? [] : [paint('bold', title), ...lines, ''];

function proposalLines({ proposal, change }: TriedProposal, screen: Screen): string[] {
  const { evidence } = proposal;
  const effect = {
    allow: `${counted(change.unasked, 'recorded question')} would not be asked`,
    guard: `${counted(change.same, 'recorded call')} refused as before, no other call refused`,
    question: `${counted(change.same, 'recorded call')} would be asked about`,
  }[proposal.kind];
  const what =
    proposal.kind === 'allow'
      ? `${proposal.entry.command}${proposal.entry.project === undefined ? '' : `  in ${shortPath(proposal.entry.project, screen)}`}`
      : `${proposal.entry.name}  ${proposal.entry.match}`;
  return [`  ${brief(what, screen.width - 4)}`, `      ${evidenceText(evidence)}`, `      ${effect}`];
}

const evidenceText = ({ count, sessions, agents, last }: CommandEvidence): string =>
  `${counted(count, 'time')} in ${counted(sessions, 'session')} of ${agents.join(', ')}, last on ${last.slice(0, 10)}`;
const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

const paintedDiff = (line: string, paint: Screen['paint']): string =>
  /^\+(?!\+\+)/.test(line) ? paint('green', line) : /^-(?!--)/.test(line) ? paint('red', line) : line;
