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
import { removeTree } from '../../../anyhook/src/settings/remove-tree.ts';
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
  removeTree(ground); // An exiting program may still write its state.
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
  /** Text to wait for. */
  readonly shows?: string;
}
async function open({ steps, columns = 80, args = [], shows = '/help' }: Given): Promise<Tmux> {
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
  await tmux.shows(shows);
  return tmux;
}

/** An oh-my-pi hook with every kind of dialog, a status, a command and a renderer. */
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
const READ = { calls: [{ tool: 'read', input: { path: 'note.txt' } }] };
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

  test('a call runs when the user allows it in the dialog of a hook', async () => {
    const screen = await open({ steps: [RUN, { text: 'That was it.' }], args: ['--permission', 'allow'] });
    screen.type('do it', 'Enter');
    await screen.shows('Guard: touch ran.txt');
    screen.type('Enter');
    expect(await screen.shows('That was it.')).toContain('✓ shell');
    expect(existsSync(join(ground, 'project', 'ran.txt'))).toBe(true);
  });

  test('hook commands ask, draw a component and leave a message that their renderer draws', async () => {
    const screen = await open({ steps: [] });
    screen.type('/note', 'Enter');
    await screen.shows('(a few words)');
    screen.type('milk', 'Enter');
    expect(await screen.shows('*'.repeat(79))).toContain('NOTE milk'); // Plain text until the renderer has drawn it.
    await screen.shows('noted');
    screen.type('/count', 'Enter');
    await screen.shows('count is 0');
    screen.type('+');
    screen.type('+');
    await screen.shows('count is 2');
    screen.type('x');
    await screen.shows('counted to 2');
  });

  test('the terminal creates a session, shows the tree and returns to an earlier session', async () => {
    const screen = await open({ steps: [{ text: 'First answer.' }, { text: 'Second answer.' }] });
    screen.type('first prompt', 'Enter');
    await screen.shows('First answer.');
    screen.type('/tree', 'Enter');
    expect(await screen.shows('Go where?')).toContain('first prompt');
    screen.type('Escape');
    await screen.shows(/^(?!.*Go where)/s);
    screen.type('/new', 'Enter');
    await screen.shows(/^(?!.*First answer)/s);
    screen.type('second prompt', 'Enter');
    await screen.shows('Second answer.');
    screen.type('/resume', 'Enter');
    expect(await screen.shows('Which session?')).toContain('first prompt');
  });

  test('the dark and light themes differ only in colours', async () => {
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

  test('pressing ctrl+c twice exits and restores the terminal', async () => {
    const screen = await open({ steps: [] });
    screen.type('C-c');
    await screen.shows('ctrl+c again leaves');
    screen.type('C-c');
    await screen.shows('[ended 0]');
  });

  test('a session is on disk before the agent exits', async () => {
    const screen = await open({ steps: [{ text: 'Kept.' }] });
    screen.type('keep this', 'Enter');
    await screen.shows('Kept.');
    const folder = join(ground, 'home', '.local', 'state', 'anyhook-agent', 'sessions');
    const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
    expect(readFileSync(join(folder, file), 'utf8')).toContain('keep this');
  });

  test('a project module is shown and asked about once, and runs only if trusted', async () => {
    rmSync(join(ground, 'home', '.omp'), { recursive: true });
    put('project/.omp/hooks/pre/guard.ts', GUARD);
    const refusing = await open({ steps: [], shows: 'Do you trust exactly this?' });
    expect(refusing.text()).toContain("pi.registerCommand('count'");
    refusing.type('Enter');
    await refusing.shows('0 hooks');
    refusing.type('/count', 'Enter');
    await refusing.shows('Unknown command /count');
    refusing.close();

    const screen = await open({
      steps: [RUN, { text: 'That was it.' }],
      shows: 'Do you trust exactly this?',
      args: ['--permission', 'allow'],
    });
    screen.type('Down', 'Enter');
    await screen.shows('1 hook');
    screen.type('/count', 'Enter');
    await screen.shows('count is 0');
    screen.type('+');
    await screen.shows('count is 1');
    screen.type('x');
    await screen.shows('counted to 1');
    screen.type('/note', 'Enter');
    await screen.shows('(a few words)');
    screen.type('milk', 'Enter');
    expect(await screen.shows('*'.repeat(79))).toContain('NOTE milk'); // Plain text until the renderer has drawn it.
    screen.type('do it', 'Enter');
    await screen.shows('Guard: touch ran.txt');
    screen.type('Down', 'Enter');
    expect(await screen.shows('That was it.')).toContain('refused in the dialog');
    expect(screen.text()).toContain('guard: watching');
    screen.close();

    const again = await open({ steps: [] });
    expect(again.text()).not.toContain('Do you trust');
    again.close();

    put('project/.omp/hooks/pre/guard.ts', `${GUARD}\n// a change`);
    const changed = await open({ steps: [], shows: 'Do you trust exactly this?' });
    expect(changed.text()).toContain('This project changed what you trusted');
    expect(changed.text()).toContain('+// a change');
  });

  test('an MCP server of the project is asked about before it starts', async () => {
    const mark = join(ground, 'started');
    put(
      'project/server.mjs',
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, '');`,
    );
    put(
      'project/.mcp.json',
      JSON.stringify({ mcpServers: { house: { command: process.execPath, args: ['server.mjs'] } } }),
    );
    const refusing = await open({ steps: [], shows: 'Do you trust exactly this?' });
    expect(refusing.text()).toContain('the MCP server house');
    refusing.type('Enter');
    await refusing.shows('/help');
    expect(existsSync(mark)).toBe(false);
    refusing.close();
    const trusting = await open({ steps: [], shows: 'Do you trust exactly this?' });
    trusting.type('Down', 'Enter');
    await trusting.shows('/help');
    expect(existsSync(mark)).toBe(true);
  });

  test('a reopened session shows its earlier messages and calls', async () => {
    const first = await open({ steps: [READ, { text: 'First answer.' }] });
    put('project/note.txt', 'the note');
    first.type('first prompt', 'Enter');
    await first.shows('First answer.');
    first.close();
    const again = await open({ steps: [], args: ['--continue'], shows: 'First answer.' });
    const text = again.text();
    expect(text).toContain('first prompt');
    expect(text).toContain('✓ read note.txt');
    expect(text).toContain('the note');
  });

  test('a working agent shows the running hook and queued prompts, and ctrl+c stops everything', async () => {
    put(
      'home/.config/anyhook/hooks.json',
      JSON.stringify({
        hooks: { 'tool.before': [{ run: 'sleep 30', name: 'slow rule', status: 'thinking hard' }] },
      }),
    );
    const screen = await open({ steps: [READ, { text: 'never said' }], args: ['--permission', 'allow'] });
    screen.type('go', 'Enter');
    await screen.shows(/thinking hard \d+\.\d s · slow rule · tool\.before/);
    screen.type('one more thing', 'Enter');
    expect(await screen.shows('next: one more thing')).toContain('esc stops');
    screen.type('C-c');
    const text = await screen.shows('stopped by you');
    expect(text).not.toContain('next: one more thing');
    screen.type('C-c');
    await screen.shows('[ended 0]');
    // A terminal left in raw mode would not echo what is typed.
    screen.type('echoed');
    await screen.shows('echoed');
  });

  test('ctrl+c during the trust question restores the terminal', async () => {
    put('project/.omp/hooks/pre/house.ts', GUARD);
    const screen = await open({ steps: [], shows: 'Do you trust exactly this?' });
    screen.type('C-c');
    await screen.shows('[ended 130]');
    screen.type('echoed');
    await screen.shows('echoed');
  });

  test('multi-line input is edited in the terminal, and every dialog of the tree can be cancelled', async () => {
    put(
      'home/.omp/agent/hooks/pre/page.ts',
      `export default function (pi) {
        pi.registerCommand('page', { description: 'edits', handler: async (_, ctx) => {
          ctx.ui.notify('page: ' + await ctx.ui.editor('Write it', 'first line'), 'info');
        } });
      }`,
    );
    const screen = await open({ steps: [{ text: 'First answer.' }] });
    screen.type('/page', 'Enter');
    await screen.shows('Write it');
    screen.type(' and more', 'Enter');
    await screen.shows('page: first line and more');
    screen.type('hello', 'Enter');
    await screen.shows('First answer.');
    screen.type('/tree', 'Enter');
    await screen.shows('Go where?');
    screen.type('Enter');
    await screen.shows('Keep a summary');
    screen.type('Escape');
    expect(await screen.shows(/^(?!.*Keep a summary)/s)).toContain('First answer.');
  });
});
