import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSample } from '../../../test/deep.ts';
import { moduleEntry } from './entry.ts';
import { MAX_FILES } from './files-read.ts';
import { argvCommand, command, cover, projectWith, scratch } from './fixtures/scratch.ts';
import { trustedFilesOf } from './gathering.ts';
import { openProject } from './project.ts';
import { MAX_FILE_BYTES } from './read-once.ts';

const FILES = {
  'a.sh*': 'exit 0\n',
  'hooks/g.sh*': 'exit 0\n',
  'hooks/p.py': 'print()\n',
  'hooks/m.mjs': '1;\n',
  'data.txt': 'd\n',
  make: 'm\n',
  'with space.sh': ':\n',
};

describe('the words of a command', () => {
  test.each<[line: string, covered: string[]]>([
    ['./a.sh', ['a.sh']],
    ['a.sh', []], // looked up in PATH, not here
    ['bash a.sh', ['a.sh']],
    ['sh -eu ./hooks/g.sh --flag', ['hooks/g.sh']],
    ['python3 hooks/p.py', ['hooks/p.py']],
    ['python3.12 -u hooks/p.py data.txt', ['data.txt', 'hooks/p.py']],
    ['node hooks/m.mjs', ['hooks/m.mjs']],
    ['node --import ./hooks/m.mjs -e 1', ['hooks/m.mjs']],
    ['node --import=./hooks/m.mjs -e 1', ['hooks/m.mjs']],
    ['"$CLAUDE_PROJECT_DIR"/hooks/g.sh', ['hooks/g.sh']],
    ['${CLAUDE_PROJECT_DIR}/hooks/g.sh', ['hooks/g.sh']],
    ['"${CLAUDE_PROJECT_DIR:-.}/hooks/g.sh"', ['hooks/g.sh']],
    ['~/project/hooks/g.sh', ['hooks/g.sh']],
    ['$(pwd)/hooks/g.sh', ['hooks/g.sh']],
    ['"`pwd`/hooks/g.sh"', ['hooks/g.sh']],
    ["./h'ook's/g\\.sh", ['hooks/g.sh']],
    ["$'\\x2e/hooks/g.sh'", ['hooks/g.sh']],
    ["bash 'with space.sh'", ['with space.sh']],
    ["bash -c './hooks/g.sh && bash a.sh'", ['a.sh', 'hooks/g.sh']],
    [`bash -c "bash -c './a.sh'"`, ['a.sh']],
    ['eval "./a.sh x"', ['a.sh']],
    ["trap './a.sh' EXIT", ['a.sh']],
    ['timeout 5 ./a.sh', ['a.sh']],
    ['timeout -k 1 5 env X=1 nice -n 3 python3 hooks/p.py', ['hooks/p.py']],
    ['env make', []],
    ['make', []],
    ['npx tsx hooks/m.mjs', ['hooks/m.mjs']],
    ['uv run hooks/p.py', ['hooks/p.py']],
    ['exec ./a.sh', ['a.sh']],
    ['true && ./a.sh || ./hooks/g.sh', ['a.sh', 'hooks/g.sh']],
    ['echo hi | ./a.sh | cat data.txt', ['a.sh', 'data.txt']],
    ['if [ -f data.txt ]; then ./a.sh; fi', ['a.sh', 'data.txt']],
    ['echo "$(./a.sh)"', ['a.sh']],
    ['diff <(./a.sh) data.txt', ['a.sh', 'data.txt']],
    ['cat < data.txt', ['data.txt']],
    ['echo x > data.txt', []], // written, not read
    ['./a.sh 2>> data.txt', ['a.sh']],
    ['echo x | tee -a data.txt', []],
    ['tee() { sh "$1"; }; tee a.sh', ['a.sh']], // unless `tee` has another meaning here
    ['cd hooks && ./g.sh', ['hooks/g.sh']],
    ['(cd hooks; ./g.sh); ./a.sh', ['a.sh', 'hooks/g.sh']],
    ['cd "$CLAUDE_PROJECT_DIR" && python3 hooks/p.py', ['hooks/p.py']],
    ['D=hooks; . $D/g.sh', ['hooks/g.sh']],
    ['X=hooks/g.sh; "$X"', ['hooks/g.sh']],
    ['awk -f a.sh data.txt', ['a.sh', 'data.txt']],
    ['jq . <<< "$(cat data.txt)"', ['data.txt']],
    ['/bin/echo --file=data.txt', ['data.txt']],
    ['npm run lint', []],
    ['case "$1" in data.txt) ./a.sh;; esac', ['a.sh']],
    ['[[ $f == data.txt ]] && ./a.sh', ['a.sh']],
  ])('%s', (line, covered) => {
    const project = projectWith({ ...FILES });
    const found = cover(project, line);
    expect({ line, files: found.files.map((f) => f.name), obstacles: found.obstacles }).toEqual({
      line,
      files: covered,
      obstacles: [],
    });
  });

  test('reads a list of arguments in the same way, without a shell', () => {
    const project = projectWith(FILES);
    const names = (argv: [string, ...string[]]) =>
      trustedFilesOf(argvCommand(project, argv), project).files.map((f) => f.name);
    expect(names(['./a.sh', 'data.txt'])).toEqual(['a.sh', 'data.txt']);
    expect(names(['python3', 'hooks/p.py'])).toEqual(['hooks/p.py']);
    expect(names(['sh', '-c', './a.sh'])).toEqual(['a.sh']);
    expect(names(['a.sh'])).toEqual([]);
    expect(names(['sh', '$CLAUDE_PROJECT_DIR/a.sh'])).toEqual([]);
  });

  test('reports folders, and files outside of the project, as not covered', () => {
    const project = projectWith(FILES);
    writeFileSync(join(dirname(project.root), 'out.sh'), ':');
    symlinkSync('../out.sh', join(project.root, 'leaves.sh'));
    expect(cover(project, 'bash ../out.sh; node hooks; ./leaves.sh').outside).toEqual([
      { word: '../out.sh', path: join(dirname(project.root), 'out.sh'), why: 'outside' },
      { word: 'hooks', path: join(project.root, 'hooks'), why: 'folder' },
      { word: './leaves.sh', path: join(dirname(project.root), 'out.sh'), why: 'outside' },
    ]);
  });

  test('binds a command that cannot be parsed by its text and by every word that is a file', () => {
    const project = projectWith(FILES);
    const found = cover(project, `./a.sh "data.txt' ; if`);
    expect(found.unparsed).toBeTypeOf('string');
    expect(found.files.map((f) => f.name)).toEqual(['a.sh', 'data.txt']);
  });

  test('splits a command for another kind of shell at blanks', () => {
    const project = projectWith(FILES);
    const run = { line: '& ./a.sh', shell: 'pwsh' };
    const found = trustedFilesOf(
      { ...command(project, ''), named: { kind: 'command', run, cwd: project.root } },
      project,
    );
    expect([found.unparsed !== undefined, found.files.map((f) => f.name)]).toEqual([true, ['a.sh']]);
  });

  test('reports code that is only known at run time', () => {
    const project = projectWith(FILES);
    expect(cover(project, 'for f in hooks/*.sh; do . "$f"; done; $UNKNOWN/x.sh').doubts).toEqual([
      '"$f" is only known when it runs',
      '$UNKNOWN/x.sh is only known when it runs',
    ]);
  });

  test('treats a variable that is set twice as unknown', () => {
    const project = projectWith(FILES);
    const found = cover(project, 'D=hooks; [ -n "$X" ] && D=other; . "$D/g.sh"');
    expect([found.files.map((f) => f.name), found.doubts]).toEqual([
      [],
      ['"$D/g.sh" is only known when it runs'],
    ]);
    expect(cover(project, 'D=hooks; for D in other; do . "$D/g.sh"; done').doubts).toEqual([
      '"$D/g.sh" is only known when it runs',
    ]);
  });
});

