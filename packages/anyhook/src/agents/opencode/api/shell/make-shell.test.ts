import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeShell } from './make-shell.ts';
import { ShellError } from './output.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function ground(more: Partial<Parameters<typeof makeShell>[0]> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'anyhook-shell-'));
  folders.push(cwd);
  const printed: string[] = [];
  const $ = makeShell({ cwd, print: (stream, chunk) => void printed.push(`${stream}: ${chunk}`), ...more });
  return { cwd, $, printed };
}

/** A zombie process that was not reaped does not count as running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a template', () => {
  test('a template runs in the given folder and returns its output in every format', async () => {
    const { cwd, $ } = ground();
    writeFileSync(join(cwd, 'a.json'), '{"a":[1]}\n');
    expect(await $`cat a.json`.text()).toBe('{"a":[1]}\n');
    expect(await $`cat a.json`.json()).toEqual({ a: [1] });
    expect(Buffer.from(await $`cat a.json`.arrayBuffer()).toString()).toBe('{"a":[1]}\n');
    expect(Buffer.from(await $`cat a.json`.bytes()).toString()).toBe('{"a":[1]}\n');
    expect(await (await $`cat a.json`.blob()).text()).toBe('{"a":[1]}\n');
    const lines: string[] = [];
    for await (const line of $`printf 'a\nb'`.lines()) lines.push(line);
    expect(lines).toEqual(['a', 'b']);
    const output = await $`cat a.json; echo oh >&2`.quiet();
    expect([output.text(), output.json(), output.stderr.toString(), output.exitCode]).toEqual([
      '{"a":[1]}\n',
      { a: [1] },
      'oh\n',
      0,
    ]);
  });

  test('a template keeps binary output unchanged', async () => {
    const { $ } = ground();
    expect([...(await $`printf '\377\000\200'`.bytes())]).toEqual([0xff, 0, 0x80]);
  });

  test('a template starts once, when it is awaited', async () => {
    const { cwd, $ } = ground();
    const promise = $`echo x >> started`;
    await new Promise((done) => setTimeout(done, 50));
    expect(existsSync(join(cwd, 'started'))).toBe(false);
    await promise;
    await promise;
    expect(readFileSync(join(cwd, 'started'), 'utf8')).toBe('x\n');
    expect(promise).toBeInstanceOf(Promise);
    expect(() => promise.cwd('/')).toThrow('Shell is already running');
  });

  test('a template prints its output unless it is quiet', async () => {
    const { $, printed } = ground();
    await $`echo loud`;
    await $`echo hush`.quiet();
    await $`echo hush`.text();
    expect(printed).toEqual(['stdout: loud\n']);
  });

  test('a failing template rejects with its complete output, unless nothrow is set', async () => {
    const { $ } = ground();
    const error = await $`echo out; echo err >&2; exit 3`.quiet().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ShellError);
    const { name, message, exitCode, stdout, stderr } = error as ShellError;
    expect([name, message, exitCode, `${stdout}`, `${stderr}`]).toEqual([
      'ShellError',
      'Failed with exit code 3: err',
      3,
      'out\n',
      'err\n',
    ]);
    expect((await $`exit 3`.nothrow()).exitCode).toBe(3);
    expect((await $`exit 3`.throws(false)).exitCode).toBe(3);
    await expect($`nosuchprogram_`.quiet()).rejects.toMatchObject({ exitCode: 127 });
    expect((await $`kill -9 $$`.nothrow()).exitCode).toBe(137);
  });

  test('a template uses its own folder and environment, and the defaults of its $', async () => {
    const { cwd, $ } = ground();
    expect(await $`pwd`.cwd('/').text()).toBe('/\n');
    expect(await $`echo $WHO`.env({ ...process.env, WHO: 'me' }).text()).toBe('me\n');
    $.cwd('/').env({ WHO: 'all' }).nothrow();
    expect(await $`pwd; echo $WHO; false`.text()).toBe('/\nall\n');
    $.cwd().env().throws(true);
    expect(await $`pwd; echo "[$WHO]"`.text()).toBe(`${cwd}\n[]\n`);
    await expect($`false`).rejects.toThrow('exit code 1');
  });

  test('a template in a missing folder fails with a message', async () => {
    const { $ } = ground();
    await expect($`true`.cwd('/nowhere/at/all')).rejects.toThrow('/nowhere/at/all is not a folder');
  });

  test('a template reads a stream, a blob, a response or bytes after <, and its own stdin', async () => {
    const { $ } = ground();
    const stream = new Blob(['from a stream']).stream();
    expect(await $`cat < ${new Blob(['from a blob'])}`.text()).toBe('from a blob');
    expect(await $`cat < ${new Response('from a response')} | tr a-z A-Z`.text()).toBe('FROM A RESPONSE');
    expect(await $`cat < ${stream}`.text()).toBe('from a stream');
    expect(await $`cat < ${Buffer.from('bytes')}; cat < ${Buffer.from(' more')}`.text()).toBe('bytes more');
    const typed = $`cat`.quiet();
    const writer = typed.stdin.getWriter();
    await writer.write(Buffer.from('typed'));
    await writer.close();
    expect((await typed).text()).toBe('typed');
    expect(await $`cat`.text()).toBe('');
  });

  test('an abort kills a template and all its child processes', async () => {
    const stop = new AbortController();
    const { cwd, $ } = ground({ signal: stop.signal });
    const running = $`sleep 30 & echo $! > begun; wait`.nothrow().run();
    while (!existsSync(join(cwd, 'begun')) || readFileSync(join(cwd, 'begun'), 'utf8') === '')
      await new Promise((done) => setTimeout(done, 10));
    stop.abort();
    expect((await running).exitCode).toBe(137);
    const child = Number(readFileSync(join(cwd, 'begun'), 'utf8'));
    await vi.waitFor(() => expect(isRunning(child)).toBe(false), 5000);
    await expect($`echo never > never`).rejects.toThrow('aborted before it started');
    expect(existsSync(join(cwd, 'never'))).toBe(false);
    const own = ground();
    expect((await own.$`sleep 30`.nothrow().signal(AbortSignal.timeout(50))).exitCode).toBe(137);
  });

  test('a template does not wait for background processes', async () => {
    const { $ } = ground();
    const began = Date.now();
    expect(await $`sleep 20 & echo done`.text()).toBe('done\n');
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  test('calling $ like a function throws', () => {
    const { $ } = ground();
    expect(() => ($ as unknown as (line: string) => unknown)('ls')).toThrow('$ is a tag for templates');
  });
});

describe('shell words', () => {
  test('braces are expanded', () => {
    const { $ } = ground();
    expect($.braces('a{b,c{d,e}}f{1,2}')).toEqual(['abf1', 'abf2', 'acdf1', 'acdf2', 'acef1', 'acef2']);
    expect([$.braces('{a}'), $.braces('a{b,'), $.braces('{}{x,y}')]).toEqual([
      ['{a}'],
      ['a{b,'],
      ['{}x', '{}y'],
    ]);
  });

  test('an escaped text is printed unchanged', async () => {
    const { $ } = ground();
    const hostile = '$(touch x) `id` "q" \\ \'s\' *';
    expect($.escape(hostile)).toBe('"\\$(touch x) \\`id\\` \\"q\\" \\\\ \'s\' *"');
    expect($.escape('plain-1.txt')).toBe('plain-1.txt');
    expect(await $`printf %s ${{ raw: $.escape(hostile) }}`.text()).toBe(hostile);
  });
});
