import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { print, say } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { whyNoPerson } from '../gather/person.ts';
import type { Define } from './commands.ts';

interface ViewFlags {
  readonly cwd?: string;
  readonly export?: string;
  readonly session?: string;
  readonly day?: string;
  readonly open: boolean;
  readonly from?: string;
}

export const define: Define = (command, done) => {
  command
    .option('--session <id>', 'Start with this session; with --export: only this one')
    .option('--export <file>', 'Write one page that opens offline, and exit')
    .option('--day <date>', 'With --export: all sessions of a day: 2026-11-16, today or yesterday')
    .option('--from <address>', 'Show many machines, from nats://host:4222 (needs @anyhook/fleet)')
    .option('--no-open', 'Print the address and open no browser')
    .option('--cwd <folder>', 'Project folder')
    .addHelpText(
      'after',
      '\nThe page is read-only and shows the commands for everything else. Ctrl+C ends it.',
    )
    .action(async (options: ViewFlags) => done(await view(options)));
};

async function view(options: ViewFlags): Promise<number> {
  if (options.from !== undefined) return viewOf(options.from, options);
  checkFolder('view', options.cwd);
  if (options.export !== undefined) return exportTo(options.export, options);
  if (options.day !== undefined) throw new UsageError('view: --day is for --export <file>');
  const { openBrowser, openView } = await import('../view/index.ts');
  const opened = await openView({ ...whereIn(options), isUsers: whyNoPerson(process.env) === undefined });
  const address = options.session === undefined ? opened.address : opened.addressOf(options.session);
  if (options.session !== undefined && address === opened.address)
    print([`No session ${options.session} was recorded: the page lists those that were.`]);
  print([address, 'The address holds the key to the page: it is for you alone. ctrl+c ends it.']);
  const browser =
    options.open && process.stdout.isTTY === true ? openBrowser(address, process.env) : undefined;
  const stopped = new AbortController();
  await Promise.race(
    (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => once(process, name, { signal: stopped.signal })),
  );
  stopped.abort();
  browser?.forget();
  await opened.close();
  return 0;
}

async function viewOf(from: string, { session, day, export: file, open }: ViewFlags): Promise<number> {
  if ([session, day, file].some((option) => option !== undefined))
    throw new UsageError(
      'view: --from shows what is there; --session, --day and --export are for this machine',
    );
  const { viewFleet } = await import('./fleet-view.ts');
  return viewFleet(from, open ? [] : ['--no-open']);
}

async function exportTo(file: string, options: ViewFlags): Promise<number> {
  const { session, day } = options;
  if ((session === undefined) === (day === undefined))
    throw new UsageError('view: --export takes either --session <id> or --day <date>');
  const scope = session !== undefined ? { session } : { day: dayIn(day!) }; // exactly one of the two, see above
  const { exportView } = await import('../view/export.ts');
  const { html, fires, leftOut, redacted } = await exportView(scope, whereIn(options));
  try {
    writeFileSync(resolve(file), html, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`view: ${file} cannot be written: ${(error as Error).message}`);
  }
  say([
    `${file}: ${fires} records, ${Math.ceil(Buffer.byteLength(html) / 1024)} KB${leftOut === 0 ? '' : `; ${leftOut} older ones did not fit`}.`,
    `Secrets that could be recognised are taken out${redacted === 0 ? '' : ` (${redacted} more than the journal had)`}. Read it before you pass it on.`,
  ]);
  return 0;
}

const whereIn = ({ cwd }: ViewFlags) => (cwd === undefined ? {} : { cwd });

function dayIn(text: string): string {
  const ago = { today: 0, yesterday: 1 }[text];
  const at = ago === undefined ? new Date(`${text}T12:00`) : new Date(Date.now() - ago * 86_400_000);
  if (Number.isNaN(at.getTime()) || (ago === undefined && !/^\d{4}-\d\d-\d\d$/.test(text)))
    throw new UsageError(`view: ${JSON.stringify(text)} is not a date; write 2026-11-16, today or yesterday`);
  return at.toLocaleDateString('sv'); // as 2026-11-16
}
