/** Takes the change of a call out of a text that was edited afterwards, if the two do not overlap. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MergeTexts {
  readonly now: Buffer;
  /** What the call left, and what was there before it. */
  readonly left: Buffer;
  readonly wanted: Buffer;
}

const MOST_BYTES = 5_000_000;

/** Undefined if the edits overlap, one of the files is no text, or git is missing. Configuration of the user and of the project does not count. */
export function mergedText({ now, left, wanted }: MergeTexts): Buffer | undefined {
  if ([now, left, wanted].some((bytes) => bytes.length > MOST_BYTES || bytes.includes(0))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-merge-'));
  try {
    for (const [name, bytes] of Object.entries({ now, left, wanted }))
      writeFileSync(join(folder, name), bytes);
    const { PATH = '' } = process.env;
    const env = {
      PATH,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CEILING_DIRECTORIES: tmpdir(),
    };
    const { status, stdout } = spawnSync('git', ['merge-file', '-p', '-q', 'now', 'left', 'wanted'], {
      cwd: folder,
      env,
      maxBuffer: 3 * MOST_BYTES,
    });
    return status === 0 ? stdout : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
