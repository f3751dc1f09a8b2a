import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasTmux, Tmux } from './tmux.ts';

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname;
let ground = '';
let tmux: Tmux | undefined;
beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), 'agent-terminal-'));
  mkdirSync(join(ground, 'project'));
  put('home/.omp/agent/hooks/pre/guard.ts', GUARD);
});
afterEach(() => {
  tmux?.close();
  rmSync(ground, { recursive: true, force: true });
});

function put(name: string, text: string): void {
  const file = join(ground, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
interface Given {
  readonly steps: readonly object[];
  readonly columns?: number;
  readonly args?: readonly string[];
}
async function open({ steps, columns = 80, args = [] }: Given): Promise<Tmux> {
  put('script.json', JSON.stringify(steps));
  tmux = new Tmux({
    columns,
    cwd: join(ground, 'project'),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(ground, 'home'),
      TERM: 'screen-256color',
      LANG: 'C.UTF-8',
    },
    command: [process.execPath, MAIN, '--model', `scripted:${join(ground, 'script.json')}`, ...args],
  });
  await tmux.shows('/help');
  return tmux;
}

/** As somebody would write it for oh-my-pi: every kind of dialog, a status, a command, a renderer. */
const GUARD = `export default function (pi) {
  pi.on('tool_call', async (event, ctx) => {
    if (event.toolName !== 'bash' && event.toolName !== 'shell') return;
    ctx.ui.setStatus('guard', 'guard: watching');
    const choice = await ctx.ui.select('Guard: ' + event.input.command, ['run it', 'refuse it']);
    if (choice !== 'run it') return { block: true, reason: 'refused in the dialog' };
  });
  pi.registerMessageRenderer('note', (message) => ({ render: (width) => ['*'.repeat(width - 1), message.content], invalidate() {} }));
  pi.registerCommand('note', { description: 'leaves a note', handler: async (_, ctx) => {
    const text = await ctx.ui.input('What is the note?', 'a few words');
    pi.sendMessage({ customType: 'note', content: 'NOTE ' + text, display: true });
    ctx.ui.notify('noted', 'info');
  } });
  pi.registerCommand('count', { description: 'a component of its own', handler: async (_, ctx) => {
    let count = 0;
    const result = await ctx.ui.custom((tui, theme, done) => ({
      render: () => [theme.bold('count is ' + count)],
      handleInput(data) { if (data === '+') { count++; tui.requestRender(); } else done(count); },
      invalidate() {},
    }));
    ctx.ui.notify('counted to ' + result, 'info');
  } });
}`;
const RUN = { text: 'I run it.', calls: [{ tool: 'shell', input: { command: 'touch ran.txt' } }] };

describe.skipIf(!hasTmux)('the agent in a real terminal', () => {
  test.each([80, 200])('a dialog of a hook decides about a call at %d columns', async (columns) => {
    const screen = await open({
      steps: [RUN, { text: 'That was it.' }],
      columns,
      args: ['--permission', 'allow'],
    });
    screen.type('do it', 'Enter');
    await screen.shows('Guard: touch ran.txt');
    screen.type('Down', 'Enter');
    const text = await screen.shows('That was it.');
    expect(text).toContain('⊘ shell');
    expect(text).toContain('refused in the dialog');
    expect(text).toContain('guard: watching');
    expect(existsSync(join(ground, 'project', 'ran.txt'))).toBe(false);
    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
  });

  test('the same call runs when the person lets it pass', async () => {
    const screen = await open({ steps: [RUN, { text: 'That was it.' }], args: ['--permission', 'allow'] });
    screen.type('do it', 'Enter');
    await screen.shows('Guard: touch ran.txt');
    screen.type('Enter');
    expect(await screen.shows('That was it.')).toContain('✓ shell');
    expect(existsSync(join(ground, 'project', 'ran.txt'))).toBe(true);
  });

  test('commands of a hook ask, draw a component, and leave a message that their renderer draws', async () => {
    const screen = await open({ steps: [] });
    screen.type('/note', 'Enter');
    await screen.shows('(a few words)');
    screen.type('milk', 'Enter');
    expect(await screen.shows('NOTE milk')).toContain('*'.repeat(79));
    await screen.shows('noted');
    screen.type('/count', 'Enter');
    await screen.shows('count is 0');
    screen.type('+');
    screen.type('+');
    await screen.shows('count is 2');
    screen.type('x');
    await screen.shows('counted to 2');
  });

  test('sessions: a new one, the tree, and an earlier one again', async () => {
    const screen = await open({ steps: [{ text: 'First answer.' }, { text: 'Second answer.' }] });
    screen.type('first prompt', 'Enter');
    await screen.shows('First answer.');
    screen.type('/tree', 'Enter');
    expect(await screen.shows('Go where?')).toContain('first prompt');
    screen.type('Escape');
    screen.type('/new', 'Enter');
    await screen.shows(/^(?!.*First answer)/s);
    screen.type('second prompt', 'Enter');
    await screen.shows('Second answer.');
    screen.type('/resume', 'Enter');
    expect(await screen.shows('Which session?')).toContain('first prompt');
  });

  test('dark and light differ in their colours and in nothing else', async () => {
    const shots: string[] = [];
    for (const theme of ['dark', 'light']) {
      const screen = await open({
        steps: [{ usage: { input: 5, output: 7 }, text: '# A title\n\nand `code`.' }],
        args: ['--theme', theme],
      });
      screen.type('hello', 'Enter');
      const text = await screen.shows(/and code\.[^]*↓/);
      shots.push(text.replaceAll(/ · [0-9a-f]{8} /g, ' · <session> '), screen.painted());
      screen.close();
    }
    expect(shots[0]).toBe(shots[2]);
    expect(shots[1]).not.toBe(shots[3]);
  });

  test('ctrl+c twice leaves, and the terminal is as it was', async () => {
    const screen = await open({ steps: [] });
    screen.type('C-c');
    await screen.shows('ctrl+c again leaves');
    screen.type('C-c');
    await screen.shows('[ended 0]');
  });

  test('a session is on the disk before the agent has ended', async () => {
    const screen = await open({ steps: [{ text: 'Kept.' }] });
    screen.type('keep this', 'Enter');
    await screen.shows('Kept.');
    const folder = join(ground, 'home', '.local', 'state', 'anyhook-agent', 'sessions');
    const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
    expect(readFileSync(join(folder, file), 'utf8')).toContain('keep this');
  });
});
