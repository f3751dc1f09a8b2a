import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const MAIN = new URL('../dist/main.js', import.meta.url).pathname;
let ground = '';
beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), 'agent-run-'));
  mkdirSync(join(ground, 'home'));
  mkdirSync(join(ground, 'project'));
});
afterEach(() => rmSync(ground, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
const agent = (args: readonly string[], stdin = ''): Promise<Ended> =>
  started(process.execPath, [MAIN, ...args], stdin);
function started(program: string, args: readonly string[], stdin = ''): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: join(ground, 'project'),
    env: { PATH: process.env['PATH'], HOME: join(ground, 'home'), NO_COLOR: '1' },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (said.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (said.stderr += chunk));
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })));
}
function script(steps: readonly object[]): string {
  const file = join(ground, 'script.json');
  writeFileSync(file, JSON.stringify(steps));
  return `scripted:${file}`;
}
function guard(): void {
  const folder = join(ground, 'home', '.config', 'anyhook');
  mkdirSync(folder, { recursive: true });
  const hook = { match: 'shell', run: 'echo "not today" >&2; exit 2', name: 'guard' };
  writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ hooks: { 'tool.before': [hook] } }));
}
const CALL = [
  { text: 'I run it.', calls: [{ tool: 'shell', input: { command: 'touch ran.txt' } }] },
  { text: 'All done.' },
];
const inProject = () => readdirSync(join(ground, 'project')).filter((name) => !name.startsWith('.'));

