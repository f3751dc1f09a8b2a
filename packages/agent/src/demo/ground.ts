/** A home and a project that exist only as long as the demo. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DemoGround {
  readonly home: string;
  readonly cwd: string;
  remove(): void;
}

export function layGround(): DemoGround {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-demo-'));
  cpSync(fileURLToPath(new URL('../../sample', import.meta.url)), root, { recursive: true });
  return {
    home: join(root, 'home'),
    cwd: join(root, 'project'),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
