/** A home and a project in which an agent's calls are fired and run by shell, and a user undoes them in a terminal. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { treeOf } from '../../src/undo/fixtures/project.ts';

const CLI = join(import.meta.dirname, '../../dist/bin/anyhook.cjs');
const PERSON = join(import.meta.dirname, '../person.sh');

/** Commands of a script must not contain quotes or backslashes, because they become JSON as they are. */
const FUNCTIONS = `
anyhook() { '${process.execPath}' '${CLI}' "$@"; }
fire() { printf '{"hook_event_name":"%s","session_id":"s1","turn_id":"t1","cwd":"%s","tool_name":"Bash","tool_use_id":"%s","tool_input":{"command":"%s"},"tool_response":"ok"}' \
  "$1" "$PROJECT" "$3" "$2" | anyhook fire --as codex; }
call() { fire PreToolUse "$1" "\${2:-c1}"; (cd "$PROJECT" && sh -c "$1"); fire PostToolUse "$1" "\${2:-c1}"; }
undo() { sh '${PERSON}' '${process.execPath}' '${CLI}' undo --cwd "$PROJECT" "$@"; }
`;

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export class UndoGround {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-undo-ground-')));
  readonly home = join(this.root, 'home');
  readonly project = join(this.root, 'project');
  readonly stores = join(this.home, '.local/state/anyhook/undo');

  constructor(undo: unknown = true, atEnd: (clean: () => void) => void = onTestFinished) {
    mkdirSync(join(this.home, '.config/anyhook'), { recursive: true });
    mkdirSync(this.project);
    writeFileSync(
      join(this.home, '.config/anyhook/hooks.json'),
      JSON.stringify({ daemon: 'off', ...(undo !== undefined && { undo }) }),
    );
    atEnd(() => removeTree(this.root));
  }

  /** Runs a shell script with the functions above. `wrap` is a program that runs the shell. */
  sh(
    script: string,
    {
      env = {},
      wrap = [],
      input = '',
    }: { env?: NodeJS.ProcessEnv; wrap?: readonly string[]; input?: string } = {},
  ): Ran {
    const [program, ...args] = [...wrap, 'sh', '-c', `${FUNCTIONS}\n${script}`];
    const { status, stdout, stderr } = spawnSync(program!, args, {
      cwd: this.project,
      encoding: 'utf8',
      input,
      env: {
        PATH: process.env['PATH'],
        HOME: this.home,
        LANG: 'C.UTF-8',
        ROOT: this.root,
        STORES: this.stores,
        PROJECT: this.project,
        GIT_CONFIG_NOSYSTEM: '1',
        ...env,
      },
    });
    return { code: status, output: stdout + stderr };
  }
  tree(): Record<string, string> {
    return treeOf(this.project);
  }
}

/** Mounts are possible in a mount namespace of our own, which ends with its last process. */
export const UNSHARED = ['unshare', '--mount'];
export const mayMount =
  spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' }).status === 0;
