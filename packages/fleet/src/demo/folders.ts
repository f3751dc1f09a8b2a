/** Creates temporary machines for the demo: each has a home, a project and a managed folder. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalPlaces, type JournalPlaces } from 'anyhook/journal';
import type { ManagedFolder } from 'anyhook/policy';

export interface DemoMachine {
  readonly name: string;
  readonly user: string;
  readonly agent: string;
  readonly home: string;
  readonly cwd: string;
  /** Replaces /etc/anyhook, which the demo does not touch. */
  readonly managed: ManagedFolder;
  readonly journal: JournalPlaces;
}

export interface DemoFolders {
  readonly root: string;
  /** The folder in which the organisation prepares its policy. */
  readonly office: string;
  readonly machines: readonly DemoMachine[];
  remove(): void;
}

const DEVELOPERS = [
  { name: 'laptop-1', user: 'ann', agent: 'claude-code' },
  { name: 'laptop-2', user: 'bob', agent: 'codex' },
  { name: 'ci-runner', user: 'eve', agent: 'opencode' },
] as const;

export function makeDemoFolders(): DemoFolders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-fleet-demo-')));
  const office = join(root, 'office');
  mkdirSync(office);
  return {
    root,
    office,
    machines: DEVELOPERS.map((developer) => {
      const [home, cwd, etc] = ['home', 'project', 'etc-anyhook'].map((name) => {
        const folder = join(root, developer.name, name);
        mkdirSync(folder, { recursive: true, mode: 0o755 });
        return folder;
      }) as [string, string, string];
      return {
        ...developer,
        home,
        cwd,
        managed: { folder: etc, owner: process.getuid?.() ?? 0 },
        journal: journalPlaces({ home }),
      };
    }),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
