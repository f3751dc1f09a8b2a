import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHooks } from './create-hooks.ts';
import { SCRIPT_FILES } from './script-files.ts';

let folder = '';
const put = (name: string, text: string | Buffer): string => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anyhook-scripts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('reading files that commands run', () => {
  test('a text is read, and its version changes with it', () => {
    const path = put('t.sh', 'echo a\n');
    const before = SCRIPT_FILES.versionOf(path);
    expect(SCRIPT_FILES.read(path)).toEqual({ kind: 'text', text: 'echo a\n' });
    put('t.sh', 'echo abc\n');
    expect(SCRIPT_FILES.versionOf(path)).not.toBe(before);
  });

  test('a compiled program is binary, and a long text is not read', () => {
    expect(SCRIPT_FILES.read(put('tool', Buffer.alloc(400_000)))).toEqual({ kind: 'binary' });
    expect(SCRIPT_FILES.read(put('long.sh', 'echo a\n'.repeat(50_000)))).toEqual({
      kind: 'unreadable',
      why: '350000 bytes, at most 262144 are read',
    });
  });

  test('missing files, folders, devices and loops of links run nothing', () => {
    symlinkSync(join(folder, 'b'), join(folder, 'a'));
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    for (const path of [join(folder, 'missing'), folder, '/dev/null', join(folder, 'a')])
      expect(SCRIPT_FILES.read(path)).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')('a named pipe does not block', () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(SCRIPT_FILES.read(path)).toEqual({ kind: 'unreadable', why: 'it is not a regular file' });
  });
});

describe('guards on shell commands', () => {
  const settings = {
    hooks: {
      'tool.before': [{ match: 'danger:delete' }, { match: 'shell(git push*)', run: 'echo no >&2; exit 2' }],
    },
  };
  const fire = async (command: string) => {
    const cwd = join(folder, 'project');
    put('home/.config/anyhook/hooks.json', JSON.stringify(settings));
    mkdirSync(cwd, { recursive: true });
    const hooks = await createHooks({
      host: { name: 'test', can: {} },
      home: join(folder, 'home'),
      cwd,
      env: {},
    });
    try {
      return await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command } } });
    } finally {
      await hooks.close();
    }
  };

  test('a deletion in a script is refused, with its file and line', async () => {
    put('project/t.sh', 'echo x\nrm -rf ~/x\n');
    const outcome = await fire('bash t.sh');
    expect(outcome.verdict).toBe('deny');
    expect(JSON.stringify(outcome)).toContain('`rm -rf ~/x` in t.sh:2');
  });

  test('a hook with a matcher runs if a package script fits it', async () => {
    put('project/package.json', JSON.stringify({ scripts: { release: 'git push --tags', build: 'tsc' } }));
    expect((await fire('npm run release')).verdict).toBe('deny');
    expect((await fire('npm run build')).verdict).toBe('none');
  });
});
