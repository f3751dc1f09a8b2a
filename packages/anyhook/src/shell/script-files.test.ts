import { describe, expect, test } from 'vitest';
import type { ScriptFile, ScriptFiles } from '../events/script-files.ts';
import { analyseOnce } from './analyse.ts';
import { judgeCommand } from './danger/index.ts';
import { matchShell } from './matches-shell.ts';

const text = (content: string): ScriptFile => ({ kind: 'text', text: content });
function filesOf(contents: Readonly<Record<string, string | ScriptFile>>): ScriptFiles {
  const all = new Map(
    Object.entries(contents).map(([path, content]) => [
      path.startsWith('/') ? path : `/project/${path}`,
      typeof content === 'string' ? text(content) : content,
    ]),
  );
  return { read: (path) => all.get(path), versionOf: (path) => JSON.stringify(all.get(path) ?? '') };
}
const match = (command: string, contents: Parameters<typeof filesOf>[0], rule = 'rm -rf*') =>
  matchShell(rule, command, { files: filesOf(contents), cwd: '/project' });

const SCRIPT = '#!/bin/bash\nset -e\nrm -rf ~/x\n';

describe('scripts', () => {
  test.each([
    'bash t.sh',
    'sh ./t.sh',
    './t.sh',
    'sh < t.sh',
    'cat t.sh | sh',
    'source t.sh',
    '. ./t.sh',
    'sudo bash t.sh',
    'bash -x t.sh arg',
    'bash -c "$(cat t.sh)"',
    'eval "$(cat t.sh)"',
    'bash <(cat t.sh)',
    'cd . && bash t.sh',
    'zsh t.sh',
    'find . -name x -exec ./t.sh \\;',
    'bash /project/t.sh',
    'chmod +x t.sh && ./t.sh',
  ])('%s is judged by the text of the script', (command) => {
    expect(match(command, { 't.sh': SCRIPT })).toEqual({
      kind: 'matches',
      command: 'rm -rf ~/x',
      from: { file: '/project/t.sh', line: 3 },
    });
    expect(match(command, { 't.sh': 'echo hello\n' }).kind).toBe('clear');
  });

  test('a script in a folder that the command enters is found', () => {
    expect(match('cd sub && ./t.sh', { 'sub/t.sh': SCRIPT }).kind).toBe('matches');
  });

  test('scripts are followed three deep, and a fourth cannot be judged', () => {
    const chain = { 'a.sh': 'sh b.sh', 'b.sh': 'sh c.sh', 'c.sh': SCRIPT };
    expect(match('sh a.sh', chain).kind).toBe('matches');
    expect(match('sh a.sh', { ...chain, 'c.sh': 'sh d.sh', 'd.sh': SCRIPT })).toMatchObject({
      kind: 'opaque',
    });
  });

  test('scripts that call each other end', () => {
    expect(match('sh a.sh', { 'a.sh': 'sh b.sh', 'b.sh': 'sh a.sh' }).kind).toBe('clear');
  });

  test('a file that is too long, or not readable, or binary cannot be judged', () => {
    const long: ScriptFile = { kind: 'unreadable', why: '50000000 bytes, at most 262144 are read' };
    expect(match('sh t.sh', { 't.sh': long })).toEqual({
      kind: 'opaque',
      why: '/project/t.sh cannot be judged: 50000000 bytes, at most 262144 are read',
    });
    expect(match('sh t.sh', { 't.sh': { kind: 'binary' } }).kind).toBe('opaque');
    expect(match('./tool', { tool: { kind: 'binary' } }).kind).toBe('clear');
  });

  test('a missing file is clear, because nothing runs', () => {
    expect(match('sh missing.sh', {}).kind).toBe('clear');
  });

  test('more than twenty scripts cannot be judged', () => {
    const names = Array.from({ length: 21 }, (_, at) => `s${at}.sh`);
    const contents = Object.fromEntries(names.map((name) => [name, 'echo x']));
    expect(match(names.map((name) => `sh ${name}`).join('; '), contents).kind).toBe('opaque');
  });

  test('one package.json counts once, however many of its scripts run', () => {
    const scripts = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`s${at}`, 'echo x']));
    const all = Object.keys(scripts).map((name) => `npm run ${name}`);
    const found = match(all.join(' && '), { 'package.json': JSON.stringify({ scripts }) });
    expect(found.kind).toBe('clear');
  });

  test('a recipe that is too long cannot be judged', () => {
    const Makefile = `x:\n\t${'echo a; '.repeat(5_000)}`;
    expect(match('make x', { Makefile }).kind).toBe('opaque');
  });

  test('variables that contain each other do not grow without end', () => {
    const Makefile = [`V0 = ${'$(V1)'.repeat(40_000)}`, 'x:', `\t${'$(V0)'.repeat(1_500)}; rm -rf x`].join(
      '\n',
    );
    expect(match('make x', { Makefile }).kind).toBe('matches');
  });

  test('without a reader a script is judged by its name', () => {
    expect(matchShell('rm -rf*', 'bash t.sh').kind).toBe('clear');
  });

  test('a command that runs no file is analysed once for all questions', () => {
    const scene = { files: filesOf({}), cwd: '/project' };
    expect(analyseOnce('git status', scene)).toBe(analyseOnce('git status'));
    expect(analyseOnce('sh t.sh', scene)).not.toBe(analyseOnce('sh t.sh'));
  });

  test('a file that changes is judged again', () => {
    let content = 'echo x';
    const files: ScriptFiles = { read: () => text(content), versionOf: () => content };
    const scene = { files, cwd: '/project' };
    expect(matchShell('rm -rf*', 'sh t.sh', scene).kind).toBe('clear');
    content = SCRIPT;
    expect(matchShell('rm -rf*', 'sh t.sh', scene).kind).toBe('matches');
  });

  test('the acts of a script count for danger presets, with its own working folder', () => {
    const judge = (content: string) =>
      judgeCommand('delete', './t.sh && rm -rf build', '/project', filesOf({ 't.sh': content }));
    expect(judge('rm -rf ~/x')).toMatchObject({ kind: 'matches', from: { file: '/project/t.sh', line: 1 } });
    expect(judge('cd /usr\nls').kind).toBe('clear');
    expect(judge('cd build && rm -rf *').kind).toBe('clear');
  });
});