describe('what a covered file leads to', () => {
  const names = (files: Record<string, string>, line: string) =>
    cover(projectWith(files), line).files.map((f) => f.name);

  test.each<[title: string, first: string]>([
    ['a neighbour by $(dirname "$0")', '. "$(dirname "$0")/lib.sh"'],
    ['a neighbour by $(dirname -- "$0")', '. "$(dirname -- "$0")/lib.sh"'],
    ['a neighbour by backticks', '. `dirname $0`/lib.sh'],
    ['a neighbour by ${0%/*}', 'source "${0%/*}/lib.sh"'],
    ['a neighbour by ${BASH_SOURCE[0]%/*}', 'source "${BASH_SOURCE[0]%/*}/lib.sh"'],
    ['a neighbour by $BASH_SOURCE', 'source "$(dirname "$BASH_SOURCE")/lib.sh"'],
    [
      'a variable that holds its own folder',
      'HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\n. "$HERE/lib.sh"',
    ],
    ['a variable, step by step', 'SELF=$(readlink -f "$0")\nHERE=$(dirname "$SELF")\n. "$HERE/lib.sh"'],
    ['its folder after cd', 'cd "$(dirname "$0")" || exit 1\n. ./lib.sh'],
    ['the working directory', '. ./hooks/lib.sh'],
    ['the project by its variable', '. "$CLAUDE_PROJECT_DIR/hooks/lib.sh"'],
    ['a script it runs', './hooks/lib.sh'],
    ['a script it hands to an interpreter', 'exec bash "$(dirname "$0")/lib.sh" "$@"'],
    [
      'a script inside a function and a condition',
      'f() { if true; then . "$(dirname "$0")/lib.sh"; fi; }; f',
    ],
  ])('shell: %s', (_, text) => {
    expect(
      names(
        { 'hooks/g.sh*': `#!/bin/bash\n${text}\n`, 'hooks/lib.sh': ':\n', 'lib.sh': ':\n' },
        './hooks/g.sh',
      ),
    ).toEqual(['hooks/g.sh', 'hooks/lib.sh']);
  });

  test('shell: follows circular references, and a sourced file keeps the first $0', () => {
    const files = {
      'h/a.sh': '. "$(dirname "$0")/lib/b.sh"',
      'h/lib/b.sh': '. "$(dirname "$0")/c.sh"',
      'h/c.sh': '. "$(dirname "$0")/a.sh"',
    };
    expect(names(files, 'sh h/a.sh')).toEqual(['h/a.sh', 'h/c.sh', 'h/lib/b.sh']);
  });

  test.each([
    [`import { x } from './x.js';`],
    [`import './x.js'`],
    [`export * from "./x.js"`],
    ['const x = await import(`./x.js`)'],
    [`const x = require('./x')`],
    [`import{a}from'./x.js'`],
    [`import x from /* why */ './x.js'`],
    [`import x from // why\n './x.js'`],
    [`import './\\x78.js'`],
    [`import x, {\n a,\n b,\n} from\n  './x.js'`],
    [`spawn('node', [join(here, 'x.js')])`],
    [`new Worker(new URL('./x.js', import.meta.url))`],
  ])('javascript: %s', (text) => {
    expect(names({ 'h/m.mjs': text, 'h/x.js': '', 'x.js': '' }, 'node h/m.mjs')).toEqual([
      'h/m.mjs',
      'h/x.js',
    ]);
  });

  test('javascript: binds every file that a loader might choose, through folders and recursively', () => {
    const files = {
      'h/m.ts': `import './a'; import './t.js'`,
      'h/a.ts': '',
      'h/a/index.js': `import '../../lib/z.json'`,
      'h/t.ts': '',
      'lib/z.json': '{}',
    };
    expect(names(files, 'npx tsx h/m.ts')).toEqual([
      'h/a.ts',
      'h/a/index.js',
      'h/m.ts',
      'h/t.ts',
      'lib/z.json',
    ]);
  });

  test.each([
    ['import lib'],
    ['import os, lib as l'],
    ['from lib import f'],
    ['if True: import lib'],
    ['import os; import lib'],
    ['from \\\n  lib import (\n  f,\n  g)'],
    ['subprocess.run([sys.executable, os.path.join(here, "lib.py")])'],
  ])('python: %s', (text) => {
    expect(names({ 'h/p.py': text, 'h/lib.py': '', 'lib.py': '' }, 'python3 h/p.py')).toEqual([
      'h/lib.py',
      'h/p.py',
    ]);
  });

  test('python: follows packages, relative imports, and a folder added to the path', () => {
    const files = {
      'h/p.py': `import sys\nsys.path.insert(0, join(here, 'vendor'))\nimport pkg.deep\nimport far\n`,
      'h/pkg/__init__.py': '',
      'h/pkg/deep.py': 'from . import near\nfrom ..pkg.other import x\nimport top\n',
      'h/pkg/near.py': '',
      'h/pkg/other.py': '',
      'h/top.py': '',
      'h/unused.py': '',
      'h/vendor/far.py': '',
    };
    const found = names(files, 'python3 h/p.py');
    expect(found).toEqual(
      Object.keys(files)
        .filter((n) => n !== 'h/unused.py')
        .toSorted(),
    );
  });

  test('covers a module from settings with its imports', () => {
    const project = projectWith({ '.anyhook/hooks/g.ts': `import '../lib.ts'`, '.anyhook/lib.ts': '' });
    const entry = moduleEntry(join(project.root, '.anyhook/hooks/g.ts'), { file: 'x', dialect: 'anyhook' });
    expect(trustedFilesOf(entry, project).files.map((f) => f.name)).toEqual([
      '.anyhook/hooks/g.ts',
      '.anyhook/lib.ts',
    ]);
  });
});

