/** Opens an address in the person's browser, without showing its token to whoever lists processes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

export interface OpenedBrowser {
  /** Takes the way to the page away again. */
  forget(): void;
}

/** Undefined where there is no screen to open one on. */
export function openBrowser(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): OpenedBrowser | undefined {
  const hasScreen = process.platform !== 'linux' || [env['DISPLAY'], env['WAYLAND_DISPLAY']].some(Boolean);
  if (!hasScreen) return undefined;
  // Any user of the machine can read the words that a program was started with: it is handed a private file.
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-view-'));
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`, {
    mode: 0o600,
  });
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true, env: { ...env } });
  child.on('error', () => {}); // the address is printed besides
  child.unref();
  return { forget: () => rmSync(folder, { recursive: true, force: true }) };
}
