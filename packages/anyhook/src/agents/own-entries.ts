/** Recognises our own bridges in the files of other agents. They lead back to us and are not hooks. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Hook } from '../events/hook.ts';
import { bridgedBy } from './shared/client-command.ts';
import { MODULE_MARK } from './shared/module-file.ts';

export const isBridge = ({ run }: Hook): boolean =>
  run.kind === 'command' && 'line' in run.run && bridgedBy(run.run.line) !== undefined;

export function isBridgeModule(file: string): boolean {
  if (basename(file) !== 'anyhook.js') return false;
  try {
    return readFileSync(file, 'utf8').startsWith(MODULE_MARK);
  } catch {
    return false;
  }
}
