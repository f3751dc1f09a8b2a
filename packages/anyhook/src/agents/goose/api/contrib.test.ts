import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test as anyTest } from 'vitest';
import { lacks } from '../../../../test/programs.mjs';
import { clear, type GooseGround, ground } from './fixtures/ground.ts';
import { type GooseHooks, loadGooseHooks } from './index.ts';

const test = anyTest.skipIf(lacks('jq'));

const REPOSITORY = join(import.meta.dirname, '../../../../../..');
const before = { ...process.env };
let at: GooseGround;
beforeEach(() => {
  at = ground();
  for (const name of Object.keys(process.env)) if (name.startsWith('AUGMENTUM_')) delete process.env[name];
});
afterEach(clear);
afterAll(() => void (process.env = before));

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
function run(script: string, event: object, env: Record<string, string> = {}): Said {
  const { status, stdout, stderr } = spawnSync(join(REPOSITORY, 'contrib/hooks', `augmentum-${script}.sh`), {
    input: JSON.stringify(event),
    encoding: 'utf8',
    cwd: at.cwd,
    env: { PATH: process.env['PATH']!, HOME: at.home, ...env },
  });
  return { code: status, out: stdout, err: stderr };
}
const contextOf = ({ out }: Said) => (JSON.parse(out) as { additionalContext: string }).additionalContext;
const base = () => ({ session_id: 's1', cwd: at.cwd });
const call = (tool_name: string, tool_input: object) => ({
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  ...base(),
});

test('after the documented one-line installation in a fresh home all five hooks run by Goose rules', async () => {
  const page = readFileSync(join(REPOSITORY, 'contrib/README.md'), 'utf8');
  const [, lines] = /```sh\n(.*?)```/s.exec(page)!;
  expect(lines).toContain('cp contrib/config/hooks.json ~/.config/goose/hooks.json');
  execFileSync('sh', ['-ec', lines!], { cwd: REPOSITORY, env: { ...process.env, HOME: at.home } });
  process.env['HOME'] = at.home; // the hooks' home folder, which the runner reads when it is opened
  process.env['AUGMENTUM_PERMITS'] = join(at.root, 'permits.json');
  writeFileSync(
    join(at.root, 'permits.json'),
    JSON.stringify({ active: [{ scope: 'shell', commands: ['ls*'] }] }),
  );
  const goose: GooseHooks = await loadGooseHooks(at);
  expect(goose.problems).toEqual([]);
  const start = await goose.emit({ hook_event_name: 'SessionStart', ...base() });
  expect(start.additionalContext).toMatch(/^Node: /);
  const prompt = await goose.emit({ hook_event_name: 'UserPromptSubmit', user_prompt: 'hello', ...base() });
  expect(prompt.blocked).toBe(false);
  expect((await goose.emit(call('developer__shell', { command: 'ls -l' }))).blocked).toBe(false);
  const refused = await goose.emit(call('developer__shell', { command: 'rm -rf /' }));
  expect([refused.blocked, refused.reason]).toEqual([true, `The permits for 'shell' do not cover: rm -rf /`]);
  expect((await goose.emit({ hook_event_name: 'Stop', ...base() })).blocked).toBe(false);
  const failures = [start, prompt].flatMap(({ runs }) => runs.flatMap(({ answer }) => answer?.failed ?? []));
  expect(failures).toEqual([]);
  const state = (name: string) =>
    JSON.parse(readFileSync(join(at.home, '.local/state/augmentum', name), 'utf8')) as object;
  expect(state('audit.jsonl')).toMatchObject({ session_id: 's1', command: 'ls -l' });
  expect(state('sessions.jsonl')).toMatchObject({ session_id: 's1', commands: 1 });
});

