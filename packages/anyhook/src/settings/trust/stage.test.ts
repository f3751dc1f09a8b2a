import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { moduleEntry } from './entry.ts';
import {
  argvCommand,
  cloneOf,
  cover,
  hash,
  projectWith,
  runStaged,
  scratch,
  staged,
} from './fixtures/scratch.ts';
import { trustedFilesOf } from './gathering.ts';
import { changedInPlace, stage } from './stage.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the copy runs as the original did', () => {
  test('a sourced neighbour works from the copy, which later changes do not affect', () => {
    const project = projectWith({
      'hooks/g.sh*': '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nsay\n',
      'hooks/lib.sh': 'say() { echo trusted; }\n',
    });
    const c = cover(project, './hooks/g.sh');
    const ready = staged(c);
    writeFileSync(join(project.root, 'hooks/lib.sh'), 'say() { echo evil; }\n');
    writeFileSync(join(project.root, 'hooks/g.sh'), 'echo evil\n');
    expect(runStaged(c, ready)).toEqual({ code: 0, stdout: 'trusted\n', stderr: '' });
  });

  test.each([
    ['. ./hooks/lib.sh'],
    ['. "$CLAUDE_PROJECT_DIR/hooks/lib.sh"'],
    ['HERE="$(cd "$(dirname "$0")" && pwd)"; . "$HERE/lib.sh"'],
    ['cd "$(dirname "$0")" && . ./lib.sh'],
    ['L=hooks/lib.sh; . "./$L"'],
    ["bash -c '. ./hooks/lib.sh; say'; say() { :; }"],
  ])('sources the copy too: %s', (text) => {
    const project = projectWith({
      'hooks/g.sh*': `#!/bin/bash\n${text}\nsay\n`,
      'hooks/lib.sh': 'say() { echo trusted; }\n',
    });
    const c = cover(project, './hooks/g.sh');
    const ready = staged(c);
    writeFileSync(join(project.root, 'hooks/lib.sh'), 'say() { echo evil; }\n');
    expect(runStaged(c, ready)).toEqual({ code: 0, stdout: 'trusted\n', stderr: '' });
  });

  test('working directory, arguments and the name in $0 stay the same', () => {
    const project = projectWith({
      'hooks/with space.sh*': '#!/bin/sh\npwd\nbasename "$0"\nbasename "$(dirname "$0")"\necho "$@"\n',
    });
    const c = cover(project, `./hooks/with\\ space.sh 'a  b' data.txt`);
    expect(runStaged(c)).toEqual({
      code: 0,
      stdout: `${project.root}\nwith space.sh\nhooks\na  b data.txt\n`,
      stderr: '',
    });
  });

  test('words that are data keep their spelling, so that a guard still protects the right file', () => {
    const project = projectWith({ 'g.sh*': '#!/bin/sh\necho "$1"; cat "$1"\n', 'package.json': '{}\n' });
    const c = cover(project, './g.sh package.json');
    const ready = staged(c);
    expect([runStaged(c, ready).stdout, c.files.map((f) => f.name), changedInPlace(c)]).toEqual([
      'package.json\n{}\n',
      ['g.sh', 'package.json'],
      [],
    ]);
    writeFileSync(join(project.root, 'package.json'), '{"a":1}\n');
    expect(changedInPlace(c)).toEqual(['package.json']);
  });

  test('a script that is not executable fails with 126 as before', () => {
    for (const [name, code] of [
      ['g.sh', 126],
      ['g.sh*', 0],
    ] as const) {
      const c = cover(projectWith({ [name]: '#!/bin/sh\nexit 0\n' }), './g.sh');
      expect(runStaged(c).code).toBe(code);
    }
  });

  test('files have mode 0500 or 0400, folders 0700', () => {
    const c = cover(projectWith({ 'h/g.sh*': '. ./h/l.sh', 'h/l.sh': ':' }), './h/g.sh');
    const root = staged(c).root ?? '';
    const mode = (name: string) => (statSync(join(root, name)).mode & 0o777).toString(8);
    expect(['', 'h', 'h/g.sh', 'h/l.sh'].map(mode)).toEqual(['700', '700', '500', '400']);
  });

  test('data next to the script stays reachable, as does what the script writes there', () => {
    const project = projectWith({
      'hooks/g.sh*':
        '#!/bin/sh\ncat "$(dirname "$0")/rules.txt"\necho line >> "$(dirname "$0")/../out.log"\n',
      'hooks/rules.txt': 'rule\n',
      'out.log': '',
    });
    const c = cover(project, './hooks/g.sh');
    expect(c.files.map((f) => f.name)).toEqual(['hooks/g.sh']);
    expect(runStaged(c)).toEqual({ code: 0, stdout: 'rule\n', stderr: '' });
    expect(readFileSync(join(project.root, 'out.log'), 'utf8')).toBe('line\n');
  });

  test('a link in the project is a link in the copy, so $0 and realpath both lead to copies', () => {
    const project = projectWith({
      'real/g.sh*': '#!/bin/bash\n. "$(dirname "$0")/near.sh"\n. "$(dirname "$(readlink -f "$0")")/far.sh"\n',
      'hooks/near.sh': 'echo near\n',
      'real/far.sh': 'echo far\n',
    });
    symlinkSync('../real/g.sh', join(project.root, 'hooks/g.sh'));
    symlinkSync('hooks', join(project.root, 'hk'));
    const c = cover(project, './hk/g.sh');
    const ready = staged(c);
    rmSync(join(project.root, 'real/g.sh'));
    writeFileSync(join(project.root, 'hooks/near.sh'), 'echo evil\n');
    expect(runStaged(c, ready)).toEqual({ code: 0, stdout: 'near\nfar\n', stderr: '' });
  });

  test('a path through a folder without covered files stays inside of the copy', () => {
    const project = projectWith({
      'h/g.sh*': '#!/bin/sh\n. "$(dirname "$0")/sub/../lib.sh"\n',
      'h/lib.sh': 'echo trusted\n',
      'h/sub/x.txt': '',
    });
    const c = cover(project, './h/g.sh');
    const ready = staged(c);
    writeFileSync(join(project.root, 'h/lib.sh'), 'echo evil\n');
    expect(runStaged(c, ready).stdout).toBe('trusted\n');
  });

  test('node modules import local files from the copy and packages from the project', () => {
    const project = projectWith({
      'package.json': '{"type":"module"}',
      'hooks/g.js': `import { say } from './lib.js'; import dep from 'dep'; console.log(say, dep);`,
      'hooks/lib.js': `export const say = 'trusted';`,
      'node_modules/dep/package.json': '{"name":"dep","type":"module","exports":"./i.js"}',
      'node_modules/dep/i.js': `export default 'dep';`,
    });
    const c = cover(project, 'node hooks/g.js');
    const ready = staged(c);
    writeFileSync(join(project.root, 'hooks/lib.js'), `export const say = 'evil';`);
    expect(runStaged(c, ready)).toEqual({ code: 0, stdout: 'trusted dep\n', stderr: '' });
    const entry = moduleEntry(join(project.root, 'hooks/g.js'), { file: 'x', dialect: 'anyhook' });
    const module = staged(trustedFilesOf(entry, project));
    expect(module.file).toBe(join(module.root ?? '', 'hooks/g.js'));
    expect(execFileSync(process.execPath, [module.file ?? ''], { encoding: 'utf8' })).toBe('evil dep\n');
  });

  test.skipIf(!hasPython)('python imports the copied neighbour, and no other file next to it', () => {
    const project = projectWith({
      'h/p.py': 'import subprocess, lib\nprint(lib.say)\n',
      'h/lib.py': "say = 'trusted'\n",
      'h/signal.py': "print('evil')\n",
      'h/selectors/__init__.py': "print('evil')\n",
    });
    // Negative control: next to the original script these do run, although the script never names them.
    const naive = spawnSync('python3', [join(project.root, 'h/p.py')], { encoding: 'utf8' });
    expect(naive.stdout).toContain('evil');
    const c = cover(project, 'python3 h/p.py');
    const ready = staged(c);
    writeFileSync(join(project.root, 'h/lib.py'), "say = 'evil'\n");
    expect(runStaged(c, ready)).toEqual({ code: 0, stdout: 'trusted\n', stderr: '' });
  });

  test('a list of arguments, a nested command and an unparsable one are redirected to the copy too', () => {
    const project = projectWith({ 'g.sh*': '#!/bin/sh\necho trusted\n' });
    const covers = [
      trustedFilesOf(argvCommand(project, ['./g.sh']), project),
      cover(project, `bash -c "echo \\"$(./g.sh)\\""`),
      cover(project, `sh -c './g.sh'`),
    ];
    const ready = covers.map((c) => staged(c));
    writeFileSync(join(project.root, 'g.sh'), '#!/bin/sh\necho evil\n');
    expect(covers.map((c, i) => runStaged(c, ready[i]).stdout)).toEqual([
      'trusted\n',
      'trusted\n',
      'trusted\n',
    ]);
    const broken = cover(project, './g.sh "');
    const run = staged(broken).run;
    expect(run !== undefined && 'line' in run && run.line.includes(project.root)).toBe(false);
    expect(run !== undefined && 'line' in run ? run.line : '').toMatch(/\/g\.sh "$/);
  });

  test('a command without files runs unchanged', () => {
    const c = cover(projectWith({}), 'echo hi');
    expect(staged(c)).toEqual({ kind: 'staged', run: { line: 'echo hi' } });
  });
});

