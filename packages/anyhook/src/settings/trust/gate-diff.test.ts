/** The difference that users see when trusted content changes, and the effect of bound folders. */

import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, projectWith, scratch } from './fixtures/scratch.ts';
import { fieldLines, judgeTrust, type GateOptions } from './gate.ts';
import { sha256 } from './hash.ts';
import type { Project } from './project.ts';
import { recordOf } from './record.ts';
import { openTrustStore } from './store.ts';

const TERMINAL: GateOptions = { isTerminal: true };
/** Trusts the line, and returns a function that judges it again. */
function trusted(project: Project, line: string, options: Partial<GateOptions> = {}) {
  const store = openTrustStore(join(scratch(), 'trust'));
  const judge = (fields = {}, now: Partial<GateOptions> = {}) =>
    judgeTrust(command(project, line, fields), project, store, { ...TERMINAL, ...now });
  store.add(recordOf(judge({}, options).trustedFiles, new Date()));
  return judge;
}

describe('a difference', () => {
  test('the difference contains only what changed: the entry, each file, the links', () => {
    const project = projectWith({ 'g.sh*': '. ./l.sh\n. ./k.sh\n', 'l.sh': 'one\n', 'm.sh': 'two\n' });
    symlinkSync('m.sh', join(project.root, 'k.sh'));
    const judge = trusted(project, './g.sh');
    rmSync(join(project.root, 'k.sh'));
    symlinkSync('l.sh', join(project.root, 'k.sh'));
    expect(judge({ matcher: 'Write' }).diff).toBe(
      [
        '--- the entry (trusted)',
        '+++ the entry (now)',
        '@@ -1,5 +1,5 @@',
        ' dialect: "claude-code"',
        ' kind: "command"',
        '-matcher: "Bash"',
        '+matcher: "Write"',
        ' on: "PreToolUse"',
        ' run: {"line":"./g.sh"}',
        '--- m.sh (trusted)',
        '+++ m.sh (now)',
        '@@ -1 +0,0 @@',
        '-two',
        '--- links (trusted)',
        '+++ links (now)',
        '@@ -1 +1 @@',
        '-k.sh → m.sh',
        '+k.sh → l.sh',
      ].join('\n'),
    );
  });

  test('the difference reports a changed executable bit together with the content', () => {
    const project = projectWith({ 'a.sh*': '1\n', 'b.sh': '2\n', 'c\u202e.sh': '3\n' });
    const judge = trusted(project, '. ./a.sh; . ./b.sh; . ./c\u202e.sh');
    chmodSync(join(project.root, 'a.sh'), 0o644);
    chmodSync(join(project.root, 'c\u202e.sh'), 0o755);
    writeFileSync(join(project.root, 'b.sh'), '4\n');
    expect(judge().diff).toBe(
      [
        'a.sh is no longer executable',
        '--- b.sh (trusted)',
        '+++ b.sh (now)',
        '@@ -1 +1 @@',
        '-2',
        '+4',
        'c\\u{202e}.sh is now executable',
      ].join('\n'),
    );
  });

  test('the difference shows hashes for binary files, and for files that are empty and new or removed', () => {
    const project = projectWith({
      'g.sh*': '. ./a.sh\n. ./gone.sh\n. ./was.sh\n. ./new.sh\n',
      'a.sh': '1\n',
      'gone.sh': '',
    });
    const binary = Buffer.from([0xff, 0xfe]);
    writeFileSync(join(project.root, 'was.sh'), binary);
    const judge = trusted(project, './g.sh');
    writeFileSync(join(project.root, 'a.sh'), binary);
    writeFileSync(join(project.root, 'was.sh'), 'text\n');
    writeFileSync(join(project.root, 'new.sh'), '');
    rmSync(join(project.root, 'gone.sh'));
    expect(judge().diff).toBe(
      [
        `a.sh: ${sha256('1\n')} → ${sha256(binary)}`,
        `gone.sh: ${sha256('')} → removed`,
        `new.sh: absent → ${sha256('')}`,
        `was.sh: ${sha256(binary)} → ${sha256('text\n')}`,
      ].join('\n'),
    );
  });

  test('there is no difference if nothing was trusted, or if nothing changed', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const store = openTrustStore(join(scratch(), 'trust'));
    const unknown = judgeTrust(command(project, './g.sh'), project, store, TERMINAL);
    expect([unknown.state, 'diff' in unknown]).toEqual(['unknown', false]);
    const again = trusted(project, './g.sh')();
    expect([again.state, 'diff' in again, again.mayAsk]).toEqual(['trusted', false, true]);
  });
});

describe('an entry for people', () => {
  test('an entry is shown with one field per line, as its author wrote it', () => {
    const entry = JSON.stringify({
      fields: [
        ['a', '\0project/x \0\0'],
        ['b', { fields: [['c', ['\0project', null, 1, true, { number: 'NaN' }]]] }],
      ],
    });
    expect(fieldLines(entry)).toBe('a: "<project>/x \\u0000"\nb: {"c":["<project>",null,1,true,"NaN"]}\n');
  });

  test('an unreadable entry is shown as its hash', () => {
    expect(['no JSON', '{}', 'null'].map(fieldLines)).toEqual(
      ['no JSON', '{}', 'null'].map((text) => `${sha256(text)}\n`),
    );
  });
});

describe('a folder that was bound', () => {
  const files = { 'g.sh*': ':\n', 'lib/a.txt': '1\n' };
  const bound = { folders: ['lib'] };

  test('a bound folder counts in later judgements without being named again', () => {
    const project = projectWith(files);
    const judge = trusted(project, './g.sh', bound);
    expect([judge().state, judge({}, bound).state, judge().trustedFiles.asked]).toEqual([
      'trusted',
      'trusted',
      ['lib'],
    ]);
    writeFileSync(join(project.root, 'lib/a.txt'), '2\n');
    expect([judge().state, judge().diff]).toEqual([
      'modified',
      ['--- lib/a.txt (trusted)', '+++ lib/a.txt (now)', '@@ -1 +1 @@', '-1', '+2'].join('\n'),
    ]);
  });

  test('a bound folder does not count if the caller names another one', () => {
    const project = projectWith({ ...files, 'other/b.txt': '1\n' });
    const judge = trusted(project, './g.sh', bound);
    const other = judge({}, { folders: ['other'] });
    expect([other.state, other.trustedFiles.asked]).toEqual(['modified', ['other']]);
  });

  test('a bound folder does not affect an entry that was trusted without it', () => {
    const judge = trusted(projectWith(files), './g.sh');
    expect([judge().state, judge().trustedFiles.asked, judge({ matcher: 'x' }).trustedFiles.asked]).toEqual([
      'trusted',
      [],
      [],
    ]);
  });
});

describe('content that cannot be asked about', () => {
  test('a project that contains the trust store is untrustable, with all obstacles', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const folder = join(project.root, '.config/trust');
    const judged = judgeTrust(command(project, './g.sh'), project, openTrustStore(folder), TERMINAL);
    expect([judged.state, judged.mayAsk, judged.trustedFiles.obstacles]).toEqual([
      'untrustable',
      false,
      [`the trust store ${folder} is inside the project`],
    ]);
  });

  test('without a trust store an entry is only unknown', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const judged = judgeTrust(command(project, './g.sh'), project, openTrustStore(undefined), TERMINAL);
    expect([judged.state, judged.mayAsk, judged.trustedFiles.obstacles]).toEqual(['unknown', true, []]);
  });
});
