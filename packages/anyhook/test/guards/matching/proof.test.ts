/**
 * Runs every deleting form in its own home, hundreds in one bash, to prove that it deletes. A mount namespace makes
 * everything except an empty /tmp read-only, because `/bin/rm* -rf ~/victim` also matches /bin/rmdir.
 */

import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpus, type Deleting } from '../../corpus/read-corpus.ts';
import { measure } from '../figures.ts';

const FORMS = corpus<Deleting>('matching/deleting.jsonl')
  .filter(({ needs }) => (needs ?? []).every(isHere))
  .map(({ form }) => form);
const BATCHES = 2;
const APART = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** A user namespace maps other users to root, with access only to their own files. */
const UNSHARE = process.getuid?.() === 0 ? APART : ['--map-root-user', ...APART];
const CAN_BE_APART =
  existsSync('/bin/bash') && spawnSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' }).status === 0;

/**
 * Makes all mounts read-only except those of the kernel, empties /tmp, and verifies that system folders are read-only.
 */
const SEAL = `set -eu
mount --make-rprivate /
while read -r _ _ _ _ at _; do
  at=$(printf '%b' "$at")
  case $at in /proc|/proc/*|/dev|/dev/*|/sys|/sys/*) ;; *) mount -o remount,bind,ro "$at" ;; esac
done </proc/self/mountinfo
mount -t tmpfs tmpfs /tmp
cd /tmp
if (: >/usr/bin/.anyhook-proof) 2>/dev/null; then echo 'the file system can be written' >&2; exit 1; fi
set +eu
`;
/** Reads the forms from its input, and prints the place in the list of each whose victim still stands. */
const PROVE = `mapfile -d '' forms
for i in "\${!forms[@]}"; do
  d="/tmp/$i"
  mkdir -p "$d/home/victim" "$d/work" && echo x >"$d/home/victim/keep"
  (cd "$d/work" && HOME="$d/home" exec timeout -k 1 30 bash --norc -c "\${forms[i]}") </dev/null >/dev/null 2>&1
  [ ! -e "$d/home/victim" ] || echo "$i"
done`;

/** `root` and `tty` are not programs; the system is asked for them. */
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
const programs = () => ['/usr/bin', '/usr/sbin', '/bin', '/sbin'].map((folder) => readdirSync(folder));

if (!CAN_BE_APART) measure('matching', 'deleting forms proven in bash', 'not tried, no mount namespace here');

describe.skipIf(!CAN_BE_APART)('the forms that delete', () => {
  test('every deleting form deletes in a real bash and damages nothing else', async () => {
    const before = programs();
    const batches = Array.from({ length: BATCHES }, (_, batch) =>
      FORMS.filter((_form, at) => at % BATCHES === batch),
    );
    const kept = (await Promise.all(batches.map(standing))).flat();
    measure('matching', 'deleting forms proven in bash', `${FORMS.length - kept.length} of ${FORMS.length}`);
    expect([kept, programs()]).toEqual([[], before]);
  });

  test('control: a form that does not delete is detected', async () => {
    expect(await standing(['ls ~/victim', 'rm -rf ~/victim', 'echo rm -rf ~/victim'])).toEqual([
      'ls ~/victim',
      'echo rm -rf ~/victim',
    ]);
  });
});

/** The forms that did not delete the victim. */
function standing(forms: readonly string[]): Promise<string[]> {
  const env = {
    PATH: process.env['PATH'],
    TERM: 'dumb',
    SHELL: '/bin/bash',
    GIT_CONFIG_NOSYSTEM: '1',
    ...(process.env['PYENV_ROOT'] !== undefined && { PYENV_ROOT: process.env['PYENV_ROOT'] }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn('unshare', [...UNSHARE, 'bash', '--norc', '-c', SEAL + PROVE], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) return reject(new Error(`the namespace ended with ${code}`));
      resolve(printed.split('\n').flatMap((line) => (line === '' ? [] : [forms[Number(line)]!])));
    });
    child.stdin.end(forms.map((form) => `${form}\0`).join(''));
  });
}
