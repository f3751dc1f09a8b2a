/** Installs the dependencies of a pack and pins them with it. Installing later from a registry could give different code. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isFields } from '../events/fields.ts';
import type { Progress } from '../console/progress.ts';
import { UsageError } from '../console/usage.ts';
import { jsonIn } from './known-packs.ts';

const run = promisify(execFile);
const ARGS = ['--ignore-scripts', '--omit=peer', '--no-audit', '--no-fund', '--no-package-lock', '--silent'];

/**
 * Runtime dependencies only. Development dependencies may exist only in the pack's own workspace, and we provide peers (the
 * agent). Runs no install scripts.
 */
export async function installDependencies(folder: string, progress: Progress): Promise<void> {
  const about = jsonIn(folder, 'package.json') ?? {};
  const { anyhook: _, ...dependencies } = isFields(about['dependencies']) ? about['dependencies'] : {};
  const names = Object.keys(dependencies);
  if (names.every((name) => existsSync(join(folder, 'node_modules', name)))) return;
  progress.say(`Installing what it needs: ${names.join(', ')}`);
  const apart = mkdtempSync(join(dirname(folder), 'needs-'));
  try {
    const optionalDependencies = about['optionalDependencies'];
    writeFileSync(
      join(apart, 'package.json'),
      JSON.stringify({ private: true, dependencies, optionalDependencies }),
    );
    await run('npm', ['install', ...ARGS], { cwd: apart });
    // Bundled packages take precedence.
    cpSync(join(apart, 'node_modules'), join(folder, 'node_modules'), { recursive: true, force: false });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const firstLine = (stderr.trim() || message).split('\n').find((line) => line.trim() !== '');
    throw new UsageError(
      `add: it needs ${names.join(', ')}, and npm could not install them: ${firstLine ?? ''}`,
    );
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}
