import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { lacks } from '../../test/programs.mjs';
import type { Hook } from '../events/hook.ts';
import { loadsFromProject, withOwnModules } from './own-command.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-own-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const [home, cwd] = [join(root, 'home'), join(root, "it's a project")];

/** A project with files that the user's own hooks could load by accident. */
const FILES: Readonly<Record<string, string>> = {
  "it's a project/json.py": 'print("project")\n',
  "it's a project/tabnanny.py": 'print("project")\n',
  "it's a project/node_modules/semver/index.js": 'console.log("project")\n',
  "it's a project/local.js": 'console.log("project")\n',
  "it's a project/data.txt": 'data\n',
  'home/guard.py': 'import sibling\n',
  'home/guards/json.py': 'print("own")\n',
  'home/code/repository/json.py': 'print("project")\n',
  'home/code/tools/json.py': 'print("project")\n',
  'home/sibling.py': 'print("sibling")\n',
  'home/lib/semver/index.js': 'console.log("own")\n',
};
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

const own = (run: Extract<Hook['run'], { kind: 'command' }>['run']): Hook => ({
  id: 'x',
  dialect: 'anyhook',
  on: 'tool.before',
  origin: { layer: 'user', file: join(home, 'hooks.json'), line: 1 },
  roles: ['guard'],
  match: { kind: 'any' },
  run: { kind: 'command', run, env: 'inherit' },
  background: false,
  shadow: false,
  timeoutMs: 1000,
});
const line = (text: string) => own({ line: text, shell: 'bash' });
const printed = ({ run }: Hook): string => {
  if (run.kind !== 'command') throw new Error('not a command');
  const [program = '', ...args] = 'line' in run.run ? ['bash', '--norc', '-c', run.run.line] : run.run.argv;
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    NODE_PATH: join(home, 'lib'),
    GUARD: join(home, 'guard.py'),
    WORD: 'own',
  };
  const { stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', input: '{"a":1}' });
  return `${stdout}${stderr}`.trim();
};

describe.skipIf(lacks('python3'))('code on the command line of a person’s own hook', () => {
  test.each([
    [`python3 -c 'import json; print("own")'`],
    [`python3 -uc 'import json; print("own")'`],
    [`python3 -c "import json; print('$WORD')"`],
    [
      `python3 -c 'import json
print("own")'`,
    ],
    [`python3 - <<'E'\nimport json\nprint("own")\nE`],
    [`true && timeout 20 python3 -c 'import json; print("own")'`],
    [`node -e 'require("semver")'`],
    [`node -e '"use strict"; require("semver")'`],
    [`node -p 'require("semver") && ""'`],
    [`node --eval "require('semver')"`],
  ])('loads no module from the project: %s', (text) => {
    expect(printed(line(text))).toContain('project'); // the control: unchanged, it does
    expect(printed(withOwnModules(line(text), { cwd, home }))).toBe('own');
  });

  test.each([[`python3 -m tabnanny`], [`python3 -mtabnanny`], [`python3 -um tabnanny`]])(
    'loads no module that it names from the project: %s',
    (text) => {
      expect(printed(line(text))).toBe('project');
      expect(printed(withOwnModules(line(text), { cwd, home }))).toMatch(/^Usage: .*tabnanny\.py/);
    },
  );

  test.each(['cd ~/guards && python3 -m json', `(cd "$HOME/guards"; python3 -c 'import json')`])(
    'finds modules in a folder of the user that the line goes to: %s',
    (text) => {
      expect(printed(withOwnModules(line(text), { cwd, home }))).toContain('own');
      const inRepository = join(home, 'code/repository');
      expect(printed(withOwnModules(line(text), { cwd: inRepository, home }))).toContain('own');
    },
  );

  test.each([
    ['cd ~/code/repository && python3 -c "import json"', 'code/repository'],
    ['cd ~/code/tools && python3 -c "import json"', 'code/repository'],
    ['cd ~/code && python3 -c "import json"', 'code/repository'],
    ['cd ~ && python3 -c "import json"', 'code/repository'],
    ['cd ~/guards && python3 -c "import json"', ''],
  ])('finds none in a folder that may belong to the project: %s, in ~/%s', (text, folder) => {
    expect(printed(withOwnModules(line(text), { cwd: join(home, folder), home }))).toBe('');
  });

  test('loads no module from the project as an argument list', () => {
    const hook = own({ argv: ['python3', '-c', 'import json; print("own")'] });
    expect(printed(hook)).toContain('project');
    expect(printed(withOwnModules(hook, { cwd, home }))).toBe('own');
  });

  test('keeps arguments, input, folder and an explicit safe path', () => {
    const text = `python3 -c 'import sys, os; print(sys.argv, sys.stdin.read(), open("data.txt").read().strip())' x y`;
    expect(printed(withOwnModules(line(text), { cwd, home }))).toBe(printed(line(text)));
    const safe = `python3 -P -c 'import sys; print(sys.path)'`;
    expect(printed(withOwnModules(line(safe), { cwd, home }))).toBe(printed(line(safe)));
  });

  test.each([['python3 "$GUARD"'], ['cat data.txt'], ['node -v | head -c 1'], [`python3 -V`]])(
    'leaves a command without such code unchanged: %s',
    (text) => {
      const hook = line(text);
      expect(withOwnModules(hook, { cwd, home })).toBe(hook);
    },
  );

  test('shows the original command to users', () => {
    const hook = withOwnModules(line(`python3 -c 'import json'`), { cwd, home });
    expect(hook.written).toBe(`python3 -c 'import json'`);
  });
});

describe('where it cannot be had', () => {
  test.each<[text: string, why: string | undefined]>([
    [`node -e 'require("./local")'`, './local is a file in the working folder'],
    [`node --input-type=module -e 'import "semver"'`, 'the package semver is not bound'],
    [`python3 -c 'from __future__ import annotations; import json'`, 'a __future__ import must come first'],
    [`lua -e 'require "x"'`, 'it starts programs or loads code by other means (require)'],
    [`python3 -c 'import json'`, undefined],
    [`node -e 'require("semver")'`, undefined],
    ['~/guard.sh', undefined],
  ])('reports the reason for %s', (text, why) => {
    expect(loadsFromProject(line(text), { cwd, home })).toBe(why);
  });
});