describe('session-start', () => {
  const start = (env: Record<string, string> = {}) =>
    run('session-start', { hook_event_name: 'SessionStart', ...base() }, { AUGMENTUM_RUN: at.root, ...env });
  test('session-start reports the machine if nothing else is known', () => {
    const said = start();
    expect([said.code, contextOf(said).split('\n').length]).toEqual([0, 1]);
    expect(contextOf(said)).toMatch(/^Node: \S+ \(\w+ \w+\)$/);
  });
  test('session-start reports the node, the models and the state of the repository', () => {
    writeFileSync(join(at.root, 'node.json'), JSON.stringify({ name: 'atlas', role: 'builder', id: 'n-7' }));
    writeFileSync(join(at.root, 'models.json'), JSON.stringify({ models: ['small', { id: 'large' }] }));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: at.cwd });
    git('init', '-q', '-b', 'trunk');
    git('commit', '-q', '--allow-empty', '-m', 'first "step"');
    writeFileSync(join(at.cwd, 'new.txt'), '');
    expect(contextOf(start())).toMatch(
      /^Node: atlas, builder, n-7 \(.*\)\nModels: small, large\nGit: on trunk, 1 changed files\n {2}\w+ first "step"$/,
    );
  });
  test('session-start runs nothing that the repository configures', () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: at.cwd });
    git('init', '-q');
    writeFileSync(join(at.cwd, 'evil.sh'), `#!/bin/sh\ntouch "${at.root}/ran"\n`, { mode: 0o755 });
    appendFileSync(join(at.cwd, '.git/config'), `[core]\n\tfsmonitor = ${at.cwd}/evil.sh\n`);
    start();
    expect(() => statSync(join(at.root, 'ran'))).toThrow();
    execFileSync('git', ['status'], { cwd: at.cwd }); // the negative control: a plain status runs it
    expect(statSync(join(at.root, 'ran')).isFile()).toBe(true);
  });
  test('session-start omits an unreachable gateway', () => {
    expect(contextOf(start({ AUGMENTUM_GATEWAY: 'http://127.0.0.1:9' }))).not.toContain('Models');
  });
});

describe('context-inject', () => {
  const inject = (event: object, env: Record<string, string> = {}) =>
    run('context-inject', { ...base(), ...event }, env);
  const note = (file: string, text: string) => {
    mkdirSync(join(at.home, '.augmentum', file, '..'), { recursive: true });
    writeFileSync(join(at.home, '.augmentum', file), text);
  };
  test('context-inject prints nothing if nothing is known', () => {
    expect(inject({ user_prompt: 'deploy it' })).toEqual({ code: 0, out: '', err: '' });
  });
  test('context-inject adds all rules, and notes that share a word with the prompt', () => {
    note('rules/a.md', 'Be kind.');
    note('memory/tea.md', 'The person likes Deploying tea.');
    note('memory/else.md', 'Nothing to see.');
    note('vault/host.md', 'deploy host: example.org');
    const said = inject({ prompt: 'please deploy "$(rm -rf /)" .* now' });
    expect(JSON.parse(said.out)).toEqual({
      additionalContext:
        '## rules/a.md\nBe kind.\n\n## memory/tea.md\nThe person likes Deploying tea.\n\n## vault/host.md\ndeploy host: example.org',
      sources: ['rules/a.md', 'memory/tea.md', 'vault/host.md'],
      tier: 'full',
    });
    const sources = (env: Record<string, string>, more: object = {}) =>
      (JSON.parse(inject({ user_prompt: 'deploy', ...more }, env).out) as { sources: string[] }).sources;
    expect(sources({ AUGMENTUM_TIER: 'minimal' })).toEqual(['rules/a.md']);
    expect(sources({}, { tier: 'standard' })).toEqual(['rules/a.md', 'memory/tea.md']);
  });
  test('context-inject keeps its limits without splitting characters', () => {
    note('rules/long.md', 'ü'.repeat(20_000));
    const text = contextOf(inject({ user_prompt: 'x' }));
    expect([Buffer.byteLength(text) <= 8192, text.includes('\uFFFD')]).toEqual([true, false]);
  });
  test('context-inject calls a CQI bridge if there is one, and fails if it does not answer', async () => {
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        bodies.push(JSON.parse(body));
        response.end(JSON.stringify({ context: 'from the bridge', sources: ['vault'] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const goose = await loadWith({ AUGMENTUM_CQI: `http://127.0.0.1:${port}` });
    const { additionalContext } = await goose.emit({
      hook_event_name: 'UserPromptSubmit',
      user_prompt: 'hi',
      ...base(),
    });
    server.close();
    expect([additionalContext, bodies]).toEqual([
      'from the bridge',
      [{ version: 1, prompt: 'hi', session_id: 's1', tier: 'full', cwd: at.cwd }],
    ]);
    expect(inject({ user_prompt: 'x' }, { AUGMENTUM_CQI: 'http://127.0.0.1:9' }).code).toBe(1);
  });
  /** Loads asynchronously, because the server of this test must answer while the hook waits. */
  async function loadWith(env: Record<string, string>): Promise<GooseHooks> {
    const set = Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
    const line = `${set} '${join(REPOSITORY, 'contrib/hooks/augmentum-context-inject.sh')}'`;
    mkdirSync(join(at.home, '.config/goose'), { recursive: true });
    writeFileSync(
      join(at.home, '.config/goose/hooks.json'),
      JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: line }] }] } }),
    );
    return loadGooseHooks(at);
  }
});

