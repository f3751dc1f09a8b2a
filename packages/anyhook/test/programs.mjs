/**
 * Programs that some tests need besides Node, npm and git, because the hooks they run are written with them. Those tests are
 * skipped on a machine without the program, and `scripts/not-run.mjs` names it after `npm test`.
 */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const OPTIONAL_PROGRAMS = ['jq', 'nc', 'ps', 'python3', 'which'];

/**
 * True if one of them is not installed.
 * @param {...string} programs
 */
export const lacks = (...programs) =>
  programs.some((program) => !folders.some((folder) => isExecutable(join(folder, program))));

const folders = (process.env['PATH'] ?? '').split(delimiter);

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // missing, or not executable
  }
}
