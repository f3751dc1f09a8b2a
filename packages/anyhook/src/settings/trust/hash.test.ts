import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloneOf, command, cover, hash, projectWith } from './fixtures/scratch.ts';
import { trustedFilesOf } from './gathering.ts';
import { canonicalEntry, trustHash, isHash, type BoundFacts } from './hash.ts';

const FILES = {
  'hooks/g.sh*': '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nnode hooks/m.mjs\n',
  'hooks/lib.sh': 'echo lib\n',
  'hooks/m.mjs': `import './n.mjs';\n`,
  'hooks/n.mjs': '1;\n',
};
const LINE = './hooks/g.sh';

test('flipping any byte of any covered file changes the hash', () => {
  const project = projectWith(FILES);
  const before = cover(project, LINE);
  expect(before.files.map((f) => f.name)).toEqual(Object.keys(FILES).map((n) => n.replace('*', '')));
  const all = before.files.flatMap((file) => [...file.bytes.keys()].map((at) => ({ file, at })));
  fc.assert(
    fc.property(fc.constantFrom(...all), fc.integer({ min: 1, max: 255 }), ({ file, at }, by) => {
      const path = join(project.root, file.name);
      const changed = Buffer.from(file.bytes);
      changed[at] = (changed[at] ?? 0) ^ by;
      writeFileSync(path, changed);
      const after = hash(cover(project, LINE));
      writeFileSync(path, file.bytes);
      return after !== hash(before);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 2_000) / 4 },
  );
  expect(hash(cover(project, LINE))).toBe(hash(before));
});

test('adding, removing or renaming a file, making it executable or replacing it by a link changes the hash', () => {
  const changes: ((root: string) => void)[] = [
    (root) => writeFileSync(join(root, 'hooks/n.mjs.js'), ''),
    (root) => rmSync(join(root, 'hooks/n.mjs')),
    (root) => renameSync(join(root, 'hooks/lib.sh'), join(root, 'hooks/lib2.sh')),
    (root) => chmodSync(join(root, 'hooks/lib.sh'), 0o755),
    (root) => chmodSync(join(root, 'hooks/g.sh'), 0o644),
    (root) => {
      renameSync(join(root, 'hooks/lib.sh'), join(root, 'lib.sh'));
      symlinkSync('../lib.sh', join(root, 'hooks/lib.sh'));
    },
  ];
  const hashes = changes.map((change) => {
    const project = projectWith(FILES);
    change(project.root);
    return hash(cover(project, LINE));
  });
  hashes.push(hash(cover(projectWith(FILES), LINE)));
  expect(new Set(hashes).size).toBe(changes.length + 1);
});

test('changing any field of the entry changes the hash', () => {
  const project = projectWith(FILES);
  const fields = [
    {},
    { on: 'PostToolUse' },
    { matcher: 'Write' },
    { dialect: 'goose' },
    { timeoutMs: 1 },
    { timeoutMs: 2 },
    { timeoutMs: Infinity },
    { onFailure: 'allow' },
    { set: { A: '1' } },
    { set: { A: '2' } },
    { set: [['A', '1']] },
    { extra: null },
    { extra: JSON.parse('{"__proto__":1}') as unknown },
    { run: { line: `${LINE} ` } },
  ];
  const hashes = fields.map((f) => hash(trustedFilesOf(command(project, LINE, f), project)));
  expect(new Set(hashes).size).toBe(fields.length);
});

test("a clone has the same hash, whatever the order of keys and the project's path", () => {
  const project = projectWith({ ...FILES, 'real.sh*': ':\n' });
  symlinkSync(join(project.root, 'real.sh'), join(project.root, 'link.sh'));
  const clone = cloneOf(project);
  rmSync(join(clone.root, 'link.sh'));
  symlinkSync('./real.sh', join(clone.root, 'link.sh'));
  const line = (root: string) => `${LINE}; ${root}/link.sh`;
  const [a, b] = [cover(project, line(project.root)), cover(clone, line(clone.root))];
  expect(hash(a)).toBe(hash(b));
  expect(a.files).toHaveLength(5);
  const one = { ...command(project, ''), fields: { b: 1, a: { d: 1, c: 2 } } };
  expect(canonicalEntry(one, '/x')).toBe(
    canonicalEntry({ ...one, fields: { a: { c: 2, d: 1 }, b: 1 } }, '/x'),
  );
});

test('an entry cannot forge the marker of the project path', () => {
  const project = projectWith({});
  const texts = [`${project.root}/x`, '\0project/x', '\0\0project/x', `${project.root}-other/x`];
  expect(new Set(texts.map((t) => canonicalEntry(command(project, t), project.root))).size).toBe(
    texts.length,
  );
});

test('different lists of parts never have the same hash', () => {
  const text = fc.string({ maxLength: 6, unit: fc.constantFrom('a', ':', '1', '\0') });
  const file = fc.record({ name: text, executable: fc.boolean(), sha256: text });
  const bound = fc.record({
    entry: text,
    files: fc.uniqueArray(file, { selector: (f) => f.name, maxLength: 3 }),
    links: fc.uniqueArray(fc.record({ name: text, target: text }), { selector: (l) => l.name, maxLength: 2 }),
  });
  const key = (b: BoundFacts) =>
    JSON.stringify([
      b.entry,
      b.files.toSorted((x, y) => (x.name < y.name ? -1 : 1)).map((f) => [f.name, f.executable, f.sha256]),
      b.links.toSorted((x, y) => (x.name < y.name ? -1 : 1)).map((l) => [l.name, l.target]),
    ]);
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(bound, (b) => {
      const h = trustHash(b);
      const known = seen.get(h) ?? key(b);
      seen.set(h, known);
      return known === key(b);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 5_000) },
  );
});

test('a function cannot be hashed', () => {
  expect(() => canonicalEntry({ ...command(projectWith({}), ''), fields: { f: () => 1 } }, '/x')).toThrow(
    TypeError,
  );
});

test.each([
  ['../../x'],
  ['sha256:../../x'],
  ['sha256:'],
  [`sha256:${'A'.repeat(64)}`],
  [`sha256:${'a'.repeat(63)}/`],
  [`sha256:${'a'.repeat(64)}\n`],
  ['a'.repeat(64)],
  [42],
])('%j is not a hash', (text) => {
  expect(isHash(text)).toBe(false);
});