describe('code of other languages', () => {
  test.each([
    ['python3 t.py', 't.py', 'import shutil\nshutil.rmtree("/home/me")\n'],
    ['python3 t.py', 't.py', 'import os\nos.system("rm -rf /home/me")\n'],
    ['node t.js', 't.js', 'const fs = require("fs");\nfs.rmSync("/home/me", { recursive: true });\n'],
    ['perl t.pl', 't.pl', 'system("rm -rf /home/me");\n'],
    ['ruby t.rb', 't.rb', 'require "fileutils"\nFileUtils.rm_rf("/home/me")\n'],
    ['./t', 't', '#!/usr/bin/env python3\nimport shutil\nshutil.rmtree("/home/me")\n'],
    ['python3 < t.py', 't.py', 'import shutil\nshutil.rmtree("/home/me")\n'],
  ])('%s is searched for deletions, as a guess', (command, name, code) => {
    expect(match(command, { [name]: code })).toMatchObject({
      kind: 'matches',
      from: { file: `/project/${name}`, isGuess: true },
    });
  });

  test('code that only computes names at run time is clear', () => {
    expect(match('python3 t.py', { 't.py': 'import os\nos.system(command)\neval(x)\n' }).kind).toBe('clear');
  });
});

describe('make', () => {
  const Makefile = [
    'OUT := ~/out',
    '.PHONY: all clean',
    'all: build',
    'build:\n\tcc -o x x.c',
    'clean: prepare\n\t@rm -rf $(OUT)',
    'deep: clean',
    'out/%.o: %.c\n\trm -rf $@',
    'prepare: ; echo x',
  ].join('\n');
  test.each([
    ['make clean', 'matches'],
    ['make deep', 'matches'],
    ['make -s -j4 clean', 'matches'],
    ['make -C . clean', 'matches'],
    ['make out/a.o', 'matches'],
    ['make', 'clear'],
    ['make build', 'clear'],
    ['make -f Other clean', 'clear'],
  ])('%s: %s', (command, kind) => {
    expect(match(command, { Makefile }).kind).toBe(kind);
  });

  test('variables of the file and of the command line are replaced', () => {
    expect(match('make clean', { Makefile })).toMatchObject({ command: 'rm -rf ~/out' });
    expect(match('make clean OUT=/', { Makefile })).toMatchObject({ command: 'rm -rf /' });
  });

  test('included files and other folders are read', () => {
    expect(match('make x', { Makefile: 'include a.mk', 'a.mk': 'x:\n\trm -rf a' }).kind).toBe('matches');
    expect(match('make -C sub x', { 'sub/Makefile': 'x:\n\trm -rf a' }).kind).toBe('matches');
  });
});

describe('package scripts', () => {
  const files = {
    'package.json': JSON.stringify({
      scripts: {
        clean: 'rm -rf "dist"',
        prebuild: 'npm run clean',
        build: 'tsc',
        test: 'vitest',
        lint: 'eslint .',
      },
    }),
  };
  test.each([
    ['npm run clean', 'matches'],
    ['npm run build', 'matches'],
    ['pnpm clean', 'matches'],
    ['yarn run clean', 'matches'],
    ['bun run clean', 'matches'],
    ['npm --silent run clean', 'matches'],
    ['run-s lint clean', 'matches'],
    ['cd sub && npm run clean', 'matches'],
    ['npm test', 'clear'],
    ['npm run lint', 'clear'],
    ['npm install', 'clear'],
    ['npm ls', 'clear'],
  ])('%s: %s', (command, kind) => {
    expect(match(command, files).kind).toBe(kind);
  });

  test('a broken package.json runs nothing', () => {
    expect(match('npm run clean', { 'package.json': '{' }).kind).toBe('clear');
  });
});

describe('just', () => {
  const justfile = [
    'out := "dist"',
    'default: build',
    'build target="x": ',
    '    cc {{target}}',
    'clean: build',
    '    @rm -rf {{out}}',
  ].join('\n');
  test.each([
    ['just clean', 'matches'],
    ['just', 'clear'],
    ['just build', 'clear'],
    ['just --list', 'clear'],
  ])('%s: %s', (command, kind) => {
    expect(match(command, { justfile }).kind).toBe(kind);
  });
});
