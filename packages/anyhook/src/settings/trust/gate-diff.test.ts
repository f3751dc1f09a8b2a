/** What a person is shown when something they trusted has changed, and what a folder that they bound is worth. */
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
/** Trusts the line as it is; what is returned judges it again. */
function trusted(project: Project, line: string, options: Partial<GateOptions> = {}) {
  const store = openTrustStore(join(scratch(), 'trust'));
  const judge = (fields = {}, now: Partial<GateOptions> = {}) =>
    judgeTrust(command(project, line, fields), project, store, { ...TERMINAL, ...now });
  store.add(recordOf(judge({}, options).trustedFiles, new Date()));
  return judge;
}

describe('a difference', () => {
  test('is nothing but what changed: the entry, each file by its name, the links', () => {
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

  test('says of a file that it can be run now, or no longer, beside what changed in it', () => {
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

  test('of what is no text is told by its hashes, as is what is empty and new, or gone', () => {
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
        `gone.sh: ${sha256('')} → gone`,
        `new.sh: not there → ${sha256('')}`,
        `was.sh: ${sha256(binary)} → ${sha256('text\n')}`,
      ].join('\n'),
    );
  });

  test('is not told where nothing was trusted, or what was is there', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const store = openTrustStore(join(scratch(), 'trust'));
    const unknown = judgeTrust(command(project, './g.sh'), project, store, TERMINAL);
    expect([unknown.state, 'diff' in unknown]).toEqual(['unknown', false]);
    const again = trusted(project, './g.sh')();
    expect([again.state, 'diff' in again, again.mayAsk]).toEqual(['trusted', false, true]);
  });
});

describe('an entry for people', () => {
  test('is one field a line, as its author wrote it', () => {
    const entry = JSON.stringify({
      fields: [
        ['a', '\0project/x \0\0'],
        ['b', { fields: [['c', ['\0project', null, 1, true, { number: 'NaN' }]]] }],
      ],
    });
    expect(fieldLines(entry)).toBe('a: "<project>/x \\u0000"\nb: {"c":["<project>",null,1,true,"NaN"]}\n');
  });

  test('that cannot be read is its hash', () => {
    expect(['no JSON', '{}', 'null'].map(fieldLines)).toEqual(
      ['no JSON', '{}', 'null'].map((text) => `${sha256(text)}\n`),
    );
  });
});

describe('a folder that was bound', () => {
  const files = { 'g.sh*': ':\n', 'lib/a.txt': '1\n' };
  const bound = { folders: ['lib'] };

  test('counts in later judgements without being named again', () => {
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

  test('is not the one that a caller names instead', () => {
    const project = projectWith({ ...files, 'other/b.txt': '1\n' });
    const judge = trusted(project, './g.sh', bound);
    const other = judge({}, { folders: ['other'] });
    expect([other.state, other.trustedFiles.asked]).toEqual(['modified', ['other']]);
  });

  test('makes no difference to an entry that was trusted without', () => {
    const judge = trusted(projectWith(files), './g.sh');
    expect([judge().state, judge().trustedFiles.asked, judge({ matcher: 'x' }).trustedFiles.asked]).toEqual([
      'trusted',
      [],
      [],
    ]);
  });
});

describe('what nobody can be asked about', () => {
  test('is a project that holds the store, which is said with what else stands in the way', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const folder = join(project.root, '.config/trust');
    const judged = judgeTrust(command(project, './g.sh'), project, openTrustStore(folder), TERMINAL);
    expect([judged.state, judged.mayAsk, judged.trustedFiles.obstacles]).toEqual([
      'untrustable',
      false,
      [`the trust store ${folder} lies inside the project`],
    ]);
  });

  test('is nothing where no store is kept at all: then it is only not known', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const judged = judgeTrust(command(project, './g.sh'), project, openTrustStore(undefined), TERMINAL);
    expect([judged.state, judged.mayAsk, judged.trustedFiles.obstacles]).toEqual(['unknown', true, []]);
  });
});
