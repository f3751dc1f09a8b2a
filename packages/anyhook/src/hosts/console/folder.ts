import { statSync } from 'node:fs';
import { UsageError } from './usage.ts';

/** A misspelt folder must not look like a project without hooks. */
export function checkFolder(command: string, folder: string | undefined, option = '--cwd'): void {
  if (folder === undefined) return;
  const status = statSync(folder, { throwIfNoEntry: false });
  if (status === undefined) throw new UsageError(`${command}: ${option} ${folder}: there is no such folder`);
  if (!status.isDirectory()) throw new UsageError(`${command}: ${option} ${folder} is no folder`);
}