describe('what cannot be trusted', () => {
  test('does not block on a FIFO', () => {
    const project = projectWith({ 'a.txt': '' });
    execFileSync('mkfifo', [join(project.root, 'pipe.sh')]);
    expect(cover(project, 'bash pipe.sh').obstacles).toEqual([
      'pipe.sh is not a regular file (named by pipe.sh)',
    ]);
  });

  test('rejects a file that is too large, and a chain that is too long', () => {
    const project = projectWith({ 'big.sh': 'x'.repeat(MAX_FILE_BYTES + 1) });
    expect(cover(project, 'sh big.sh').obstacles).toEqual([
      `big.sh is larger than ${MAX_FILE_BYTES} bytes, the most that can be trusted (named by big.sh)`,
    ]);
    const chain = Object.fromEntries(
      Array.from({ length: MAX_FILES + 2 }, (_, i) => [`${i}.sh`, `. ./${i + 1}.sh`]),
    );
    expect(cover(projectWith(chain), 'sh 0.sh').obstacles).toEqual([
      `it leads to more than ${MAX_FILES} files, the most that can be trusted at once`,
    ]);
  });

  test.each([['$('], ['${a:-'], ['{ '], ['`'], ['. ./a\n'], ["bash -c '"], ['"$(dirname "$0")/x" ']])(
    'judges or rejects endless %j within seconds',
    (piece) => {
      const text = piece.repeat(Math.floor(((isSample ? 64 : 512) * 1024) / piece.length));
      const project = projectWith({ 'h.sh': text });
      const started = performance.now();
      expect(cover(project, 'sh h.sh').files.map((f) => f.name)).toEqual(['h.sh']);
      expect(cover(project, text).entry.named.kind).toBe('command');
      expect(performance.now() - started).toBeLessThan(60_000);
    },
    120_000,
  );

  test('rejects a script that is nested too deeply or too long', () => {
    const project = projectWith({ 'deep.sh': '$('.repeat(300), 'long.py': '#'.repeat(600_000) });
    expect(cover(project, 'sh deep.sh').obstacles).toEqual([
      'deep.sh cannot be analysed: it is nested more than 200 deep',
    ]);
    expect(cover(project, 'python3 long.py').obstacles).toHaveLength(1);
    expect(cover(project, '('.repeat(300)).obstacles).toEqual([
      'the command cannot be analysed: it is nested more than 200 deep',
    ]);
  });

  test('rejects a project with an unresolvable path, a circular link, and a module outside', () => {
    const gone = openProject(join(scratch(), 'gone'));
    expect(trustedFilesOf(command(gone, 'true'), gone).obstacles).toHaveLength(1);
    const project = projectWith({ 'a.txt': '' });
    symlinkSync('loop.sh', join(project.root, 'loop.sh'));
    expect(cover(project, 'sh loop.sh').obstacles).toHaveLength(1);
    mkdirSync(join(project.root, 'd'));
    expect(
      trustedFilesOf(moduleEntry('/etc/hostname', { file: 'x', dialect: 'anyhook' }), project).obstacles,
    ).toHaveLength(1);
    expect(
      trustedFilesOf(moduleEntry(join(project.root, 'd'), { file: 'x', dialect: 'anyhook' }), project)
        .obstacles,
    ).toHaveLength(1);
  });
});

describe('a script that starts others by itself', () => {
  const project = () =>
    projectWith({
      'hooks/h.js': "require('node:child_process').spawnSync('./x.sh');\n",
      'hooks/h.py': "import subprocess\nsubprocess.run(['sh', 'scripts/y.sh'])\n",
      'hooks/plain.js': "console.log('./x.sh');\n",
      'x.sh*': 'exit 2\n',
      'scripts/y.sh': 'exit 2\n',
    });
  test.each([
    ['node hooks/h.js', 'x.sh'],
    ['python3 hooks/h.py', 'scripts/y.sh'],
  ])(
    'binds the file that %s names, at its original path, and reports that a change while it runs is not detected',
    (line, started) => {
      const { files, inPlace, doubts } = cover(project(), line);
      expect(files.map(({ name }) => name)).toContain(started);
      expect(inPlace).toContain(started);
      expect(doubts.join('\n')).toContain(`it may start the original ${started} instead of the trusted copy`);
    },
  );
  test('binds nothing more for a text that only prints a name', () => {
    const { inPlace, doubts } = cover(project(), 'node hooks/plain.js');
    expect([inPlace, doubts]).toEqual([[], []]);
  });
});
