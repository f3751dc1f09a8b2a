import { print, printJson } from '../console/print.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { askForReload } from '../settings/reload.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command.option('--json', 'Print JSON').action((options: Options) => done(reload(options)));
};

function reload({ json }: Options): number {
  checkPerson('reload', process.env);
  announce('reload requested in running agents');
  askForReload(foldersOf(locationsOf({})).reload);
  if (json === true) printJson({ reload: true });
  else print(['Running agents read their hooks anew at their next event.']);
  return 0;
}
