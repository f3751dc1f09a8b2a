/** Compares what docs/cli.md and docs/library.md say about commands and options with the build. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const help = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'packages/anyhook/dist/bin/anyhook.cjs'), ...words, '--help'], {
    encoding: 'utf8',
  });

test(
  'every command accepts --help, and --json except for those named in docs/cli.md',
  { timeout: 120_000 },
  () => {
    const [, names = ''] = /print no findings \(([^)]+)\)/.exec(page('cli.md')) ?? [];
    const without = names.match(/\w+/g) ?? [];
    const commands = [...help().stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name!);
    expect(commands.length).toBeGreaterThan(15);
    const inner: Readonly<Record<string, string>> = { trust: 'list', approvals: 'list', daemon: 'status' };
    const silent = commands
      .filter((name) => name !== 'help' && name !== 'anyhook')
      .filter((name) => {
        const { status, stdout } = help(...(inner[name] === undefined ? [name] : [name, inner[name]]));
        expect([name, status]).toEqual([name, 0]);
        return !stdout.includes('--json');
      });
    expect(silent.toSorted()).toEqual(without.toSorted());
  },
);

test('docs/library.md names every value of modules.isolate, including the default', () => {
  const source = readFileSync(join(root, 'packages/anyhook/src/gather/options.ts'), 'utf8');
  const [, values = ''] = /export type Isolate = ([^;]+);/.exec(source) ?? [];
  const [row = ''] = /^\| `modules\.isolate` .*$/m.exec(page('library.md')) ?? [];
  expect(values.match(/'\w+'/g)).toEqual(row.match(/'\w+'/g));
  expect(row).toContain("`'foreign'` (default");
});
