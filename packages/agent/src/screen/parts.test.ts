import { describe, expect, test } from 'vitest';
import type { Happening } from '../front/happening.ts';
import { HookLines } from './hook-lines.ts';
import { resultOf, streamLine } from './outputs.ts';
import { visibleWidth } from './packed-pi-tui.ts';
import { plainLines } from './plain.ts';
import { StatusBar } from './status-bar.ts';
import { makeTheme, themeFor } from './theme.ts';
import { ToolCard } from './tool-card.ts';
import { Transcript } from './transcript.ts';
import { WorkLine } from './work-line.ts';

const PLAIN = makeTheme('plain');
const call: Extract<Happening, { kind: 'tool' }> = {
  kind: 'tool',
  call: '1',
  tool: 'shell',
  input: { command: 'ls -la' },
};

describe('a tool card', () => {
  test('a tool card shows the call, then the first lines of the output, then all of it', () => {
    const card = new ToolCard(call, PLAIN);
    expect(card.render(40)).toEqual([' ● shell ls -la', '']);
    const output = Array.from({ length: 9 }, (_, line) => `line ${line}`).join('\n');
    card.end({ kind: 'tool-ended', call: '1', tool: 'shell', output, isError: false });
    expect(card.render(60)).toEqual([
      ' ✓ shell ls -la',
      '   line 0',
      '   line 1',
      '   line 2',
      '   line 3',
      '   line 4',
      '   … 4 more lines (ctrl+o shows all)',
      '',
    ]);
    card.expand(true);
    expect(card.render(60)).toHaveLength(11);
  });

  test('a tool card shows who refused a call and why, or which field was changed', () => {
    const card = new ToolCard(call, PLAIN);
    card.end({
      kind: 'tool-ended',
      call: '1',
      tool: 'shell',
      output: 'never shown',
      isError: true,
      refused: 'guard.sh: not on main',
      changed: ['input.command'],
    });
    expect(card.render(60)).toEqual([
      ' ⊘ shell ls -la',
      '   refused: guard.sh: not on main',
      '   changed by a hook: input.command',
      '',
    ]);
  });

  test('no line of a tool card is wider than the screen, whatever a tool prints', () => {
    const card = new ToolCard({ ...call, input: { command: 'x'.repeat(500) } }, PLAIN);
    card.end({ kind: 'tool-ended', call: '1', tool: 'shell', output: '界'.repeat(300), isError: false });
    for (const line of card.render(30)) expect(visibleWidth(line)).toBeLessThanOrEqual(30);
  });
});

describe('a card of a call that writes', () => {
  const started: Extract<Happening, { kind: 'tool' }> = {
    kind: 'tool',
    call: '1',
    tool: 'edit',
    input: { path: 'a.ts', old: 'one', new: 'two' },
  };
  const diff = 'Index: a.ts\n=====\n--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n';
  const shown = ['   @@ -1,1 +1,1 @@', '   -one', '   +two'];

  test('a write card shows the diff before the question and after the write, and none if the write was refused', () => {
    const card = new ToolCard(started, PLAIN);
    card.preview(diff);
    expect(card.render(60)).toEqual([' ● edit a.ts', ...shown, '']);
    card.end({ kind: 'tool-ended', call: '1', tool: 'edit', output: 'Edited.', isError: false, diff });
    expect(card.render(60)).toEqual([' ✓ edit a.ts', ...shown, '   Edited.', '']);
    card.end({ kind: 'tool-ended', call: '1', tool: 'edit', output: '', isError: true, refused: 'no', diff });
    expect(card.render(60)).toEqual([' ⊘ edit a.ts', '   refused: no', '']);
  });

  test('a write card shortens a long diff after the write but not before the question', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `+line ${at}`).join('\n');
    const card = new ToolCard(started, PLAIN);
    card.preview(`--- a\n+++ a\n@@ -0,0 +1,60 @@\n${lines}\n`);
    expect(card.render(60)).toHaveLength(63);
    const end = { kind: 'tool-ended', call: '1', tool: 'edit', output: '', isError: false } as const;
    card.end({ ...end, diff: `--- a\n+++ a\n@@ -0,0 +1,60 @@\n${lines}\n` });
    expect(card.render(60).slice(-3)).toEqual(['   +line 21', '   … 38 more lines (ctrl+o shows all)', '']);
  });
});

