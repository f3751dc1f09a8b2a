import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scene, use } from './fixtures/scene.ts';

describe('read', () => {
  test('read numbers the lines and says how to continue', async () => {
    const at = scene();
    writeFileSync(join(at.cwd, 'a.txt'), 'one\ntwo\nthree\nfour\n');
    expect(await use('read', { path: 'a.txt', offset: 2, limit: 2 }, at)).toEqual({
      output: '2\ttwo\n3\tthree\n[1 more lines; go on with offset 4]',
      title: 'a.txt',
      metadata: { lines: 4 },
    });
  });

  test('read explains why a file cannot be read', async () => {
    const at = scene();
    writeFileSync(join(at.cwd, 'config.json'), '{}\n');
    writeFileSync(join(at.cwd, 'picture'), Buffer.from([1, 0, 2]));
    mkdirSync(join(at.cwd, 'src'));
    const said = async (input: object) => {
      const { output, isError } = await use('read', input, at);
      expect(isError).toBe(true);
      return output.replaceAll(at.cwd, '.');
    };
    expect([
      await said({ path: 'confg.json' }),
      await said({ path: 'no/such/thing' }),
      await said({ path: 'picture' }),
      await said({ path: 'src' }),
      await said({ path: 'config.json/x' }),
      await said({ path: 'config.json', offset: 9 }),
    ]).toEqual([
      './confg.json does not exist. Did you mean ./config.json?',
      './no/such/thing does not exist.',
      './picture is binary (3 bytes).',
      './src is a folder: use glob or shell to list it.',
      './config.json/x could not be read: a part of its path is a file, not a folder.',
      './config.json has 1 lines; offset 9 is past its end.',
    ]);
  });
});

describe('write', () => {
  test('write creates folders, notifies hooks and shows the diff', async () => {
    const at = scene();
    const file = join(at.cwd, 'deep/er/a.txt');
    await use('write', { path: 'deep/er/a.txt', content: 'one\n' }, at);
    const { metadata } = await use('write', { path: file, content: 'two\n' }, at);
    expect(readFileSync(file, 'utf8')).toBe('two\n');
    expect(at.edits).toEqual([
      [file, 'create'],
      [file, 'edit'],
    ]);
    expect(metadata?.['diff']).toContain('-one\n+two\n');
  });

  test('write does not overwrite a folder or device, and hooks are not notified', async () => {
    const at = scene();
    mkdirSync(join(at.cwd, 'folder'));
    writeFileSync(join(at.cwd, 'file'), 'x');
    expect(await use('write', { path: 'folder', content: '' }, at)).toMatchObject({ isError: true });
    expect(await use('write', { path: 'file/below', content: '' }, at)).toMatchObject({ isError: true });
    expect(at.edits).toEqual([]);
  });
});

describe('edit', () => {
  const TEXT = 'function add(a, b) {\n  return a + b;\n}\nadd(1, 2);\n';
  const at = () => {
    const here = scene();
    writeFileSync(join(here.cwd, 'a.js'), TEXT);
    return here;
  };
  const said = async (change: object) => {
    const here = at();
    const { output, isError } = await use('edit', { path: 'a.js', ...change }, here);
    expect(readFileSync(join(here.cwd, 'a.js'), 'utf8')).toBe(TEXT);
    expect([isError, here.edits]).toEqual([true, []]);
    return output.replace(`${here.cwd}/a.js: `, '');
  };

  test('edit replaces a unique match, and dollar signs are literal', async () => {
    const here = at();
    const { output } = await use('edit', { path: 'a.js', old: 'a + b', new: "$& + $'" }, here);
    expect(output).toContain('1 replaced');
    expect(readFileSync(join(here.cwd, 'a.js'), 'utf8')).toContain("return $& + $';");
    expect(here.edits).toEqual([[join(here.cwd, 'a.js'), 'edit']]);
  });

  test('edit replaces all matches if requested', async () => {
    const here = at();
    await use('edit', { path: 'a.js', old: 'add', new: 'sum', all: true }, here);
    expect(readFileSync(join(here.cwd, 'a.js'), 'utf8')).toBe(TEXT.replaceAll('add', 'sum'));
  });

  test('edit explains why it cannot replace text, with the nearest line or the number of matches', async () => {
    expect(await said({ old: 'return a - b;', new: 'x' })).toBe(
      '`old` was not found. The nearest is line 2: "  return a + b;".',
    );
    expect(await said({ old: '\treturn a + b;', new: 'x' })).toBe(
      '`old` was not found. It differs in white space; line 2: "  return a + b;".',
    );
    expect(await said({ old: 'zzzzzz', new: 'x' })).toBe(
      '`old` was not found. No line is similar: read the file again.',
    );
    expect(await said({ old: 'add', new: 'x' })).toBe(
      '`old` occurs 2 times (lines 1, 4): give more of the text around it, or set all.',
    );
    expect(await said({ old: '', new: 'x' })).toContain('`old` is empty');
    expect(await said({ old: 'add', new: 'add' })).toContain('nothing would change');
  });

  test('edit reports different line endings', async () => {
    const here = scene();
    writeFileSync(join(here.cwd, 'w.txt'), 'one\r\ntwo\r\n');
    const { output } = await use('edit', { path: 'w.txt', old: 'one\ntwo', new: 'x' }, here);
    expect(output).toContain('this file ends its lines with \\r\\n');
  });

  test('multi_edit applies all edits or none', async () => {
    const here = at();
    const good = { old: 'a + b', new: 'a - b' };
    const failing = { path: 'a.js', edits: [good, { old: 'nowhere to be found', new: '' }] };
    const { output } = await use('multi-edit', failing, here);
    expect(output).toContain('edit 2 of 2');
    expect(readFileSync(join(here.cwd, 'a.js'), 'utf8')).toBe(TEXT);
    await use('multi-edit', { path: 'a.js', edits: [good, { old: 'a - b', new: 'b - a' }] }, here);
    expect(readFileSync(join(here.cwd, 'a.js'), 'utf8')).toContain('return b - a;');
    expect(here.edits).toHaveLength(1);
  });
});

