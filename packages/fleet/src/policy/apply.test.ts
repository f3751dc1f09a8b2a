/** A policy version is always in force as a whole, even if `apply` is killed. */

import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { looseEnds, type ManagedFolder, readPolicy, withPolicyInForce } from 'anyhook/policy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPolicy } from './apply.ts';
import { packPolicy, type PolicyFile } from './archive.ts';
import { filesIn } from './commands.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
let root = '';
let managed: ManagedFolder;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'apply-')));
  managed = { folder: join(root, 'etc'), owner: process.getuid!() };
  mkdirSync(managed.folder, { mode: 0o755 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  writeFileSync(join(managed.folder, 'policy.pub'), pem, { mode: 0o644 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Large enough that writing takes some time. */
const filesOf = (version: number): PolicyFile[] => [
  { name: 'policy.json', bytes: Buffer.from(JSON.stringify({ version })) },
  { name: 'hooks.json', bytes: Buffer.from('{"hooks":{}}') },
  ...Array.from({ length: 12 }, (_, at) => ({
    name: `texts/${at}.txt`,
    bytes: Buffer.from(`version ${version}\n`.repeat(400)),
  })),
];
const packed = (version: number, files = filesOf(version), key = privateKey) =>
  packPolicy(version, files, key);
const apply = async (version: number, files = filesOf(version)) =>
  applyPolicy(await packed(version, files), managed);
/** The version in force, and whether all of its files are present and belong to it. */
function inForce() {
  const { managed: now } = withPolicyInForce({ managed });
  const { policy, isSound } = readPolicy(now);
  const held =
    now.inForce === undefined ? [] : filesIn(now.inForce).filter(({ name }) => name !== 'archive.sha256');
  const wanted = policy.version === 0 ? [] : filesOf(policy.version);
  const byName = (files: readonly PolicyFile[]) =>
    files.map(({ name, bytes }) => `${name} ${bytes.toString()}`).toSorted();
  const isWhole = byName(held).join('\n') === byName(wanted).join('\n');
  return { version: policy.version, isSound, isWhole, isTight: looseEnds(now).length === 0 };
}
const ALL_WELL = { isSound: true, isWhole: true, isTight: true };

describe('a policy that is applied', () => {
  test('an applied policy is in force, the next one replaces it, and the previous files stay for running readers', async () => {
    expect(await apply(1)).toEqual({ version: 1, before: 0, isSame: false });
    expect(await apply(2)).toEqual({ version: 2, before: 1, isSame: false });
    expect(await apply(5)).toEqual({ version: 5, before: 2, isSame: false });
    expect(inForce()).toEqual({ version: 5, ...ALL_WELL });
    expect(readdirSync(join(managed.folder, 'policies')).toSorted()).toEqual(['2', '5']);
  });

  test('applying the same policy again changes nothing, and different content with the same version is refused', async () => {
    await apply(1);
    expect(await apply(1)).toEqual({ version: 1, before: 1, isSame: true });
    await expect(apply(1, [...filesOf(1), { name: 'more', bytes: Buffer.from('x') }])).rejects.toThrow(
      /is another version 1/,
    );
    expect(inForce()).toEqual({ version: 1, ...ALL_WELL });
  });

  test('a policy older than the one in force is refused', async () => {
    await apply(4);
    await expect(apply(3)).rejects.toThrow(/version 3, and 4 is in force: an older one is not taken/);
    expect(inForce().version).toBe(4);
  });

  test('a policy older than the one in the managed folder itself is refused', async () => {
    writeFileSync(join(managed.folder, 'policy.json'), '{"version": 9}', { mode: 0o644 });
    await expect(apply(8)).rejects.toThrow(/an older one is not taken/);
    expect((await apply(10)).before).toBe(9);
  });

  test('a policy with an unknown signature is refused, even as the first one', async () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    await expect(packed(1, filesOf(1), other).then((bytes) => applyPolicy(bytes, managed))).rejects.toThrow(
      /not signed by a key/,
    );
    expect(readdirSync(managed.folder)).toEqual(['policy.pub']);
  });

  test.each([
    [
      'another version than it is signed as',
      { name: 'policy.json', bytes: Buffer.from('{"version": 7}') },
      /signed as version 2 .* policy.json is version 7/,
    ],
    ['a policy that cannot be read', { name: 'policy.json', bytes: Buffer.from('{') }, /is not in order/],
    ['no policy at all', { name: 'other.json', bytes: Buffer.from('{}') }, /is not in order/],
  ])('a policy that contains %s is refused, and the previous one stays in force', async (_, file, why) => {
    await apply(1);
    await expect(apply(2, [file])).rejects.toThrow(why);
    expect(inForce()).toEqual({ version: 1, ...ALL_WELL });
    expect(readdirSync(join(managed.folder, 'policies'))).toEqual(['1']);
  });

  test('a policy is refused if others can write the managed folder, because the key could be theirs', async () => {
    chmodSync(managed.folder, 0o777);
    await expect(apply(1)).rejects.toThrow(/is writable by other users/);
  });

  test('a policy is refused on a machine without a key', async () => {
    rmSync(join(managed.folder, 'policy.pub'));
    await expect(apply(1)).rejects.toThrow(/policy.pub is not there/);
  });

  test('an applied policy is readable by all users, whatever the umask is', async () => {
    const umask = process.umask(0o077);
    try {
      await apply(1);
    } finally {
      process.umask(umask);
    }
    const modes = readdirSync(join(managed.folder, 'policies/1'));
    expect(modes.length).toBeGreaterThan(3);
    expect(inForce()).toEqual({ version: 1, ...ALL_WELL });
  });

  test('applying a policy repairs a damaged version', async () => {
    await apply(1);
    writeFileSync(join(managed.folder, 'policies/1/policy.json'), '{');
    expect(inForce().isSound).toBe(false);
    await apply(2);
    expect(inForce()).toEqual({ version: 2, ...ALL_WELL });
  });
});

const BUILT = fileURLToPath(new URL('../../dist/policy/apply.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./fixtures/apply-all.mjs', import.meta.url));
/** Enough to hit every step several times; `npm run test:fleet` uses more. */
const KILLS = Number(process.env['ANYHOOK_KILLS'] ?? 25);

test(
  `after ${KILLS} kills at random moments a complete policy is in force, and the next one can be applied`,
  { timeout: 600_000 },
  async () => {
    const archives: string[] = [];
    for (let version = 1; version <= 200; version++) {
      const file = join(root, `${version}.tar`);
      writeFileSync(file, await packed(version));
      archives.push(file);
    }
    let next = 0;
    let hits = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = spawn(
        process.execPath,
        [PROGRAM, pathToFileURL(BUILT).href, managed.folder, ...archives.slice(next)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      await once(child.stdout!, 'data'); // The process is applying now.
      await setTimeout(Math.random() * 25);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const now = inForce();
      expect(now).toEqual({ version: now.version, ...ALL_WELL });
      expect(now.version).toBeGreaterThan(0);
      if (readdirSync(join(managed.folder, 'policies')).some((name) => name.startsWith('.'))) hits++;
      next = now.version; // Earlier archives would be refused as older.
      if (next >= archives.length - 20) next = reset();
    }
    expect((await applyPolicy(readFileSync(archives.at(-1)!), managed)).version).toBe(200);
    expect(inForce()).toEqual({ version: 200, ...ALL_WELL });
    expect(hits).toBeGreaterThan(0); // Some runs must have been killed in the middle, or the test proves nothing.
  },
);

function reset(): number {
  for (const name of ['policies', 'current'])
    rmSync(join(managed.folder, name), { recursive: true, force: true });
  return 0;
}
