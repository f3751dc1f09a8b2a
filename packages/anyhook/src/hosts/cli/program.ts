/** Every command but `fire`'s own road, with help and clear errors. */
import { Command, CommanderError } from 'commander';
import { COMMANDS } from './commands.ts';
import { UsageError } from '../console/usage.ts';

/** Exit 0 done, 1 it found what it looks for, 2 wrong use. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let code = 0;
  const [first] = argv;
  if (first === 'complete')
    return (await import('./completion.ts')).complete(argv.slice(argv[1] === '--' ? 2 : 1));
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
    throw new UsageError(first !== undefined && first in COMMANDS ? `${first}: ${said}` : said);
  }
}

/** All commands by name; of those that are called, or asked about with `help`, everything. */
export async function commandTree(called: readonly string[], done: (code: number) => void): Promise<Command> {
  const cli = new Command('anyhook')
    .description('Any hook, in any agent.')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .version(await versionText(), '-v, --version');
  for (const [name, { summary, load, hidden }] of Object.entries(COMMANDS)) {
    const command = cli.command(name, { hidden: hidden === true }).description(summary);
    if (called.includes(name)) (await load()).define(command, done);
  }
  return cli;
}

async function versionText(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
