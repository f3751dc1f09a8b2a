import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAgent } from '../loop/open-agent.ts';
import { KEY, VirtualTerminal } from './fixtures/virtual-terminal.ts';
import { TerminalScreen } from './terminal-screen.ts';

let ground = '';
let leave: () => Promise<void> = async () => {};
beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), 'screen-'));
  mkdirSync(join(ground, 'project'));
});
afterEach(async () => {
  await leave();
  rmSync(ground, { recursive: true, force: true });
});

interface Given {
  readonly steps: readonly object[];
  readonly columns?: number;
  readonly modules?: Readonly<Record<string, string>>;
}
/** Opens a real agent with a scripted model on a screen that the test can read. */
async function open({ steps, columns = 80, modules = {} }: Given) {
  const script = join(ground, 'script.json');
  writeFileSync(script, JSON.stringify(steps));
  const home = join(ground, 'home');
  mkdirSync(join(home, '.omp', 'agent', 'hooks', 'pre'), { recursive: true });
  for (const [name, code] of Object.entries(modules))
    writeFileSync(join(home, '.omp', 'agent', 'hooks', 'pre', name), code);
  const terminal = new VirtualTerminal(columns, 40);
  const cwd = join(ground, 'project');
  const screen = new TerminalScreen({ theme: 'plain', cwd, terminal });
  const agent = await openAgent({ cwd, home, person: screen.person, model: `scripted:${script}` });
  screen.open();
  const ran = screen.run(agent).finally(() => screen.shut());
  leave = async () => {
    terminal.type(KEY.ctrlC);
    terminal.type(KEY.ctrlC);
    await ran;
    await agent.close();
  };
  await terminal.shows('/help');
  const say = (line: string) => {
    for (const key of line) terminal.type(key);
    terminal.type(KEY.enter);
  };
  return { terminal, agent, say };
}
const WRITE = { text: 'I write.', calls: [{ tool: 'write', input: { path: 'a.txt', content: 'hello' } }] };

describe('the terminal', () => {
  test('the terminal shows the answer, asks for permission and shows the result of the tool', async () => {
    const { terminal, say } = await open({ steps: [WRITE, { text: 'It is **there**.' }] });
    say('write a file');
    await terminal.shows('May this run?');
    terminal.type(KEY.enter);
    const text = await terminal.shows('It is there.');
    expect(text).toContain('✓ write a.txt');
    expect(readFileSync(join(ground, 'project', 'a.txt'), 'utf8')).toBe('hello');
  });

  test('a prompt file is offered as a command with its first line as description', async () => {
    const folder = join(ground, 'home', '.config', 'anyhook-agent', 'commands');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'hail.md'), 'Say hello to $ARGUMENTS.\n\nKindly.');
    const { terminal, say } = await open({
      steps: [{ when: { lastIncludes: 'Say hello to Ada.' }, text: 'Hello, Ada.' }],
    });
    say('/help');
    expect(await terminal.shows('/hail')).toContain('Say hello to ….');
    say('/hail Ada');
    await terminal.shows('Hello, Ada.');
    say('/hale Ada');
    await terminal.shows('Unknown command /hale');
  });

  test('cancelling the permission question refuses the call, and the model reads the refusal', async () => {
    const { terminal, say } = await open({
      steps: [
        WRITE,
        { when: { lastIncludes: 'denied' }, text: 'As you wish.' },
        { text: 'No answer reached me.' },
      ],
    });
    say('write a file');
    await terminal.shows('May this run?');
    terminal.type(KEY.escape);
    const text = await terminal.shows(/As you wish|No answer/);
    expect(text).toContain('⊘ write');
  });

  test('escape stops the agent in the middle of an answer, and the next prompt works', async () => {
    const { terminal, say } = await open({
      steps: [{ text: 'word '.repeat(400), pieceMs: 50 }, { text: 'Fresh start.' }],
    });
    say('talk');
    await terminal.shows('word word');
    terminal.type(KEY.escape);
    await terminal.shows('stopped by you');
    say('again');
    await terminal.shows('Fresh start.');
  });

  test('a command typed before its completion appears runs as typed', async () => {
    const { terminal, say } = await open({ steps: [] });
    for (const key of '/he') terminal.type(key);
    await terminal.shows('commands and keys');
    say('lp');
    const text = await terminal.shows('ctrl+o');
    expect(text).not.toContain('Unknown command');
  });

  test('output of a module appears as a notice and does not break the screen', async () => {
    const { terminal, say } = await open({
      steps: [{ text: 'Hello.' }],
      modules: {
        'loud.ts': `export default (pi) => pi.on('agent_start', () => console.log('I am', { loud: true }));`,
      },
    });
    say('hi');
    await terminal.shows('Hello.');
    await terminal.shows('I am { loud: true }');
  });

  test('an unknown command is reported', async () => {
    const { terminal, say } = await open({ steps: [] });
    say('/nonsense now');
    await terminal.shows('Unknown command /nonsense. /help lists them.');
  });

  test('a hook module asks, sets its status, adds a command and draws its own messages', async () => {
    const module = `export default function (pi) {
      pi.on('session_start', async () => {});
      pi.on('tool_call', async (event, ctx) => {
        ctx.ui.setStatus('guard', 'guarding');
        const yes = await ctx.ui.confirm('Guard', 'Let ' + event.toolName + ' pass?');
        if (!yes) return { block: true, reason: 'the user refused' };
      });
      pi.registerMessageRenderer('note', (message) => ({ render: (width) => ['<<' + message.content + '>>'], invalidate() {} }));
      pi.registerCommand('note', { description: 'leaves a note', handler: async (args) => {
        pi.sendMessage({ customType: 'note', content: args, display: true });
      } });
    }`;
    const { terminal, say } = await open({
      steps: [WRITE, { when: { lastIncludes: 'the user refused' }, text: 'Then not.' }],
      modules: { 'guard.ts': module },
    });
    say('/note remember the milk');
    await terminal.shows('<<remember the milk>>');
    say('write a file');
    await terminal.shows('Let write pass?');
    terminal.type(KEY.down);
    terminal.type(KEY.enter);
    const text = await terminal.shows('Then not.');
    expect(text).toContain('guarding');
    expect(text).toContain('refused: ');
    expect(text).toContain('the user refused');
  });

  test('every line fits a narrow screen', async () => {
    const { terminal, say } = await open({ steps: [{ text: 'x'.repeat(300) }], columns: 30 });
    say('hello');
    const text = await terminal.shows('xxxxx');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(30);
  });

  test('a command that starts another session shows that session with its initial entries', async () => {
    const handoff = `export default (pi) => pi.registerCommand('handoff', { description: 'goes on elsewhere',
      handler: async (_, ctx) => {
        await ctx.newSession({ setup: async (session) => session.appendMessage(
          { role: 'user', content: 'what was handed over', timestamp: 1 }) });
      } });`;
    const { terminal, say } = await open({
      steps: [{ text: 'the old answer' }],
      modules: { 'handoff.mjs': handoff },
    });
    say('the old question');
    await terminal.shows('the old answer');
    say('/handoff');
    const text = await terminal.shows('what was handed over');
    expect(text).not.toContain('the old answer');
  });
});
