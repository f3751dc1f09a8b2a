import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Hook } from '../events/hook.ts';
import { locationsOf } from '../gather/folders.ts';
import { MESSY } from '../install/fixtures/messy.ts';
import { writeEdit } from './file-edit.ts';
import { ground } from './fixtures/ground.ts';
import { switchOffIn, switchOnIn } from './switch-hook.ts';

const hookIn = (file: string, line = 'exit 1'): Hook => ({
  id: `opta:${file}#1`,
  dialect: 'opta',
  on: 'tool.pre',
  origin: { layer: 'user', file, line: 1, column: 1 },
  roles: ['guard'],
  match: { kind: 'any' },
  run: { kind: 'command', run: { line }, env: 'inherit' },
  background: false,
  shadow: false,
  timeoutMs: 1000,
});

/** Realistic files, with other hooks disabled already. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(MESSY).filter(([, text]) => !/^\s*(?:\{\s*\}\s*)?$/.test(text))),
  comments: '// mine\n{\n  /* all */ "hooks": {}, // of them\n  "shadow": false // for now\n}\n// end\n',
  'others off': '{\n  "disabled": [\n    "a",\n    { "id": "b" }\n  ],\n  "hooks": {}\n}\n',
  'others off on one line': '{ "disabled": ["a", "b"], "hooks": {} }',
};

describe('disabling and enabling a hook leaves every byte unchanged', () => {
  for (const [name, text] of Object.entries(FILES))
    test(name, () => {
      const { where, at } = ground({});
      const file = at('home/.config/anyhook/hooks.json');
      const here = locationsOf(where);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      const hook = hookIn(at('home/.config/opta/config.json'));
      const off = switchOffIn(hook, here);
      writeEdit(off, off.layer, here);
      expect(readFileSync(file, 'utf8')).toContain(hook.id);
      const on = switchOnIn(hook, here);
      writeEdit(on, on.layer, here);
      expect(readFileSync(file, 'utf8')).toBe(text);
    });
});

test('a file that becomes empty is removed when the last hook is enabled again', () => {
  const { where, at } = ground({});
  const here = locationsOf(where);
  const hook = hookIn(at('home/.config/opta/config.json'));
  const off = switchOffIn(hook, here);
  writeEdit(off, off.layer, here);
  const on = switchOnIn(hook, here);
  expect(on.text).toBe(null);
});

test('a disabled list that is not a list is left alone', () => {
  const { where, at } = ground({ 'home/.config/anyhook/hooks.json': '{ "disabled": "all" }' });
  expect(() => switchOffIn(hookIn(at('x')), locationsOf(where))).toThrow('"disabled" is not a list');
});