describe('permit-check', () => {
  function check(active: unknown, tool: string, input: object): [number | null, string] {
    const file = join(at.root, 'permits.json');
    writeFileSync(file, typeof active === 'string' ? active : JSON.stringify({ active }));
    const { code, err } = run('permit-check', call(tool, input), { AUGMENTUM_PERMITS: file });
    return [code, err.trim()];
  }
  const shell = (command: string) => ({ command });

  test('permit-check lets everything pass without a file, and with an unreadable one', () => {
    const none = { AUGMENTUM_PERMITS: join(at.root, 'nowhere.json') };
    expect(run('permit-check', call('shell', shell('rm -rf /')), none)).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(check('{"active": [', 'shell', shell('ls'))).toEqual([0, '']);
    expect(check('{}', 'shell', shell('ls'))).toEqual([0, '']);
  });
  test('permit-check refuses a scope without permit and explains how to continue', () => {
    expect(check([], 'developer__shell', shell('ls'))).toEqual([
      2,
      `No permit covers 'shell'. Ask for the scope 'shell', or do without developer__shell.`,
    ]);
    expect(check([{ scope: 'write' }], 'shell', shell('ls'))[0]).toBe(2);
    expect(check([{ scope: 'shell' }], 'memory__recall', {})[0]).toBe(2);
    expect(check([{ scope: 'memory__recall' }], 'memory__recall', {})[0]).toBe(0);
    expect(check([{ scope: '*' }], 'memory__recall', {})[0]).toBe(0);
  });
  const rows: [string, number][] = [
    ['git status', 0],
    ['npm test', 0],
    ['rm x', 2],
    ['gitk', 2],
    ['git status; rm x', 2],
    ['git status && rm x', 2],
    ['git log | sh', 2],
    ['git log $(rm x)', 2],
    ['git log `rm x`', 2],
    ['git log > ~/.bashrc', 2],
    ['git status\nrm x', 2],
  ];
  test.each(rows)(
    'permit-check compares a command with the permit patterns: %j exits with %i',
    (command, code) => {
      const active = [{ scope: 'shell', commands: ['git *', 'npm test'] }];
      expect(check(active, 'shell', { command })[0]).toBe(code);
    },
  );
  test('a permit for all commands covers chained commands', () => {
    expect(check([{ scope: 'shell', commands: ['*'] }], 'shell', shell('a; b'))[0]).toBe(0);
    expect(check([{ scope: 'shell' }], 'shell', shell('a; b'))[0]).toBe(0);
  });
  test('permit-check resolves paths before comparing them', () => {
    const active = [{ scope: 'write', paths: [`${at.cwd}/src/*`] }];
    expect(check(active, 'write', { path: 'src/a.ts' })[0]).toBe(0);
    expect(check(active, 'Edit', { file_path: `${at.cwd}/src/a.ts` })[0]).toBe(0);
    expect(check(active, 'write', { path: `${at.cwd}/src/../../etc/passwd` })[0]).toBe(2);
    expect(check(active, 'write', { path: '/etc/passwd' })[0]).toBe(2);
  });
  test('permit-check compares URLs by host', () => {
    const active = [{ scope: 'network', hosts: ['*.example.org'] }];
    expect(check(active, 'fetch', { url: 'https://docs.example.org/x?y' })[0]).toBe(0);
    expect(check(active, 'fetch', { url: 'https://docs.example.org@evil.test/' })[0]).toBe(2);
    expect(check(active, 'fetch', { url: 'https://evil.test/.example.org' })[0]).toBe(2);
  });
});

