import { isatty } from 'node:tty';
import { paint, printJson, screenFor } from '../console/print.ts';
import { checkFolder } from '../console/usage.ts';
import { projectLocations } from '../library/project-root.ts';
import { listedBy, openMenu } from '../menu/open-menu.ts';
import { terminalDialogs } from '../menu/terminal-dialogs.ts';
import { checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';
import { runList } from './list.ts';
import { survey } from './survey.ts';

interface Options {
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print what the menu shows, as JSON')
    .addHelpText('after', '\nWithout a terminal it prints the list and changes nothing.')
    .action(async (options: Options) => done(await hooks(options)));
};

/** Exits with 0 whatever is found: this is a tool, not a check. */
async function hooks({ cwd, json }: Options): Promise<number> {
  checkFolder('hooks', cwd);
  if (json === true) return printed(cwd);
  if (!isatty(0) || !isatty(1)) {
    await runList(undefined, cwd === undefined ? {} : { cwd });
    process.stderr.write('anyhook: hooks: no terminal, so nothing can be changed. This is the list\n');
    return 0;
  }
  checkPerson('hooks', process.env);
  const ui = terminalDialogs({ input: process.stdin, output: process.stdout, paint });
  const opened = await survey(cwd);
  try {
    const { width } = screenFor(cwd);
    await openMenu({ ui, hooks: opened, screen: { paint, width }, ...(cwd !== undefined && { cwd }) });
  } finally {
    await opened.close();
  }
  return 0;
}

async function printed(cwd: string | undefined): Promise<number> {
  const opened = await survey(cwd);
  await opened.close();
  const locations = projectLocations(cwd === undefined ? {} : { cwd });
  const rows = listedBy({ hooks: opened, locations }).map(({ row }) => row);
  printJson({ hooks: rows });
  return 0;
}
