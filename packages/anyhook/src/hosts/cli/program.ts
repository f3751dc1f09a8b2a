/** Every command, with help and clear errors; a fire from an installed entry does not come through here. */
import { Command, CommanderError } from 'commander';
import { COMMANDS } from './commands.ts';
import { nearOrAll, UsageError } from '../console/usage.ts';
import { manifest } from '../console/version.ts';

/** Commands of earlier versions, and what to run instead. */
const RENAMED: Readonly<Record<string, string>> = { engine: 'daemon status' };

/** Exit 0 done, 1 it found what it looks for, 2 wrong use. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let code = 0;
  const [first] = argv;
  if (first === 'complete')
    return (await import('./completion.ts')).complete(argv.slice(argv[1] === '--' ? 2 : 1));
  if (first === 'help') checkCommand(argv[1]);
  const cli = await commandTree(first === undefined ? [] : [first, ...argv.slice(1, 2)], (ended) => {
    code = ended;
  });
  try {
    await cli.parseAsync(['node', 'anyhook', ...(argv.length === 0 ? ['--help'] : argv)]);
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0; // help or version was asked for
    const said = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    if (first !== undefined && Object.hasOwn(RENAMED, first))
      throw new UsageError(`${said}. Run: anyhook ${RENAMED[first]}`);
    if (first === undefined || !(first in COMMANDS)) throw new UsageError(said);
    const more = error.code === 'commander.missingArgument' ? `; see: anyhook ${first} --help` : '';
    throw new UsageError(`${first}: ${said}${more}`);
  }
}

/** A slip after `help` would be answered with the list of everything, as if nothing had been asked. */
function checkCommand(name: string | undefined): void {
  const known = Object.keys(COMMANDS).filter((one) => COMMANDS[one]!.hidden !== true);
  if (name === undefined || name === 'help' || known.includes(name)) return;
  throw new UsageError(`help: no command is called ${JSON.stringify(name)}; ${nearOrAll(name, known)}`);
}

/** All commands by name; of those that are called, or asked about with `help`, everything. */
export async function commandTree(called: readonly string[], done: (code: number) => void): Promise<Command> {
  const { version, homepage } = manifest();
  const cli = new Command('anyhook')
    .description('Any hook, in any agent.')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .version(version, '-v, --version');
  for (const [name, { summary, load, examples, hidden }] of Object.entries(COMMANDS)) {
    const command = cli.command(name, { hidden: hidden === true }).description(summary);
    if (called.includes(name))
      (await load()).define(command.addHelpText('after', exampleText(examples)), done);
  }
  return cli.addHelpText('after', `${exampleText(FIRST_STEPS)}\n\nDocs: ${homepage}`);
}

const exampleText = (lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line}`).join('\n')}`;

/** Of a first quarter of an hour, in its order. */
const FIRST_STEPS = ['init', 'test', 'explain', 'install', 'doctor'].map(
  (name) => COMMANDS[name]!.examples[0]!,
);
