import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectWith } from './fixtures/scratch.ts';
import { MAX_FILE_BYTES, readOnce } from './read-once.ts';

describe('a file of the project', () => {
  test('reads the bytes of a file and whether it is executable', () => {
    const project = projectWith({ 'g.sh*': 'echo ü\n', 'l.sh': '', 'deep/m.mjs': '1;' });
    expect(['g.sh', 'l.sh', 'deep/m.mjs'].map((name) => readOnce(project, name))).toEqual([
      { kind: 'read', bytes: Buffer.from('echo ü\n'), executable: true },
      { kind: 'read', bytes: Buffer.alloc(0), executable: false },
      { kind: 'read', bytes: Buffer.from('1;'), executable: false },
    ]);
  });

  test.each([0o744, 0o654, 0o645])('a file with any executable bit (%o) is executable', (mode) => {
    const project = projectWith({ g: ':' });
    chmodSync(join(project.root, 'g'), mode);
    expect(readOnce(project, 'g')).toEqual({ kind: 'read', bytes: Buffer.from(':'), executable: true });
  });

  test('reads a file of 8 MiB, and rejects one with one byte more', () => {
    const project = projectWith({ most: '', more: '' });
    for (const [name, size] of [
      ['most', MAX_FILE_BYTES],
      ['more', MAX_FILE_BYTES + 1],
    ] as const)
      truncateSync(join(project.root, name), size);
    const most = readOnce(project, 'most');
    expect([MAX_FILE_BYTES, most.kind === 'read' && most.bytes.equals(Buffer.alloc(MAX_FILE_BYTES))]).toEqual(
      [8 * 1024 * 1024, true],
    );
    expect(readOnce(project, 'more')).toEqual({
      kind: 'unread',
      why: 'more is larger than 8388608 bytes, the most that can be trusted',
    });
  });

  test('reads a file without a size until its end', () => {
    const read = readOnce({ root: '/proc/self' }, 'cmdline');
    // /proc/self resolves to the process number, so the path differs from the requested one.
    expect(read).toEqual({ kind: 'unread', why: 'cmdline moved while it was being read' });
    const own = readOnce({ root: `/proc/${process.pid}` }, 'cmdline');
    expect(own.kind === 'read' && own.bytes.includes('node')).toBe(true);
  });
});

describe('what is no file of the project is not read', () => {
  test('does not read a missing file', () => {
    const project = projectWith({});
    expect(readOnce(project, 'g.sh')).toEqual({
      kind: 'unread',
      why: `g.sh cannot be opened: ENOENT: no such file or directory, open '${project.root}/g.sh'`,
    });
  });

  test('does not read a folder or a device', () => {
    const project = projectWith({ 'lib/g.sh': ':' });
    expect([readOnce(project, 'lib'), readOnce({ root: '/dev' }, 'null')]).toEqual([
      { kind: 'unread', why: 'lib is not a regular file' },
      { kind: 'unread', why: 'null is not a regular file' },
    ]);
  });

  test('does not read a link, even to a file next to it', () => {
    const project = projectWith({ 'g.sh': ':' });
    symlinkSync('g.sh', join(project.root, 'l.sh'));
    expect(readOnce(project, 'l.sh')).toMatchObject({
      kind: 'unread',
      why: expect.stringMatching(/^l\.sh cannot be opened: ELOOP/),
    });
  });

  test('does not read a file in a folder that was replaced by a link', () => {
    const project = projectWith({});
    mkdirSync(join(project.root, 'evil'));
    writeFileSync(join(project.root, 'evil/g.sh'), ':');
    symlinkSync('evil', join(project.root, 'lib'));
    expect(readOnce(project, 'lib/g.sh')).toEqual({
      kind: 'unread',
      why: 'lib/g.sh moved while it was being read',
    });
  });
});