describe('glob and grep', () => {
  const at = () => {
    const here = scene();
    for (const folder of ['.git', 'src/deep', 'dist', 'node_modules/x'])
      mkdirSync(join(here.cwd, folder), { recursive: true });
    const files = {
      '.gitignore': 'dist/\n*.log\n',
      'src/.gitignore': '!keep.log\n',
      'src/a.ts': 'const needle = 1;\n',
      'src/deep/b.ts': 'none\nneedle(2)\n',
      'src/keep.log': 'needle\n',
      'src/drop/x.log': 'needle\n',
      'dist/c.ts': 'needle\n',
      'node_modules/x/d.ts': 'needle\n',
      '.git/e.ts': 'needle\n',
      'src/bin.ts': 'needle\0',
    };
    mkdirSync(join(here.cwd, 'src/drop'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(here.cwd, name), text);
    return here;
  };

  test('glob and grep skip files that git ignores, by the nearest .gitignore', async () => {
    expect((await use('glob', { pattern: '**/*.{ts,log}' }, at())).output.split('\n')).toEqual([
      'src/a.ts',
      'src/bin.ts',
      'src/deep/b.ts',
      'src/keep.log',
    ]);
    expect((await use('glob', { pattern: '*.ts', path: 'src' }, at())).output).toBe('a.ts\nbin.ts');
    expect(await use('glob', { pattern: '*', path: 'nowhere' }, at())).toMatchObject({ isError: true });
  });

  test('grep reports file and line numbers and counts unread files', async () => {
    expect((await use('grep', { pattern: 'needle\\(?' }, at())).output.split('\n')).toEqual([
      'src/a.ts:1:const needle = 1;',
      'src/deep/b.ts:2:needle(2)',
      'src/keep.log:1:needle',
      '[1 binary or unreadable files were left out]',
    ]);
    expect((await use('grep', { pattern: 'needle', glob: 'b.ts' }, at())).output).toBe(
      'src/deep/b.ts:2:needle(2)',
    );
    expect((await use('grep', { pattern: 'needle', path: 'src/a.ts' }, at())).output).toBe(
      'src/a.ts:1:const needle = 1;',
    );
  });

  test('grep is not slowed down by a pattern that would hang a backtracking engine', async () => {
    const here = scene();
    const text = `${'a'.repeat(32)}!`;
    writeFileSync(join(here.cwd, 'a.txt'), text);
    expect((await use('grep', { pattern: '^(a+)+$' }, here)).output).toBe('No line matches.');
    // Control: the time of the native engine doubles with every letter.
    const timeOf = (length: number) => {
      const began = performance.now();
      /^(a+)+$/.test(`${'a'.repeat(length)}!`);
      return performance.now() - began;
    };
    expect(timeOf(24)).toBeGreaterThan(timeOf(12) * 10);
  });

  test('grep rejects an invalid pattern', async () => {
    expect(await use('grep', { pattern: '(' }, at())).toMatchObject({ isError: true });
    expect(await use('grep', { pattern: '(?=x)' }, at())).toMatchObject({ isError: true });
  });
});
