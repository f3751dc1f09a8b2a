/** A user on Windows, as far as Wine shows it. */

import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const NODE = process.env['ANYHOOK_WINE_NODE'] ?? '';
/** Why these tests cannot run here. */
export const obstacle =
  NODE === ''
    ? 'ANYHOOK_WINE_NODE is not set'
    : spawnSync('wine', ['--version']).status === 0
      ? undefined
      : 'Wine is not installed';

/** Wine shows / as drive Z. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class WineUser {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-windows-')));
  readonly project = join(this.root, 'project');
  /** The home folder, as Linux and as Windows see it. */
  readonly home: string;
  readonly windowsHome: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor() {
    mkdirSync(this.project);
    const prefix = process.env['WINEPREFIX'] ?? join(this.root, 'prefix');
    this.#env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all' };
    // Node refuses the version of Windows that Wine starts with.
    this.run(['winecfg', '-v', 'win10']);
    this.windowsHome = this.node(['-p', 'os.homedir()']).stdout.trim();
    this.home = join(prefix, 'drive_c', ...this.windowsHome.split('\\').slice(1));
  }

  /** Below the home folder. */
  put(path: string, content: object | string): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  read(path: string): string | undefined {
    const file = join(this.home, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }
  remove(...paths: readonly string[]): void {
    for (const path of paths) rmSync(join(this.home, path), { recursive: true, force: true });
  }

  node(args: readonly string[], stdin = ''): Ended {
    return this.run([NODE, ...args], stdin);
  }
  /** Node under Wine needs files as stdio. */
  run(command: readonly string[], stdin = ''): Ended {
    const [given, out, err] = ['in', 'out', 'err'].map((name) => join(this.root, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(given, stdin);
    const files = [openSync(given, 'r'), openSync(out, 'w'), openSync(err, 'w')];
    const { status } = spawnSync('wine', command, {
      cwd: this.project,
      env: this.#env,
      stdio: files as [number, number, number],
      timeout: 100_000,
    });
    for (const file of files) closeSync(file);
    return { code: status, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') };
  }
  close(): void {
    spawnSync('wineserver', ['-k'], { env: this.#env });
    rmSync(this.root, { recursive: true, force: true });
  }
}