describe('what hooks made of a call', () => {
  test('hook decisions appear below the card of their call, with the second round marked and the original input', () => {
    const transcript = new Transcript({ theme: PLAIN, rendererOf: () => undefined, redraw: () => {} });
    const hook = { kind: 'hook-ended', id: 'g', on: 'tool.before', ms: 3, call: '1' } as const;
    transcript.hear(call);
    transcript.hear({ ...call, call: '2', input: { command: 'pwd' } });
    transcript.hear({ ...hook, name: 'nice', decided: 'changed input.command' });
    transcript.hear({ ...hook, name: 'guard', decided: 'allowed', isSecondRound: true });
    const input = { command: 'nice ls -la' };
    const changed = ['input.command'];
    transcript.hear({
      kind: 'tool-ended',
      call: '1',
      tool: 'shell',
      output: '',
      isError: false,
      changed,
      input,
    });
    expect(transcript.render(80).map((line) => line.trimEnd())).toEqual([
      ' ✓ shell nice ls -la',
      '   ↳ nice (tool.before): changed input.command',
      '   ↳ guard (tool.before, asked again): allowed',
      '   changed by a hook: input.command; asked for was: ls -la',
      '',
      ' ● shell pwd',
      '',
    ]);
  });

  test('the reason of a refusal appears once', () => {
    const transcript = new Transcript({ theme: PLAIN, rendererOf: () => undefined, redraw: () => {} });
    transcript.hear(call);
    const hook = { kind: 'hook-ended', id: 'g', on: 'tool.before', ms: 3, call: '1', name: 'guard' } as const;
    transcript.hear({ ...hook, decided: 'denied: not on main' });
    const ended = { kind: 'tool-ended', call: '1', tool: 'shell', output: '', isError: true } as const;
    transcript.hear({ ...ended, refused: 'not on main' });
    expect(transcript.render(80).map((line) => line.trimEnd())).toEqual([
      ' ⊘ shell ls -la',
      '   ↳ guard (tool.before): denied',
      '   refused: not on main',
      '',
    ]);
    const notes: string[] = [];
    const listen = plainLines({
      answer: () => {},
      note: (line) => notes.push(line),
      paint: (_, text) => text,
    });
    listen({ ...hook, decided: 'denied: not on main' });
    listen({ ...ended, refused: 'not on main' });
    listen({ ...ended, call: '2', refused: 'not on main' });
    expect(notes).toEqual([
      '  guard (tool.before) denied: not on main',
      '  refused',
      '  refused: not on main',
    ]);
  });

  test('a long reason is wrapped, never cut', () => {
    const card = new ToolCard(call, PLAIN);
    const refused =
      'because it would delete the whole home folder and everything that anybody ever put there';
    card.end({ kind: 'tool-ended', call: '1', tool: 'shell', output: '', isError: true, refused });
    const lines = card.render(40);
    expect(lines.map((line) => line.trim()).join(' ')).toContain(`refused: ${refused}`);
    for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(40);
  });
});

describe('hooks at work', () => {
  test('a slow hook shows its activity and elapsed time', () => {
    let now = 0;
    const lines = new HookLines(PLAIN, () => now);
    lines.start({ kind: 'hook', id: 'a', name: 'lint.sh', on: 'PostToolUse', status: 'linting' });
    expect(lines.render(60)).toEqual([]);
    now = 1500;
    expect(lines.render(60)).toEqual([' ◌ linting 1.5 s · lint.sh · PostToolUse']);
    lines.end('a');
    expect([lines.render(60), lines.isWaiting]).toEqual([[], false]);
  });
});

describe('the agent at work', () => {
  test('a working agent shows its elapsed time and the queued prompts', () => {
    let now = 0;
    const line = new WorkLine(PLAIN, () => now);
    expect(line.render(60)).toEqual([]);
    line.hear({ kind: 'prompt', text: 'first' });
    line.hear({ kind: 'queued', text: 'second\u001b[2J' });
    line.hear({ kind: 'queued', text: 'third' });
    now = 2500;
    expect(line.render(60)).toEqual([
      ' ⧗ next: second\\u001b[2J',
      ' ⧗ next: third',
      ' ● working · 2 s · esc stops',
    ]);
    line.hear({ kind: 'prompt', text: 'second' });
    expect(line.render(60)).toEqual([' ⧗ next: third', ' ● working · 2 s · esc stops']);
    line.hear({ kind: 'stopped', why: 'aborted' });
    expect([line.render(60), line.isWorking]).toEqual([[], false]);
  });
});

describe('a tool while it runs', () => {
  test('a running tool shows the end of its output, however it is split into pieces', () => {
    const card = new ToolCard({ kind: 'tool', call: '1', tool: 'shell', input: { command: 'make' } }, PLAIN);
    for (let n = 1; n <= 9; n++) card.progress(`line ${n}\n`);
    expect(card.render(40)).toEqual([' ● shell make', ...[4, 5, 6, 7, 8, 9].map((n) => `   line ${n}`), '']);
  });
});

describe('the status bar', () => {
  test('the status bar sorts texts of hooks by key and shows the folder and model below', () => {
    const bar = new StatusBar(PLAIN);
    bar.left('/project');
    bar.right('scripted');
    bar.status('b', 'two');
    bar.status('a', 'one\u001b[2J');
    expect(bar.render(30)).toEqual([' one two', ` /project${' '.repeat(12)}scripted`]);
    bar.status('a', undefined);
    expect(bar.render(30)[0]).toBe(' two');
  });
});