describe('pre-tool-use', () => {
  test('pre-tool-use appends one line per command to a private file', () => {
    const audit = join(at.root, 'deep/audit.jsonl');
    const env = { AUGMENTUM_AUDIT: audit };
    for (const command of ['ls', 'echo "two\nlines"'])
      expect(run('pre-tool-use', call('developer__shell', { command }), env)).toEqual({
        code: 0,
        out: '',
        err: '',
      });
    const lines = readFileSync(audit, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual(
      ['ls', 'echo "two\nlines"'].map((command) => ({
        time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        session_id: 's1',
        tool_name: 'developer__shell',
        command,
        cwd: at.cwd,
      })),
    );
    expect(statSync(audit).mode & 0o077).toBe(0);
  });
  test('pre-tool-use fails if the log cannot be written', () => {
    expect(
      run('pre-tool-use', call('shell', { command: 'ls' }), { AUGMENTUM_AUDIT: '/proc/nowhere/x' }).code,
    ).toBe(1);
  });
});

test('session-stop counts the commands of the session', () => {
  const [audit, sessions] = [join(at.root, 'audit.jsonl'), join(at.root, 'sessions.jsonl')];
  writeFileSync(audit, '{"session_id":"s1"}\nbroken\n{"session_id":"s2"}\n{"session_id":"s1"}\n');
  const env = { AUGMENTUM_AUDIT: audit, AUGMENTUM_SESSIONS: sessions };
  const stop = { hook_event_name: 'Stop', last_assistant_text: 'done', ...base() };
  expect(run('session-stop', stop, env)).toEqual({ code: 0, out: '', err: '' });
  expect(JSON.parse(readFileSync(sessions, 'utf8'))).toEqual({
    time: expect.any(String) as string,
    session_id: 's1',
    cwd: at.cwd,
    commands: 2,
    answer_length: 4,
  });
});

anyTest('every script is named in the configuration, and says what it needs where that is missing', () => {
  const names = ['session-start', 'context-inject', 'permit-check', 'pre-tool-use', 'session-stop'];
  const config = readFileSync(join(REPOSITORY, 'contrib/config/hooks.json'), 'utf8');
  writeFileSync(join(at.root, 'permits.json'), '{"active":[]}');
  for (const name of names) {
    expect(config).toContain(`/augmentum-${name}.sh`);
    const said = spawnSync('/bin/bash', [join(REPOSITORY, 'contrib/hooks', `augmentum-${name}.sh`)], {
      input: '{}',
      encoding: 'utf8',
      env: { PATH: at.root, HOME: at.home, AUGMENTUM_PERMITS: join(at.root, 'permits.json') },
    });
    expect([said.status, said.stderr]).toEqual([1, `augmentum-${name}: jq is needed\n`]);
  }
});
