/** Every command, with help and clear errors; a fire from an installed entry does not come through here. */

import { isatty } from 'node:tty';
import { Command, CommanderError } from 'commander';
import { outputWidth } from '../console/print.ts';
import { nearOrAll, UsageError } from '../console/usage.ts';
import { manifest } from '../console/version.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { moveOldState } from '../gather/move-state.ts';
import { commandName, COMMANDS, GROUPS } from './commands.ts';

/** Commands of earlier versions, and what to run instead. */
const RENAMED: Readonly<Record<string, string>> = { engine: 'daemon status' };

/** Exit 0 done, 1 it found what it looks for, 2 wrong use. */
export async function runCommandLine(typed: readonly string[]): Promise<number> {
  let code = 0;
  moveOldState(foldersOf(locationsOf({})));
  const argv = withoutAlias(typed);
  const [first] = argv;
  if (first === 'complete')
    return (await import('./completion.ts')).complete(argv.slice(argv[1] === '--' ? 2 : 1));
  if (first === 'check-update') {
    await (await import('../console/update-notice.ts')).checkForUpdate(locationsOf({}));
    return 0;
  }
  if (first === 'help') checkCommand(argv[1]);
  const cli = await commandTree(first === undefined ? [] : [first, ...argv.slice(1, 2)], (ended) => {
    code = ended;
  });
  try {
    await cli.parseAsync(['node', 'anyhook', ...(argv.length === 0 ? ['--help'] : argv)]);
    if (code === 0) await mentionUpdate(argv);
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0; // help or version was printed
    const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    if (first !== undefined && Object.hasOwn(RENAMED, first))
      throw new UsageError(`${message}. Run: anyhook ${RENAMED[first]}`);
    if (first === undefined || !(first in COMMANDS))
      throw new UsageError(`${message}. All commands: anyhook --help`);
    const more = error.code === 'commander.missingArgument' ? `. See: anyhook ${first} --help` : '';
    throw new UsageError(`${first}: ${message}${more}`);
  }
}

/** Commands whose output belongs to a program, that run for long, or that remove our files. */
const SILENT: readonly string[] = ['bridge', 'completion', 'daemon', 'fire', 'mcp', 'uninstall', 'view'];

async function mentionUpdate(argv: readonly string[]): Promise<void> {
  if (!isatty(1) || argv.includes('--json') || SILENT.includes(argv[0] ?? '')) return;
  const { mayNotify, notifyOfUpdate } = await import('../console/update-notice.ts');
  const locations = locationsOf({});
  const [, program] = process.argv;
  if (program !== undefined && mayNotify(process.env, locations))
    notifyOfUpdate(locations, manifest().version, program);
}

/** `anyhook ls` is `anyhook list`, and `anyhook version` is `anyhook --version`. */
function withoutAlias([first, second, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  if (first === 'version' && second === undefined) return ['--version'];
  if (first === '-v') return ['--version', ...(second === undefined ? [] : [second]), ...rest];
  const next = second === undefined ? [] : [first === 'help' ? commandName(second) : second];
  return [commandName(first), ...next, ...rest];
}

/** commander would answer a typo after `help` with the list of all commands. */
function checkCommand(name: string | undefined): void {
  const known = Object.keys(COMMANDS).filter((name) => COMMANDS[name]!.hidden !== true);
  if (name === undefined || name === 'help' || known.includes(name)) return;
  throw new UsageError(`help: unknown command ${JSON.stringify(name)}; ${nearOrAll(name, known)}`);
}

/** All commands by name. Only the commands in `called` are loaded with their arguments and options. */
export async function commandTree(called: readonly string[], done: (code: number) => void): Promise<Command> {
  const { version, homepage } = manifest();
  const cli = new Command('anyhook')
    .description('Run any lifecycle hook in any AI coding agent')
    .usage('<command> [options]')
    .exitOverride()
    .configureOutput({ outputError: () => {}, getOutHelpWidth: outputWidth })
    .configureHelp({ minWidthToWrap: 20 })
    .showSuggestionAfterError()
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .optionsGroup('Options:');
  for (const group of GROUPS)
    for (const [name, { summary, load, examples, hidden, alias }] of rowsOf(group)) {
      const command = cli
        .command(name, { hidden: hidden === true })
        .description(summary)
        .helpGroup(`${group}:`);
      command.helpOption('-h, --help', 'Show help');
      if (alias !== undefined) command.alias(alias);
      if (called.includes(name))
        (await load()).define(command.addHelpText('after', exampleText(examples)), done);
    }
  return cli.addHelpText('after', `${exampleText(FIRST_STEPS)}\n\nDocs: ${homepage}`);
}

const rowsOf = (group: (typeof GROUPS)[number]) =>
  Object.entries(COMMANDS).filter(([, row]) => row.group === group);

const exampleText = (lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line}`).join('\n')}`;

/** The first steps with anyhook, in order. */
const FIRST_STEPS = ['init', 'test', 'why', 'install', 'doctor'].map((name) => COMMANDS[name]!.examples[0]!);