describe('the agent without a terminal', () => {
  test('a headless run prints the answer to stdout and everything else to stderr', async () => {
    const ended = await agent(['-p', '--permission', 'allow', '--model', script(CALL), 'do it']);
    expect(ended).toEqual({ code: 0, stdout: 'I run it.\nAll done.\n', stderr: 'shell touch ran.txt\n' });
    expect(inProject()).toEqual(['ran.txt']);
  });

  test('a user guard blocks the tool, the model reads why, and the run reports it', async () => {
    guard();
    const model = script([CALL[0]!, { when: { lastIncludes: 'not today' }, text: 'I was refused.' }]);
    const ended = await agent(['-p', '--permission', 'allow', '--model', model, 'do it']);
    expect(ended.stdout).toBe('I run it.\nI was refused.\n');
    expect(ended.stderr).toContain('denied: not today');
    expect(inProject()).toEqual([]);
  });

  test('a module with an unhandled rejection in every turn is named and does not end the run, and a guard still denies', async () => {
    guard();
    const folder = join(ground, 'home', '.omp', 'hooks', 'pre');
    mkdirSync(folder, { recursive: true });
    const stray = "() => { fetch('http://127.0.0.1:9/x'); }";
    writeFileSync(
      join(folder, 'forgetful.mjs'),
      `export default (pi) => { pi.on('turn_start', ${stray}); pi.on('tool_call', ${stray}); };`,
    );
    const model = script([CALL[0]!, { when: { lastIncludes: 'not today' }, text: 'I was refused.' }]);
    const ended = await agent(['-p', '--permission', 'allow', '--model', model, 'do it']);
    expect([ended.code, ended.stdout]).toEqual([0, 'I run it.\nI was refused.\n']);
    expect(ended.stderr).toContain('denied: not today');
    const said = ended.stderr.split('\n').filter((line) => line.includes('unhandled promise rejection'));
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said).size).toBe(said.length); // Each hook is reported once.
    for (const line of said)
      expect(line).toMatch(
        /forgetful\.mjs \((?:turn_start|tool_call).*\): unhandled promise rejection: fetch failed$/,
      );
    expect(inProject()).toEqual([]);
  }, 60_000);

  test('a module of ours that exits the process is named, and the run counts as failed', async () => {
    const folder = join(ground, 'home', '.config', 'anyhook', 'hooks');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'quitter.mjs'),
      `import { defineHook } from 'anyhook';
      export default defineHook({ name: 'quitter', on: 'turn.start', run() { setTimeout(() => process.exit(0), 5); } });`,
    );
    const ended = await agent(['-p', '--permission', 'allow', '--model', script(CALL), 'do it']);
    expect([ended.code, ended.stderr.includes('quitter.mjs (quitter) ended the program')]).toEqual([1, true]);
    expect(ended.stderr).toContain('the process exited before the run was complete');
  }, 60_000);

  test('a call that needs consent does not run in a run without a user', async () => {
    const ended = await agent(['-p', '--model', script(CALL), 'do it']);
    expect(ended.stderr).toContain('refused');
    expect(inProject()).toEqual([]);
  });

  test('--output json prints one object with the answer, the tools and the session file', async () => {
    const ended = await agent(
      ['-p', '--permission', 'allow', '--output', 'json', '--model', script(CALL)],
      'do it',
    );
    const { session, file, usage, ...rest } = JSON.parse(ended.stdout) as Record<string, unknown>;
    expect([typeof session, typeof file, typeof usage]).toEqual(['string', 'string', 'object']);
    expect(rest).toEqual({
      type: 'result',
      stopped: 'done',
      answer: 'All done.',
      turns: 2,
      tools: [{ tool: 'shell', isError: false }],
    });
  });

  test('--output stream-json prints every event as it happens and the result last', async () => {
    const ended = await agent([
      '-p',
      '--output',
      'stream-json',
      '--model',
      script([{ text: 'Hello.' }]),
      'hi',
    ]);
    const types = ended.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.filter((type) => type !== 'text')).toEqual([
      'session',
      'prompt',
      'turn',
      'said',
      'usage',
      'stopped',
      'result',
    ]);
    expect(types).toContain('text');
  });

  test('the result is the last line of stream-json while a background hook of the session end still runs', async () => {
    const folder = join(ground, 'home', '.config', 'anyhook');
    mkdirSync(folder, { recursive: true });
    const late = { run: 'sleep 1; echo late >&2; exit 1', background: true };
    writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ hooks: { 'session.end': [late] } }));
    const model = script([{ text: 'Hello.' }]);
    const ended = await agent(['-p', '--output', 'stream-json', '--model', model, 'hi']);
    const last = ended.stdout.trim().split('\n').at(-1)!;
    expect(JSON.parse(last)).toMatchObject({ type: 'result' });
  });

  test('a file, module or config hook command runs by its name, and an unknown name with a slash is a prompt', async () => {
    const config = join(ground, 'home', '.config');
    for (const folder of ['anyhook-agent/commands', 'opencode/command', 'opencode/plugin'])
      mkdirSync(join(config, folder), { recursive: true });
    writeFileSync(join(config, 'anyhook-agent', 'commands', 'review.md'), 'Review $ARGUMENTS now');
    writeFileSync(
      join(config, 'opencode', 'command', 'hail.md'),
      '---\ndescription: Says hello\n---\nHail $1 twice',
    );
    writeFileSync(
      join(config, 'opencode', 'plugin', 'greets.js'),
      `export const P = async () => ({ config: async (c) => void (c.command.greet = { template: 'Greet $ARGUMENTS nicely' }) });`,
    );
    const hooks = join(ground, 'home', '.omp', 'hooks', 'pre');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(
      join(hooks, 'note.mjs'),
      `import { writeFileSync } from 'node:fs';
       export default (pi) => pi.registerCommand('note', { description: 'd', handler: async (args) => writeFileSync('noted', args) });`,
    );
    const model = script([
      { when: { lastIncludes: 'Review the diff now' }, text: 'Reviewed.' },
      { when: { lastIncludes: 'Hail Ann twice' }, text: 'Hail, hail.' },
      { when: { lastIncludes: 'Greet Bob nicely' }, text: 'Dear Bob.' },
      { when: { lastIncludes: '/etc/hosts' }, text: 'A file.' },
    ]);
    const run = async (prompt: string) => {
      const { code, stdout } = await agent(['-p', '--model', model, prompt]);
      return [code, stdout];
    };
    expect(await run('/review the diff')).toEqual([0, 'Reviewed.\n']);
    expect(await run('/hail Ann')).toEqual([0, 'Hail, hail.\n']);
    expect(await run('/greet Bob')).toEqual([0, 'Dear Bob.\n']);
    expect(await run('/etc/hosts, what is it?')).toEqual([0, 'A file.\n']);
    expect(await run('/note down')).toEqual([0, '']);
    expect(inProject()).toEqual(['noted']);
  }, 60_000);

  test('a run exits quietly when the reader closes stdout', async () => {
    const model = script([{ text: 'word '.repeat(50_000) }]);
    const line = `"${process.execPath}" "${MAIN}" -p --output stream-json --model "${model}" hi | head -n 1`;
    const ended = await started('bash', ['-c', `${line}; exit 0`]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ type: 'session' });
  }, 60_000);

  test.each([
    [['-p', 'hi'], 'No model is set'],
    [['-p', '--model', 'antropic:x', 'hi'], 'anthropic:'],
    [['-p', '--model', 'anthropic:claude-sonnet-4-5', 'hi'], 'ANTHROPIC_API_KEY'],
    [['-p', '--model', 'scripted:nowhere.yaml', 'hi'], 'nowhere.yaml'],
    [['-p', '--output', 'xml', 'hi'], 'xml'],
    [['-p', '--max-turns', '0', 'hi'], 'a whole number from 1 up'],
    [['-p', '--resume', 'nowhere.jsonl', '--model', 'scripted:x.json', 'hi'], 'nowhere.jsonl'],
    [['-p', '--model', 'scripted:x.json'], 'missing prompt'],
  ])('%j produces a one-line error without a stack', async (args, wanted) => {
    const ended = await agent(args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(wanted);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    expect(ended.stdout).toBe('');
  });

  test('--continue resumes the latest session', async () => {
    const first = await agent(['-p', '--output', 'json', '--model', script([{ text: 'One.' }]), 'first']);
    const second = await agent([
      '-p',
      '--continue',
      '--output',
      'json',
      '--model',
      script([{ text: 'Two.' }]),
      'second',
    ]);
    const session = (ended: Ended) => (JSON.parse(ended.stdout) as { session: string }).session;
    expect(session(second)).toBe(session(first));
  });
});

