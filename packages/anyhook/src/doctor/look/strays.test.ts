import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Locations } from '../../events/dialect.ts';
import type { Hook } from '../../events/hook.ts';
import { straysIn } from './strays.ts';

let root: string;
let ground: Locations;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'anyhook-strays-'));
  ground = { home: join(root, 'home'), cwd: join(root, 'project'), env: {} };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '');
};
const running = (line: string): Hook => ({
  id: 'h',
  dialect: 'claude-code',
  on: 'PreToolUse',
  origin: { layer: 'project', file: join(root, 'project/.claude/settings.json'), line: 1 },
  roles: ['guard'],
  match: { kind: 'any' },
  run: { kind: 'command', run: { line }, env: 'inherit' },
  background: false,
  shadow: false,
  timeoutMs: 1000,
});
const found = (hooks: readonly Hook[] = []) =>
  straysIn(ground, hooks).map(({ file, why }) => [relative(root, file), why.split(/[:;,]/)[0]]);

describe('a file that looks like a hook and is not loaded', () => {
  test('a stray hook file is reported with the reason, wherever people put such files', () => {
    put('project/.anyhook/hooks/guard.py');
    put('project/.anyhook/hooks/guard.ts');
    put('project/.anyhook/hooks/guard.test.ts');
    put('project/.anyhook/stray.ts');
    put('project/.claude/hooks/check.sh');
    put('project/hooks.json');
    put('home/.claude/hooks.json');
    put('project/.anyhook/hooks/hooks.json');
    put('project/.anyhook/README.md');
    expect(found()).toEqual([
      ['project/.anyhook/hooks/guard.py', 'only .ts'],
      [
        'project/.anyhook/hooks/hooks.json',
        `settings are read from ${join(root, 'project/.anyhook/hooks.json')}`,
      ],
      ['project/.anyhook/stray.ts', `modules are loaded from ${join(root, 'project/.anyhook/hooks')}`],
      ['project/hooks.json', 'it is not read here'],
      ['home/.claude/hooks.json', 'it is not read here'],
      ['project/.claude/hooks/check.sh', 'no settings file names it'],
    ]);
  });

  test('a file that an entry names in any spelling is not stray, but must be executable', () => {
    for (const line of ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh', './.claude/hooks/check.sh --fast'])
      expect(found([running(line)]).filter(([file]) => file!.endsWith('check.sh'))).toEqual([
        ['project/.claude/hooks/check.sh', 'it is not executable'],
      ]);
    expect(found([running('sh .claude/hooks/check.sh')]).some(([file]) => file!.endsWith('check.sh'))).toBe(
      false,
    );
    chmodSync(join(root, 'project/.claude/hooks/check.sh'), 0o755);
    expect(found([running('./.claude/hooks/check.sh')]).some(([file]) => file!.endsWith('check.sh'))).toBe(
      false,
    );
  });
});
