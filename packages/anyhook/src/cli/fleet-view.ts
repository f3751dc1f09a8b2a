/** Passes the records of many machines to `@anyhook/fleet`, if installed. The library itself does not read them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { UsageError } from '../console/usage.ts';

/** Returns its exit code. `words` are further arguments of `anyhook-fleet view`. */
export async function viewFleet(from: string, words: readonly string[]): Promise<number> {
  const program = fleetProgram(process.env['PATH'] ?? '');
  if (program === undefined)
    throw new UsageError(
      'view: --from reads the records of many machines by @anyhook/fleet, which is not installed. Run: npm i -g @anyhook/fleet',
    );
  const [file, ...first] = program;
  const child = spawn(file!, [...first, 'view', '--nats', from, ...words], { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of signals) process.off(signal, pass);
  return code ?? 1;
}

/** Beside us, in the project, or on the PATH. */
function fleetProgram(path: string): readonly string[] | undefined {
  for (const base of [import.meta.url, join(process.cwd(), 'package.json')])
    try {
      const found = createRequire(base).resolve('@anyhook/fleet/package.json');
      return [process.execPath, join(found, '../bin/anyhook-fleet.mjs')];
    } catch {
      continue;
    }
  const linked = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'anyhook-fleet'))
    .find(isProgram);
  return linked === undefined ? undefined : [linked];
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
