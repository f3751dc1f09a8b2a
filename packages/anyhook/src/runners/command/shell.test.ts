import { describe, expect, test } from 'vitest';
import { programFor } from './write-job.ts';

describe('a line', () => {
  const line = `echo "a b" && exit 2`;
  test.each([
    ['linux', undefined, undefined, { file: '/bin/sh', args: ['-c', line] }],
    ['darwin', 'zsh', undefined, { file: 'zsh', args: ['-c', line] }],
    ['linux', '/usr/bin/bash', undefined, { file: '/usr/bin/bash', args: ['-c', line] }],
    ['linux', 'pwsh', undefined, { file: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command', line] }],
    [
      'win32',
      undefined,
      undefined,
      { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true },
    ],
    [
      'win32',
      undefined,
      'C:\\Windows\\System32\\CMD.EXE',
      { file: 'C:\\Windows\\System32\\CMD.EXE', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true },
    ],
    [
      'win32',
      'powershell.exe',
      undefined,
      { file: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', line] },
    ],
    ['win32', 'C:\\Git\\bin\\bash.exe', undefined, { file: 'C:\\Git\\bin\\bash.exe', args: ['-c', line] }],
  ])('on %s with shell %s is passed as a whole', (platform, shell, comspec, expected) => {
    const run = shell === undefined ? { line } : { line, shell };
    expect(programFor(run, platform, comspec)).toEqual(expected);
  });
});

test('an argument list is passed without a shell', () => {
  expect(programFor({ argv: ['git', 'commit', '-m', '$(rm -rf x) "y"'] }, 'linux')).toEqual({
    file: 'git',
    args: ['commit', '-m', '$(rm -rf x) "y"'],
  });
});