describe('themes', () => {
  test('themeFor chooses the light theme for a light background and the plain theme without colours', () => {
    expect(themeFor(undefined, {})).toBe('dark');
    expect(themeFor(undefined, { COLORFGBG: '0;15' })).toBe('light');
    expect(themeFor(undefined, { COLORFGBG: '15;0' })).toBe('dark');
    expect(themeFor(undefined, { NO_COLOR: '1' })).toBe('plain');
    expect(themeFor('light', { NO_COLOR: '1' })).toBe('light');
  });
  test('changing the theme updates the theme object that components hold', () => {
    const theme = makeTheme('dark');
    const { fg } = theme;
    theme.use('light');
    expect([theme.name, fg('error', 'text')]).toEqual(['light', '\u001b[38;5;124mtext\u001b[39m']);
  });
  test('an unknown colour leaves text unchanged', () => {
    expect(makeTheme('dark').fg('no such colour', 'text')).toBe('text');
    expect(makeTheme('dark').fg('error', 'text')).toBe('\u001b[38;5;174mtext\u001b[39m');
    expect(makeTheme('plain').bold('text')).toBe('text');
  });
});

const STORY: Happening[] = [
  { kind: 'session', id: 's1', file: 's1.jsonl', model: 'scripted' },
  { kind: 'prompt', text: 'hello' },
  { kind: 'turn', index: 0 },
  { kind: 'text', delta: 'Let me ' },
  { kind: 'text', delta: 'look.' },
  { kind: 'said', text: 'Let me look.' },
  call,
  { kind: 'hook-ended', id: 'g', name: 'guard', on: 'tool.before', ms: 3, decided: 'denied: no' },
  { kind: 'tool-ended', call: '1', tool: 'shell', output: 'no', isError: true, refused: 'no' },
  { kind: 'usage', input: 10, output: 5 },
  { kind: 'turn', index: 1 },
  { kind: 'said', text: 'Done.' },
  { kind: 'usage', input: 20, output: 7 },
  { kind: 'stopped', why: 'done' },
];

describe('output for programs', () => {
  test('the result has the answer, the tools, the turns and the cost', () => {
    const { listen, result } = resultOf();
    for (const happening of STORY) listen(happening);
    expect(result()).toEqual({
      type: 'result',
      stopped: 'done',
      session: 's1',
      file: 's1.jsonl',
      answer: 'Done.',
      turns: 2,
      tools: [{ tool: 'shell', isError: true, refused: 'no' }],
      usage: { input: 30, output: 12 },
    });
  });
  test('stream output is one object per line with its type', () => {
    expect(streamLine({ kind: 'text', delta: 'a\nb' })).toBe('{"type":"text","delta":"a\\nb"}');
  });
  test('plain output separates the answer from everything else', () => {
    const [answers, notes]: [string[], string[]] = [[], []];
    const listen = plainLines({
      answer: (text) => answers.push(text),
      note: (line) => notes.push(line),
      paint: (_, text) => text,
    });
    for (const happening of STORY) listen(happening);
    expect(answers).toEqual(['Let me look.', 'Done.']);
    expect(notes).toEqual(['shell ls -la', '  guard (tool.before) denied: no', '  refused: no']);
  });
  test('plain output shows diffs, the changed input, and full reasons', () => {
    const notes: string[] = [];
    const listen = plainLines({
      answer: () => {},
      note: (line) => notes.push(line),
      paint: (_, text) => text,
    });
    const ended = { kind: 'tool-ended', call: '1', tool: 'shell', output: '', isError: false } as const;
    listen({ ...ended, diff: '--- a\n+++ a\n@@ -1 +1 @@\n-one\n+two\n' });
    listen({ ...ended, changed: ['input.command'], input: { command: 'nice ls' } });
    const reason = 'because '.repeat(60).trim();
    listen({ ...ended, isError: true, refused: reason });
    expect(notes).toEqual([
      '  @@ -1 +1 @@',
      '  -one',
      '  +two',
      '  changed by a hook: input.command; what ran: nice ls',
      `  refused: ${reason}`,
    ]);
  });
});

describe('the transcript', () => {
  test('the transcript replaces streamed text with the text that hooks changed', () => {
    const transcript = new Transcript({ theme: PLAIN, rendererOf: () => undefined, redraw: () => {} });
    transcript.hear({ kind: 'text', delta: 'the key is sk-123' });
    expect(transcript.render(40).join('\n')).toContain('sk-123');
    transcript.hear({ kind: 'said', text: 'the key is [redacted]' });
    const shown = transcript.render(40).join('\n');
    expect(shown).toContain('the key is [redacted]');
    expect(shown).not.toContain('sk-123');
  });

  test('a message of a hook module is drawn by its renderer, and as text until the lines arrive', async () => {
    let redrawn: () => void = () => {};
    const later = new Promise<void>((resolve) => void (redrawn = resolve));
    const renderer = {
      type: 'card',
      origin: { layer: 'user', file: 'x.ts', line: 1 },
      render: async (message: Readonly<Record<string, unknown>>, how: { width: number }) => [
        `<${String(message['content'])}@${how.width}>`,
      ],
    } as const;
    const transcript = new Transcript({ theme: PLAIN, rendererOf: () => renderer, redraw: redrawn });
    transcript.hear({ kind: 'custom', type: 'card', message: { content: 'hi' } });
    expect(transcript.render(20).map((line) => line.trim())).toEqual(['hi']);
    await later;
    expect(transcript.render(20)).toEqual(['<hi@20>']);
  });
});