describe('the copy itself', () => {
  const tampered: [title: string, spoil: (root: string) => void][] = [
    [
      'a changed byte',
      (root) => {
        chmodSync(join(root, 'h/l.sh'), 0o600);
        writeFileSync(join(root, 'h/l.sh'), 'echo evil\n');
        chmodSync(join(root, 'h/l.sh'), 0o400);
      },
    ],
    ['a missing file', (root) => rmSync(join(root, 'h/l.sh'))],
    [
      'a link in place of a file',
      (root) => {
        rmSync(join(root, 'h/l.sh'));
        symlinkSync('/etc/hostname', join(root, 'h/l.sh'));
      },
    ],
    [
      'a link in place of a folder',
      (root) => {
        rmSync(join(root, 'h'), { recursive: true });
        symlinkSync('/tmp', join(root, 'h'));
      },
    ],
    [
      'a folder in place of a file',
      (root) => {
        rmSync(join(root, 'h/l.sh'));
        mkdirSync(join(root, 'h/l.sh'));
      },
    ],
    [
      'a link in place of everything',
      (root) => {
        rmSync(root, { recursive: true });
        symlinkSync('/tmp', root);
      },
    ],
    ['other rights', (root) => chmodSync(join(root, 'h/g.sh'), 0o777)],
    ['code that was added', (root) => writeFileSync(join(root, 'h/extra.py'), 'evil')],
  ];
  test.each(tampered)('%s is repaired before it runs', (_, spoil) => {
    const project = projectWith({
      'h/g.sh*': '#!/bin/sh\n. "$(dirname "$0")/l.sh"\n',
      'h/l.sh': 'echo trusted\n',
    });
    const [c, copies] = [cover(project, './h/g.sh'), scratch()];
    const root = staged(c, copies).root ?? '';
    const before = listing(root);
    spoil(root);
    expect(runStaged(c, staged(c, copies))).toEqual({ code: 0, stdout: 'trusted\n', stderr: '' });
    expect(listing(root)).toEqual(before);
  });

  test('plain data that a hook left next to itself stays for its next run', () => {
    const c = cover(
      projectWith({ 'g.sh*': '#!/bin/sh\nf="$(dirname "$0")/count"\necho x >> "$f"\nwc -l < "$f"\n' }),
      './g.sh',
    );
    const copies = scratch();
    const counts = [1, 2].map(() => runStaged(c, staged(c, copies)).stdout.trim());
    expect(counts).toEqual(['1', '2']);
  });

  test('two clones with the same hash have separate and complete copies', () => {
    const project = projectWith({ 'g.sh*': '#!/bin/sh\npwd\n' });
    const copies = scratch();
    const both = [cover(project, './g.sh'), cover(cloneOf(project), './g.sh')];
    expect(new Set(both.map(hash)).size).toBe(1);
    expect(both.map((c) => runStaged(c, staged(c, copies)).stdout)).toEqual(
      both.map((c) => `${c.project.root}\n`),
    );
    expect(readdirSync(copies, { recursive: true }).filter((n) => String(n).endsWith('.tmp'))).toEqual([]);
  });

  test('rejects a folder inside the project, one that others can write to, and an invalid hash', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const c = cover(project, './g.sh');
    const open = scratch();
    chmodSync(open, 0o777);
    expect([
      stage(c, hash(c), join(project.root, 'x')).kind,
      stage(c, hash(c), open).kind,
      stage(c, 'sha256:../../x', scratch()).kind,
      stage(c, hash(c), 'relative').kind,
    ]).toEqual(['unstaged', 'unstaged', 'unstaged', 'unstaged']);
    expect(existsSync(join(project.root, 'x'))).toBe(false);
  });

  test('leaves .git out of the copy, so that a script cannot commit from it', () => {
    const project = projectWith({ 'g.sh*': ':', '.git/HEAD': 'x', 'other.txt': '' });
    const root = staged(cover(project, './g.sh')).root ?? '';
    expect(readdirSync(root).toSorted()).toEqual(['g.sh', 'other.txt']);
  });
});

function listing(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => `${name} ${(lstatSync(join(root, name)).mode & 0o7777).toString(8)}`);
}
