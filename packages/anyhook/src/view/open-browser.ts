/** Opens an address in the user's browser without exposing its token in the process list. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

export interface OpenedBrowser {
  /** Removes the file that leads to the page. */
  forget(): void;
}

/** Undefined without a display. */
export function openBrowser(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): OpenedBrowser | undefined {
  const hasScreen = process.platform !== 'linux' || [env['DISPLAY'], env['WAYLAND_DISPLAY']].some(Boolean);
  if (!hasScreen) return undefined;
  // Other users can read the arguments of a process, so the browser gets a private file instead.
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-view-'));
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`, {
    mode: 0o600,
  });
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true, env: { ...env } });
  child.on('error', () => {}); // the address is printed as well
  child.unref();
  return { forget: () => rmSync(folder, { recursive: true, force: true }) };
}