/** One module for anyhook and one for pi. */
const OWN = `import { defineHook, deny } from 'anyhook';
export default defineHook({ on: 'tool.before', run: () => deny('own module') });`;
const PI = `export default function (pi) {
  pi.on('tool_call', () => ({ block: true, reason: 'pi module' }));
}`;

describe('--hook and --extension', () => {
  test.each([
    ['--hook', 'own.mjs', OWN, () => './own.mjs', 'own module'],
    ['--extension', 'guard.ts', PI, (path: string) => path, 'pi module'],
  ])(
    '%s %s runs without trust, with an absolute or a project path',
    async (flag, name, code, named, reason) => {
      const file = join(ground, 'project', name);
      writeFileSync(file, code);
      const ended = await agent([
        '-p',
        '--permission',
        'allow',
        flag,
        named(file),
        '--model',
        script(CALL),
        'do it',
      ]);
      expect(ended.stderr).toContain(`denied: ${reason}`);
      expect(inProject()).toEqual([name]);
    },
  );

  test('--hook accepts a path below home, repeats, and reports a missing file', async () => {
    writeFileSync(join(ground, 'home', 'guard.ts'), PI);
    const both = await agent([
      '-p',
      '--permission',
      'allow',
      '--hook',
      '~/guard.ts',
      '--hook',
      'gone.ts',
      '--model',
      script(CALL),
      'go',
    ]);
    expect(both.stderr).toContain('denied: ');
    expect(both.stderr).toContain('gone.ts');
    expect(both.stderr).not.toMatch(/\n\s+at /);
    expect(inProject()).toEqual([]);
  });
});

describe('hooks of a project', () => {
  const hashIn = (text: string) => /--trust (sha256:[0-9a-f]{64})/.exec(text)?.[1] ?? '';
  const run = (more: readonly string[] = []) =>
    agent(['-p', '--permission', 'allow', ...more, '--model', script(CALL), 'do it']);

  test('a project hook does not run without trust, and the run prints the hash that enables it', async () => {
    mkdirSync(join(ground, 'project', '.anyhook'));
    const hook = { match: 'shell', run: 'echo "the project says no" >&2; exit 2' };
    writeFileSync(
      join(ground, 'project', '.anyhook', 'hooks.json'),
      JSON.stringify({ hooks: { 'tool.before': [hook] } }),
    );
    const first = await run();
    expect(first.stderr).toContain('was never trusted; it does not run');
    expect([first.code, inProject()]).toEqual([0, ['ran.txt']]);
    rmSync(join(ground, 'project', 'ran.txt'));
    const second = await run(['--trust', hashIn(first.stderr)]);
    expect(second.stderr).toContain('denied: the project says no');
    expect(inProject()).toEqual([]);
    // The hash is valid for one run; json output prints it on stderr too.
    expect(hashIn((await run(['--output', 'json'])).stderr)).toBe(hashIn(first.stderr));
  });

  test('an MCP server of the project does not start without trust', async () => {
    const server = join(ground, 'project', 'server.mjs');
    writeFileSync(
      server,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(ground, 'started'))}, '');`,
    );
    writeFileSync(
      join(ground, 'project', '.mcp.json'),
      JSON.stringify({ mcpServers: { house: { command: process.execPath, args: [server] } } }),
    );
    const started = () => readdirSync(ground).includes('started');
    const first = await run();
    expect(first.stderr).toContain('mcpServers.house comes from the project and was never trusted');
    expect(started()).toBe(false);
    const second = await run(['--trust', hashIn(first.stderr)]);
    expect([started(), second.code]).toEqual([true, 0]);
  });
});
