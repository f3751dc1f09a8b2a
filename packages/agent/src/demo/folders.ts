/** Creates the temporary home and project of the demo. */

import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DemoFolders {
  readonly home: string;
  readonly cwd: string;
  /** The path of the scripted model. */
  readonly script: string;
  /** Contains no keys or settings of the user. */
  readonly env: Readonly<Record<string, string | undefined>>;
  remove(): void;
}

export function makeDemoFolders(): DemoFolders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-demo-')));
  cpSync(fileURLToPath(new URL('../../sample', import.meta.url)), root, { recursive: true });
  const home = join(root, 'home');
  const { PATH, TMPDIR, SystemRoot } = process.env;
  return {
    home,
    cwd: join(root, 'project'),
    script: join(root, 'session.yaml'),
    env: { PATH, TMPDIR, SystemRoot, HOME: home },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
