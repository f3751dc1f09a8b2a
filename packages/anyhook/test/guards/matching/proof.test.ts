/** Every form of the corpus deletes for real: each runs in a folder of its own, hundreds in one bash. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { corpus, type Deleting } from '../../corpus/read-corpus.ts';
import { figure } from '../figures.ts';

const FORMS = corpus<Deleting>('matching/deleting.jsonl').filter(({ needs }) => (needs ?? []).every(isHere));
const BATCHES = 2;

/** `root` and `tty` are no programs: what they name is asked of the system. */
function isHere(need: string): boolean {
  if (need === 'root') return process.getuid?.() === 0;
  const folders =
    need.startsWith('/') || need === 'tty' ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  const path = need === 'tty' ? '/dev/ptmx' : need;
  return folders.some((folder) => {
    try {
      accessSync(join(folder, path), constants.R_OK);
      return true;
    } catch {
      return false;
    }
  });
}

describe.skipIf(!existsSync('/bin/bash') || !existsSync('/proc'))('the forms that delete', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-proof-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('delete, each of them, in a real bash', async () => {
    for (const [at, { form }] of FORMS.entries()) {
      mkdirSync(join(folder, `${at}/home/victim`), { recursive: true });
      mkdirSync(join(folder, `${at}/work`));
      writeFileSync(join(folder, `${at}/home/victim/keep`), 'x');
      writeFileSync(join(folder, `${at}/form`), form);
    }
    await Promise.all(Array.from({ length: BATCHES }, (_, batch) => runBatch(folder, batch)));
    const kept = FORMS.filter((_, at) => existsSync(join(folder, `${at}/home/victim`))).map(
      ({ form }) => form,
    );
    figure('matching', 'deleting forms proven in bash', FORMS.length - kept.length, FORMS.length);
    expect(kept).toEqual([]);
  });

  test('what is not run deletes nothing', () => {
    mkdirSync(join(folder, 'control/home/victim'), { recursive: true });
    expect(existsSync(join(folder, 'control/home/victim'))).toBe(true);
  });
});

function runBatch(folder: string, batch: number): Promise<void> {
  const driver = `for ((i = ${batch}; i < ${FORMS.length}; i += ${BATCHES})); do
    d="$ROOT/$i"
    (cd "$d/work" && HOME="$d/home" exec timeout -k 1 30 bash --norc -c "$(<../form)") </dev/null >/dev/null 2>&1
  done`;
  const env = {
    PATH: process.env['PATH'],
    ROOT: folder,
    TERM: 'dumb',
    SHELL: '/bin/bash',
    GIT_CONFIG_NOSYSTEM: '1',
    ...(process.env['PYENV_ROOT'] !== undefined && { PYENV_ROOT: process.env['PYENV_ROOT'] }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--norc', '-c', driver], { stdio: 'ignore', env });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
