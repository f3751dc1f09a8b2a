import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openCredentialStore } from './store.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function ground() {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-store-'));
  folders.push(root);
  return { root, store: openCredentialStore(join(root, 'kept')) };
}
const key = (text: string) => ({ type: 'api', key: text }) as const;

describe('stored credentials', () => {
  test('credentials are set, listed and removed, and concurrent writes are all kept', async () => {
    const { store } = ground();
    expect([await store.list(), await store.get('a'), await store.remove('a')]).toEqual([
      [],
      undefined,
      false,
    ]);
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => store.set(name, key(name))));
    expect(await store.list()).toEqual(['a', 'b', 'c', 'd'].map((provider) => ({ provider, type: 'api' })));
    expect([await store.remove('b'), await store.get('b'), await store.get('c')]).toEqual([
      true,
      undefined,
      key('c'),
    ]);
    expect(await store.get('constructor')).toBeUndefined();
  });

  test('credentials are private even if folder and file were accessible to others', async () => {
    const { store } = ground();
    mkdirSync(join(store.file, '..'));
    chmodSync(join(store.file, '..'), 0o755);
    writeFileSync(store.file, '{}', { mode: 0o644 });
    await store.set('a', key('a'));
    expect([statSync(store.file).mode & 0o777, statSync(join(store.file, '..')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
  });

  test('credentials of unknown types stay in the file', async () => {
    const { store } = ground();
    mkdirSync(join(store.file, '..'));
    writeFileSync(store.file, '{"odd":{"type":"later","x":1}}');
    await store.set('a', key('a'));
    expect(JSON.parse(readFileSync(store.file, 'utf8'))).toEqual({
      odd: { type: 'later', x: 1 },
      a: key('a'),
    });
    expect([await store.get('odd'), await store.list()]).toEqual([
      undefined,
      [{ provider: 'a', type: 'api' }],
    ]);
  });

  test('credentials in a broken file are never overwritten', async () => {
    const { store } = ground();
    mkdirSync(join(store.file, '..'));
    writeFileSync(store.file, '{"a":');
    await expect(store.set('a', key('a'))).rejects.toThrow(
      'auth.json is not a JSON object of credentials. Fix it',
    );
    expect(readFileSync(store.file, 'utf8')).toBe('{"a":');
  });

  test('credentials are not stored inside the project, and invalid values are rejected', async () => {
    const { root, store } = ground();
    expect(() => openCredentialStore(join(root, '.data'), { outside: root })).toThrow(
      'is inside the project',
    );
    await expect(store.set('a', { type: 'api' } as never)).rejects.toThrow('is not a credential of type');
  });
});
