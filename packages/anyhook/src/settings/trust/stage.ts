import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { commandOf, type Hook, type Way } from '../../events/hook.ts';
import { thrownText } from '../../events/thrown.ts';
import { commandText } from '../../shell/files-run/command-text.ts';
import { isInside, physical } from '../inside.ts';
import { makeFolder } from '../make-folder.ts';
import { isHash, sha256 } from './hash.ts';
import { makeStage } from './make-stage.ts';
import { readOnce } from './read-once.ts';
import { inCopy, planOf } from './stage-plan.ts';
import type { TrustedFiles } from './trusted-files.ts';

type Run = Extract<Way, { kind: 'command' }>['run'];

export type StageResult =
  | {
      readonly kind: 'staged';
      /** The copy of the project's root. Absent if the entry names no file. */
      readonly root?: string;
      /** The command with its words redirected to the copy, to be run in the same folder as before. */
      readonly run?: Run;
      /** The module's copy. */
      readonly file?: string;
    }
  | { readonly kind: 'unstaged'; readonly why: string };

/**
 * Writes the hashed bytes to a folder that only the user can write, and returns how to run them. Does not
 * read the project again.
 */
export function stage(trustedFiles: TrustedFiles, hash: string, folder: string): StageResult {
  const { named } = trustedFiles.entry;
  if (!isHash(hash)) return { kind: 'unstaged', why: `${hash} is not a hash` };
  if (trustedFiles.obstacles.length > 0) return { kind: 'unstaged', why: trustedFiles.obstacles.join('; ') };
  if (trustedFiles.files.length === 0 && trustedFiles.copied.size === 0)
    return {
      kind: 'staged',
      ...(named.kind === 'command' ? { run: pointed(named.run, trustedFiles, '') } : {}),
    };
  try {
    const home = privateFolder(folder, trustedFiles);
    const root = join(home, hash.slice('sha256:'.length), sha256(trustedFiles.project.root).slice(0, 16));
    makeStage(root, planOf(trustedFiles, root));
    if (named.kind === 'command')
      return { kind: 'staged', root, run: pointed(named.run, trustedFiles, root) };
    const name = named.kind === 'module' ? trustedFiles.copied.get(named.file) : undefined;
    return { kind: 'staged', root, ...(name === undefined ? {} : { file: join(root, name) }) };
  } catch (error) {
    return { kind: 'unstaged', why: `cannot create a private copy in ${folder}: ${thrownText(error)}` };
  }
}

const pointed = (run: Run, trustedFiles: TrustedFiles, root: string): Run =>
  commandText(run, trustedFiles.facts, inCopy(trustedFiles, root)).run;

function privateFolder(folder: string, trustedFiles: TrustedFiles): string {
  if (!isAbsolute(folder)) throw new Error('it is not an absolute path');
  if (isInside(trustedFiles.project.root, physical(folder))) throw new Error('it is inside the project');
  makeFolder(folder);
  const real = physical(folder);
  const status = statSync(real);
  if (process.platform !== 'win32') {
    if (status.uid !== process.getuid?.()) throw new Error('it belongs to another user');
    if ((status.mode & 0o022) !== 0) throw new Error('other users can write to it');
  }
  return real;
}

/** Returns the hook with its command redirected to the copy. */
export function stagedHook(
  written: Hook,
  staged: Extract<StageResult, { kind: 'staged' }>,
  project: string,
): Hook {
  const what = commandOf(written) ?? '';
  const hook: Hook =
    staged.root === undefined
      ? { ...written, ...(written.run.kind === 'command' && { written: what }) }
      : { ...written, copy: { what, at: staged.root, of: project } };
  if (hook.run.kind === 'command' && staged.run !== undefined)
    return { ...hook, run: { ...hook.run, run: staged.run } };
  if (hook.run.kind === 'mcp' && typeof hook.run.server === 'object' && staged.run && 'argv' in staged.run) {
    const [command, ...args] = staged.run.argv;
    return { ...hook, run: { ...hook.run, server: { ...hook.run.server, command, args } } };
  }
  if (hook.run.kind === 'isolated' && staged.file !== undefined)
    return { ...hook, run: { ...hook.run, file: staged.file } };
  return hook;
}

/**
 * Returns the files, read at their original path, that have changed since they were trusted. Checked before
 * each run.
 */
export function changedInPlace(trustedFiles: TrustedFiles): string[] {
  return trustedFiles.inPlace.filter((name) => {
    const now = readOnce(trustedFiles.project, name);
    const then = trustedFiles.files.find((file) => file.name === name);
    return now.kind === 'unread' || sha256(now.bytes) !== then?.sha256;
  });
}
