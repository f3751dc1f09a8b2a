/** Every command but `fire`'s own road, with help and clear errors. */
import { Command, CommanderError } from 'commander';
import { UsageError } from './usage-error.ts';
import type { WhyOptions } from './why.ts';

/** Exit 0 done, 1 it found what it looks for, 2 wrong use. */
export async function program(argv: readonly string[]): Promise<number> {
  let code = 0;
  const cli = new Command('anyhook')
    .description('Any hook, in any agent.')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .version(await versionText(), '-v, --version');
  const run = (work: () => Promise<number>) => async () => void (code = await work());

  cli
    .command('fire')
    .description("apply all hooks to an agent's event: its payload on stdin, its answer out")
    .argument('[event]', "the event's name, where the payload does not say it")
    .requiredOption('--as <dialect>', 'in whose words the event comes and the answer goes')
    .option('--cwd <folder>', 'the project; default: what the event says')
    .option('--trust <hash...>', 'trust exactly this content for this run')
    .option('--json', 'print the whole outcome instead; exit 1 when denied');

  cli
    .command('list')
    .description('every hook found: where, when, whether it is trusted, what happens if it breaks')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action((options: { cwd?: string; json?: boolean }) =>
      run(async () => (await import('./list.ts')).list(options))(),
    );

  cli
    .command('why')
    .description('which hooks an event would reach, and why or why not; runs nothing')
    .argument('<event>', 'an event of the canon, such as tool.before')
    .option('--tool <name>', 'the tool, in any agent’s spelling')
    .option('--input <json>', 'its input as JSON')
    .option('--payload <json>', 'the whole payload as JSON, for other events')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action((event: string, options: WhyOptions) =>
      run(async () => (await import('./why.ts')).why(event, options))(),
    );

  const trust = cli.command('trust').description('what of this project may run');
  trust
    .command('list', { isDefault: true })
    .description('what the project asks for, and what was trusted before')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action((options: { cwd?: string; json?: boolean }) =>
      run(async () => (await import('./trust.ts')).trustList(options))(),
    );
  trust
    .command('add')
    .description('trust exactly this content, after showing it')
    .argument('[hash...]', 'as `trust list` shows it; without one, everything is shown and asked for')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action((hashes: string[], options: { cwd?: string; json?: boolean }) =>
      run(async () => (await import('./trust.ts')).trustAdd(hashes, options))(),
    );
  trust
    .command('revoke')
    .description('take trust back')
    .argument('<hash...>', 'as `trust list` shows it')
    .option('--json', 'as JSON')
    .action((hashes: string[], options: { json?: boolean }) =>
      run(async () => (await import('./trust.ts')).trustRevoke(hashes, options))(),
    );

  const [first, second] = argv;
  if (first === 'trust' && second !== undefined && !second.startsWith('-') && !TRUST.includes(second))
    throw new UsageError(`trust: unknown command ${JSON.stringify(second)}; known are ${TRUST.join(', ')}`);
  try {
    await cli.parseAsync(['node', 'anyhook', ...(argv.length === 0 ? ['--help'] : argv)]);
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0; // help or version was asked for
    const said = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    throw new UsageError(
      cli.commands.some((command) => command.name() === first) ? `${first}: ${said}` : said,
    );
  }
}

const TRUST = ['list', 'add', 'revoke', 'help'];

async function versionText(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
