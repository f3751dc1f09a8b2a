import { statSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

/** A misspelt `--cwd` must not look like a project without hooks. */
export function checkFolder(command: string, cwd: string | undefined): void {
  if (cwd === undefined) return;
  const status = statSync(cwd, { throwIfNoEntry: false });
  if (status === undefined) throw new UsageError(`${command}: --cwd ${cwd}: there is no such folder`);
  if (!status.isDirectory()) throw new UsageError(`${command}: --cwd ${cwd} is no folder`);
}
