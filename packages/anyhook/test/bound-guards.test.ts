/**
 * A session pins everything that its guards consist of. After any change, the next call is refused until the user
 * accepts the change in a terminal.
 */

import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lacks } from './programs.mjs';
import { World } from './trust/world.ts';

const anyhookHook = (run: string) =>
  JSON.stringify({ hooks: { 'tool.before': [{ match: 'shell(git push*)', run }] } });
const claudeHook = (command: string) =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } });

/** The verdict of the bridge on a harmless call; `deny` only if the session's guards have changed. */
async function verdict(world: World, command = 'ls', path = process.env['PATH'] ?? ''): Promise<string> {
  const event = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: world.project,
    tool_name: 'Bash',
    tool_input: { command },
  });
  const words = ['fire', '--as', 'claude-code', '--host', 'claude-code', '--json'];
  const { stdout, stderr } = await world.run(words, event, [], { PATH: path });
  if (stdout === '') throw new Error(stderr);
  const { verdict: found, reasons } = JSON.parse(stdout) as { verdict: string; reasons: { text: string }[] };
  return found === 'deny' ? `deny: ${reasons.map(({ text }) => text).join(' ')}` : found;
}

interface Case {
  /** Paths relative to the home folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings: string;
  readonly change: (home: string, project: string) => void;
}
const write = (path: string, text: string) => (home: string) => {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
};
const ANYHOOK = '.config/anyhook/hooks.json';

const CASES: Readonly<Record<string, Case>> = {
  'a library that a shell guard sources': {
    files: {
      'g/guard.sh': '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\ncheck\n',
      'g/lib.sh': 'check() { exit 2; }\n',
    },
    settings: '~/g/guard.sh',
    change: write('g/lib.sh', 'check() { exit 0; }\n'),
  },
  'a list that a shell guard reads': {
    files: { 'g/guard.sh': '#!/bin/sh\ngrep -q -f ~/g/deny.txt && exit 2\nexit 0\n', 'g/deny.txt': 'push\n' },
    settings: '~/g/guard.sh',
    change: write('g/deny.txt', 'nothing\n'),
  },
  'a list that a shell guard reads, where its line also writes to /dev/null': {
    files: {
      'g/guard.sh': '#!/bin/sh\ngrep -qf ~/g/deny.txt 2>/dev/null && exit 2\n',
      'g/deny.txt': 'push\n',
    },
    settings: '~/g/guard.sh',
    change: write('g/deny.txt', 'nothing\n'),
  },
  'a list without an ending': {
    files: {
      'g/guard.sh': '#!/bin/sh\ngrep -q -f "$(dirname "$0")/denied" && exit 2\n',
      'g/denied': 'push\n',
    },
    settings: '~/g/guard.sh',
    change: write('g/denied', 'nothing\n'),
  },
  'a rule added to a folder of rules': {
    files: {
      'g/guard.sh': '#!/bin/sh\nRULES="$HOME/g/rules.d"\nfor rule in "$RULES"/*; do . "$rule"; done\n',
      'g/rules.d/push': 'exit 2\n',
    },
    settings: '~/g/guard.sh',
    change: write('g/rules.d/a', 'exit 0\n'),
  },
  'a rule in a folder of rules that a Node guard lists': {
    files: {
      'g/guard.mjs':
        "import { readdirSync } from 'node:fs';\nimport { homedir } from 'node:os';\nimport { join } from 'node:path';\nconst rules = join(homedir(), 'lists', 'rules');\nfor (const name of readdirSync(rules)) if (name) process.exit(2);\n",
      'lists/rules/push': 'x',
    },
    settings: 'node ~/g/guard.mjs',
    change: write('lists/rules/push', ''),
  },
  'a list that a module of ours reads in the home folder': {
    files: {
      '.config/anyhook/hooks/guard.mjs':
        "import { readFileSync } from 'node:fs';\nimport { homedir } from 'node:os';\nimport { defineHook } from 'anyhook';\nexport default defineHook({ on: 'tool.before', match: 'shell(git push*)', run: () => ({ kind: 'deny', reason: readFileSync(`${homedir()}/lists/deny.txt`, 'utf8') }) });\n",
      'lists/deny.txt': 'push\n',
    },
    settings: 'true',
    change: write('lists/deny.txt', ''),
  },
  'a module that a Node guard requires': {
    files: {
      'g/guard.js': "require('./util.js').check();\n",
      'g/util.js': 'exports.check = () => process.exit(2);\n',
    },
    settings: 'node ~/g/guard.js',
    change: write('g/util.js', 'exports.check = () => {};\n'),
  },
  'a package beside a Node guard': {
    files: {
      'g/guard.js': "require('rules').check();\n",
      'g/node_modules/rules/index.js': 'exports.check = () => process.exit(2);\n',
    },
    settings: 'node ~/g/guard.js',
    change: write('g/node_modules/rules/index.js', 'exports.check = () => {};\n'),
  },
  'a module that a Python guard imports': {
    files: { 'g/guard.py': 'import lib\nlib.check()\n', 'g/lib.py': 'def check(): raise SystemExit(2)\n' },
    settings: 'python3 ~/g/guard.py',
    change: write('g/lib.py', 'def check(): pass\n'),
  },
  'a module that python -m runs': {
    files: { 'g/rules.py': 'raise SystemExit(2)\n' },
    settings: 'cd ~/g && python3 -m rules',
    change: write('g/rules.py', 'pass\n'),
  },
  'a module planted before one that a Python guard imports': {
    files: { 'g/guard.py': 'import json, sys\njson.load(sys.stdin)\nraise SystemExit(2)\n' },
    settings: 'python3 ~/g/guard.py',
    change: write('g/json.py', 'raise SystemExit(0)\n'),
  },
  'a list that a Python guard reads': {
    files: {
      'g/guard.py': "import os\nfor line in open(os.path.expanduser('~/g/deny.txt')): pass\n",
      'g/deny.txt': 'push\n',
    },
    settings: 'python3 ~/g/guard.py',
    change: write('g/deny.txt', ''),
  },
  'what a module of ours imports': {
    files: {
      '.config/anyhook/hooks/guard.mjs':
        "import { defineHook } from 'anyhook';\nimport { reason } from './parts/util.mjs';\nexport default defineHook({ on: 'tool.before', match: 'shell(git push*)', run: () => ({ kind: 'deny', reason }) });\n",
      '.config/anyhook/hooks/parts/util.mjs': "export const reason = 'no';\n",
    },
    settings: 'true',
    change: write('.config/anyhook/hooks/parts/util.mjs', "export const reason = '';\n"),
  },
  'the manifest whose script npm runs': {
    files: { 'g/package.json': '{"scripts":{"guard":"sh guard.sh"}}', 'g/guard.sh': 'exit 2\n' },
    settings: 'npm --prefix ~/g run --silent guard',
    change: write('g/package.json', '{"scripts":{"guard":"true"}}'),
  },
  'the file that a script of npm runs': {
    files: { 'g/package.json': '{"scripts":{"guard":"sh guard.sh"}}', 'g/guard.sh': 'exit 2\n' },
    settings: 'cd ~/g && npm run --silent guard',
    change: write('g/guard.sh', 'exit 0\n'),
  },
  'a program of node_modules before one that a script of npm runs': {
    files: { 'g/package.json': '{"scripts":{"guard":"grep -q push"}}' },
    settings: 'cd ~/g && npm test; npm run --silent guard',
    change: write('g/node_modules/.bin/grep', '#!/bin/sh\nexit 0\n'),
  },
  'the rules of make': {
    files: { 'g/Makefile': 'guard:\n\t@exit 2\n' },
    settings: 'make -s -C ~/g guard',
    change: write('g/Makefile', 'guard:\n\t@true\n'),
  },
  'a file that a rule of make runs': {
    files: { 'g/Makefile': 'guard:\n\t@sh guard.sh\n', 'g/guard.sh': 'exit 2\n' },
    settings: 'make -s -C ~/g guard',
    change: write('g/guard.sh', 'exit 0\n'),
  },
  'rules that make would read first': {
    files: { 'g/Makefile': 'guard:\n\t@exit 2\n' },
    settings: 'cd ~/g && make guard',
    change: write('g/GNUmakefile', 'guard:\n\t@true\n'),
  },
  'the rules of make in the folder of the script that starts it': {
    files: {
      'g/guard.sh': '#!/bin/sh\ncd "$(dirname "$0")" && make -s guard\n',
      'g/Makefile': 'guard:\n\t@exit 2\n',
    },
    settings: '~/g/guard.sh',
    change: write('g/Makefile', 'guard:\n\t@true\n'),
  },
  'a module in a folder that a Perl guard names': {
    files: {
      'g/guard.pl': 'use FindBin;\nuse lib "$FindBin::Bin/lib";\nuse My::Rules;\nMy::Rules::check();\n',
      'g/lib/My/Rules.pm': 'package My::Rules; sub check { exit 2 } 1;\n',
    },
    settings: 'perl ~/g/guard.pl',
    change: write('g/lib/My/Rules.pm', 'package My::Rules; sub check {} 1;\n'),
  },
  'the start-up file of an interactive bash': {
    files: { 'g/guard.sh': 'exit 2\n' },
    settings: 'bash -i ~/g/guard.sh',
    change: write('.bashrc', 'exit 0\n'),
  },
  'the start-up file of a login shell': {
    files: { 'g/guard.sh': 'exit 2\n' },
    settings: 'bash --login ~/g/guard.sh',
    change: write('.bash_login', 'exit 0\n'),
  },
  'a function that fish finds by its name': {
    files: { 'g/guard.fish': 'exit 2\n' },
    settings: 'fish ~/g/guard.fish',
    change: write('.config/fish/functions/exit.fish', 'function exit; end\n'),
  },
  'the settings of curl': {
    files: { 'g/guard.sh': '#!/bin/sh\ncurl -sf localhost/judge || exit 2\n' },
    settings: '~/g/guard.sh',
    change: write('.curlrc', 'proxy = localhost:1\n'),
  },
  'the start-up file of zsh': {
    files: { 'g/guard.zsh': 'exit 2\n' },
    settings: 'zsh ~/g/guard.zsh',
    change: write('.zshenv', 'exit 0\n'),
  },
  'the library of jq': {
    files: {},
    settings: 'jq -e .tool_name',
    change: write('.jq', 'def x: 1;\n'),
  },
  'a usercustomize module of Python': {
    files: { 'g/guard.py': 'raise SystemExit(2)\n' },
    settings: 'python3 ~/g/guard.py',
    change: write('.local/lib/python3.12/site-packages/usercustomize.py', 'raise SystemExit(0)\n'),
  },
  'a path file of Python': {
    files: { 'g/guard.py': 'raise SystemExit(2)\n', '.local/lib/python3.12/site-packages/a.pth': '' },
    settings: 'python3 ~/g/guard.py',
    change: write('.local/lib/python3.12/site-packages/b.pth', 'import os\n'),
  },
  'a program planted earlier on the PATH': {
    files: { 'g/guard.sh': '#!/bin/sh\ncat | grep -q push && exit 2\nexit 0\n', '.local/bin/keep': '' },
    settings: '~/g/guard.sh',
    change: (home) => {
      write('.local/bin/cat', '#!/bin/sh\nexit 0\n')(home);
      chmodSync(join(home, '.local/bin/cat'), 0o755);
    },
  },
  'the script itself, with its time and size put back': {
    files: { 'g/guard.sh': '#!/bin/sh\nexit 2\n' },
    settings: '~/g/guard.sh',
    change: (home) => {
      writeFileSync(join(home, 'g/guard.sh'), '#!/bin/sh\nexit 0\n');
      utimesSync(join(home, 'g/guard.sh'), new Date(0), new Date(0));
    },
  },
  'the script, through a hard link': {
    files: { 'g/guard.sh': '#!/bin/sh\nexit 2\n' },
    settings: '~/g/guard.sh',
    change: (home, project) => {
      linkSync(join(home, 'g/guard.sh'), join(project, 'copy'));
      writeFileSync(join(project, 'copy'), '#!/bin/sh\nexit 0\n');
    },
  },
  'the settings, emptied': {
    files: { 'g/guard.sh': '#!/bin/sh\nexit 2\n' },
    settings: '~/g/guard.sh',
    change: write(ANYHOOK, '{"hooks":{}}'),
  },
  'the matcher': {
    files: { 'g/guard.sh': '#!/bin/sh\nexit 2\n' },
    settings: '~/g/guard.sh',
    change: write(ANYHOOK, anyhookHook('~/g/guard.sh').replace('git push', 'git pull')),
  },
};

async function opened({ files, settings }: Case): Promise<World> {
  const world = new World();
  for (const [path, text] of Object.entries(files)) world.put(path, text, world.home);
  world.put(ANYHOOK, anyhookHook(settings), world.home);
  return world;
}
const pathFor = (world: World) => `${join(world.home, '.local/bin')}:${process.env['PATH']}`;

describe('a change of what a guard is made of', () => {
  test.each(Object.keys(CASES))('refuses the next call of the session: %s', async (name) => {
    const world = await opened(CASES[name]!);
    const path = pathFor(world);
    expect(await verdict(world, 'ls', path)).toBe('none');
    expect(await verdict(world, 'ls', path)).toBe('none');
    CASES[name]!.change(world.home, world.project);
    expect(await verdict(world, 'ls', path)).toMatch(/^deny: Refusing all tool calls: your guard /);
    expect(await verdict(world, 'ls', path)).toMatch(/^deny: /);
  });
});

test('a changed guard that Claude Code runs by itself refuses the next call, too', async () => {
  const world = new World();
  world.put('g/guard.sh', '#!/bin/sh\n. ~/g/lib.sh\n', world.home);
  world.put('g/lib.sh', 'exit 2\n', world.home);
  world.put('.claude/settings.json', claudeHook('~/g/guard.sh'), world.home);
  expect(await verdict(world)).toBe('none');
  world.put('g/lib.sh', 'exit 0\n', world.home);
  expect(await verdict(world)).toMatch(/^deny: /);
});

test('the user accepts a changed guard in a terminal, and calls pass again', async () => {
  const world = await opened(CASES['a library that a shell guard sources']!);
  await verdict(world);
  CASES['a library that a shell guard sources']!.change(world.home, world.project);
  expect(await verdict(world)).toMatch(/^deny: /);
  expect((await world.run(['trust', 'accept'])).status).toBe(2); // There is no terminal here: an agent could run the command.
  expect(await verdict(world)).toMatch(/^deny: /);
  expect((await world.byPerson(['trust', 'accept'])).status).toBe(0);
  expect([await verdict(world), await verdict(world)]).toEqual(['none', 'none']);
});

test('everyday changes leave a session alone: another file, the same content again, a guard’s own log and state', async () => {
  const world = new World();
  world.put(
    'g/guard.sh',
    '#!/bin/sh\nSTATE=~/g/state.json\necho 1 >> ~/g/log.txt\ndate +%N > "$STATE"\ncat "$STATE" >/dev/null\nexit 0\n',
    world.home,
  );
  world.put('g/state.json', '0', world.home);
  world.put('g/log.txt', '', world.home);
  world.put(ANYHOOK, anyhookHook('~/g/guard.sh'), world.home);
  expect(await verdict(world, 'git push')).toBe('none');
  world.put('other.txt', 'x', world.home);
  writeFileSync(join(world.home, 'g/guard.sh'), readFileSync(join(world.home, 'g/guard.sh')));
  expect([await verdict(world, 'git push'), await verdict(world, 'git push')]).toEqual(['none', 'none']);
});

test('a task runner of the project is the agent’s to change', async () => {
  const world = new World();
  world.put('package.json', '{"scripts":{"guard":"true"}}');
  world.put('Makefile', 'guard:\n\t@true\n');
  world.put(ANYHOOK, anyhookHook('npm run --silent guard && make -s guard'), world.home);
  expect(await verdict(world)).toBe('none');
  world.put('package.json', '{"scripts":{"guard":"true","test":"true"}}');
  world.put('Makefile', 'guard:\n\t@true\ntest:\n');
  expect([await verdict(world), await verdict(world)]).toEqual(['none', 'none']);
});

test.skipIf(lacks('python3'))(
  'files of the project that a guard names, and what it writes by way of a variable, are the agent’s and the guard’s to change',
  async () => {
    const world = new World();
    world.put(
      'g/guard.py',
      [
        'import json, os, pathlib, sys',
        'folder = pathlib.Path(__file__).parent / "state"',
        'folder.mkdir(exist_ok=True)',
        'file = folder / "calls.json"',
        'with file.open("w") as f: json.dump([os.times().elapsed], f)',
        'for name in os.listdir(folder): pass',
        'if os.path.exists("src/config.yaml"): open("src/config.yaml").read()',
      ].join('\n'),
      world.home,
    );
    world.put('g/state/calls.json', '[]', world.home);
    world.put('src/config.yaml', 'a: 1\n');
    world.put(ANYHOOK, anyhookHook('python3 ~/g/guard.py'), world.home);
    expect(await verdict(world, 'git push')).toBe('none');
    world.put('src/config.yaml', 'a: 2\n');
    expect([await verdict(world, 'git push'), await verdict(world, 'git push')]).toEqual(['none', 'none']);
  },
);

test('a new session takes the guards as they are', async () => {
  const world = await opened(CASES['a library that a shell guard sources']!);
  await verdict(world);
  CASES['a library that a shell guard sources']!.change(world.home, world.project);
  rmSync(join(world.home, '.local/state/anyhook/sessions'), { recursive: true });
  expect(await verdict(world)).toBe('none');
});

describe('a Goose guard whose settings are mutated', () => {
  const goose = (matcher: string, command: string) =>
    JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] } });
  const GOOSE = '.config/goose/hooks.json';
  const MUTATED = {
    'its file emptied': '{}',
    'its matcher replaced by a neighbour’s': goose('~/g/guard.sh', '~/g/guard.sh'),
    'its command replaced by a neighbour’s': goose('developer__shell', 'developer__shell'),
  };
  test.each(Object.keys(MUTATED) as (keyof typeof MUTATED)[])(
    'refuses calls of the session, and a new session is told: %s',
    async (name) => {
      const world = new World();
      world.put('g/guard.sh', '#!/bin/sh\nexit 0\n', world.home);
      world.put(GOOSE, goose('developer__shell', '~/g/guard.sh'), world.home);
      expect(await verdict(world)).toBe('none');
      world.put(GOOSE, MUTATED[name], world.home);
      expect(await verdict(world)).toMatch(/^deny: Refusing all tool calls/);
      const event = {
        hook_event_name: 'PreToolUse',
        session_id: 'another',
        cwd: world.project,
        tool_name: 'Read',
        tool_input: { file_path: 'x' },
      };
      const words = ['fire', '--as', 'claude-code', '--host', 'claude-code'];
      const fire = async () => (await world.run(words, JSON.stringify(event))).stdout;
      expect(await fire()).toContain('since your last session here');
      expect(await fire()).not.toContain('since your last session here');
    },
  );
});
