import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isSample } from '../packages/anyhook/test/deep.ts';

vi.setConfig({ testTimeout: 300_000 }); // each generates several times, on whatever machine

const ROOT = join(import.meta.dirname, '..');
const generate = (root: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/generate.mjs'), ...args],
    {
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
};

test('the generated files match the tables', () => {
  expect(generate(ROOT, '--check')).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+ generated files are up to date\n$/),
    stderr: '',
  });
});

describe.skipIf(isSample)('in a copy of the house', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'anyhook-drift-'));
    for (const part of [
      'scripts',
      'docs',
      'contrib',
      'packages/anyhook/anyhook.1',
      'packages/anyhook/schema',
      'packages/anyhook/src',
      'packages/anyhook/recipes',
      'packages/anyhook/test/clients/results',
      'packages/anyhook/test/wild/results.json',
      'packages/anyhook/test/faults/results.json',
    ])
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    // The sources and the scripts need their dependencies, and a package.json that says they are modules.
    for (const part of ['package.json', 'packages/anyhook/package.json'])
      cpSync(join(ROOT, part), join(copy, part));
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const PAGE = 'docs/events/tool.before.md';
  const SCHEMA = 'packages/anyhook/schema/events/tool.before.schema.json';
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(copy, file), change(readFileSync(join(copy, file), 'utf8')));

  test('stale, missing and superfluous files are named, and generating repairs them', () => {
    edit(SCHEMA, (text) => text.replace('"tool"', '"tools"'));
    edit(PAGE, (text) => text.replace('it has not run', 'it has run'));
    rmSync(join(copy, 'docs/events/turn.stop.md'));
    writeFileSync(join(copy, 'docs/events/tool.gone.md'), '# tool.gone\n');
    expect(generate(copy, '--check')).toEqual({
      status: 1,
      stdout: '',
      stderr: [
        `stale: ${SCHEMA}`,
        'stale: docs/events/turn.stop.md',
        `stale: ${PAGE}`,
        'no table asks for it: docs/events/tool.gone.md',
        "run 'npm run generate' and commit what it writes",
        '',
      ].join('\n'),
    });
    expect(generate(copy).status).toBe(0);
    expect(generate(copy, '--check').status).toBe(0);
  });

  test('text below the generated head of a page is kept', () => {
    appendFileSync(join(copy, PAGE), '\nWritten by hand.\n');
    edit(PAGE, (text) => text.replace('it has not run', 'it has run'));
    expect(generate(copy).status).toBe(0);
    const page = readFileSync(join(copy, PAGE), 'utf8');
    expect(page).toContain('it has not run');
    expect(page).toMatch(/\nWritten by hand\.\n$/);
  });

  test('a page without its markers is named and not overwritten', () => {
    const before = readFileSync(join(copy, PAGE), 'utf8');
    edit(PAGE, (text) => text.replace('<!-- generated -->', ''));
    const { status, stderr } = generate(copy);
    edit(PAGE, () => before);
    expect(status).toBe(1);
    expect(stderr).toContain("the page '# tool.before' has lost its marks");
  });

  test('the generator refuses an unknown option', () => {
    expect(generate(copy, '--chekc')).toEqual({
      status: 2,
      stdout: '',
      stderr: "generate.mjs takes nothing or --check, not '--chekc'\n",
    });
  });
});
