import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Dialogs } from '../../../events/services.ts';
import { terminalUI } from './terminal-ui.ts';

/** A terminal with these typed lines, which records its output. */
function terminal(typed?: string): { ui: Dialogs; shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  if (typed !== undefined) input.end(typed);
  let shown = '';
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return { ui: terminalUI({ input, output }), shown: () => shown };
}

describe('the plain terminal', () => {
  test.each([
    ['2\n', 'b'],
    ['a\n', 'a'],
    ['9\n', undefined],
    ['\n', undefined],
    ['', undefined],
  ])('select: the input %j gives %s', async (typed, chosen) => {
    expect(await terminal(typed).ui.select('Which?', ['a', 'b'])).toBe(chosen);
  });

  test.each([
    ['y\n', true],
    [' YES \n', true],
    ['n\n', false],
    ['\n', false],
    ['yellow\n', false],
    ['', false],
  ])('confirm: the input %j gives %s', async (typed, agreed) => {
    expect(await terminal(typed).ui.confirm('Sure?', 'really')).toBe(agreed);
  });

  test('input returns the line, and nothing if the input ends', async () => {
    expect(await terminal('some text\n').ui.input('Name?')).toBe('some text');
    expect(await terminal('').ui.input('Name?')).toBeUndefined();
  });

  test('the editor returns the written text, or the text it was given', async () => {
    expect(await terminal('one\ntwo\n.\n').ui.editor?.('Edit', 'old')).toBe('one\ntwo');
    expect(await terminal('.\n').ui.editor?.('Edit', 'old')).toBe('old');
    expect(await terminal('one\n').ui.editor?.('Edit', 'old')).toBeUndefined();
  });

  const shouting = (done: (value: string) => void) => ({
    render: (width: number) => [`width ${width}`],
    handleInput: (data: string) => done(data.trim().toUpperCase()),
  });
  type Done = (value: string) => void;
  test.each([
    ['three', (_tui: unknown, _theme: unknown, done: Done) => shouting(done)],
    ['four', (_tui: unknown, _theme: unknown, _keys: unknown, done: Done) => shouting(done)],
  ])(
    'a custom component of a factory with %s parameters is drawn and receives the typed line',
    async (_n, factory) => {
      const { ui, shown } = terminal('hello\n');
      expect(await ui.custom?.(factory)).toBe('HELLO');
      expect(shown()).toContain('width 80');
    },
  );

  test('a custom component may finish by itself, and returns nothing if the input ends', async () => {
    const loader = (_tui: unknown, _theme: unknown, done: Done) => {
      setTimeout(() => done('loaded'), 20);
      return { render: () => ['…'] };
    };
    expect(await terminal().ui.custom?.(loader)).toBe('loaded');
    expect(await terminal('').ui.custom?.(() => ({ render: () => ['…'] }))).toBeUndefined();
  });

  test('an abort closes the dialog without consent', async () => {
    const ending = new AbortController();
    const answer = terminal().ui.confirm('Sure?', 'really', ending.signal);
    setTimeout(() => ending.abort(), 20);
    expect(await answer).toBe(false);
  });

  test('text from a hook cannot control the terminal', async () => {
    const { ui, shown } = terminal('\n');
    ui.notify('\u001b[2Jcleared', 'error');
    ui.status?.('k', '\u001b]0;title\u0007busy');
    await ui.confirm('\u001b[8mhidden', 'm');
    expect(shown()).not.toContain('\u001b');
    expect(shown()).toContain('error: \\u001b[2Jcleared\nbusy\n');
  });

  test('the editor text is stored', () => {
    const { ui } = terminal();
    ui.setEditorText?.('draft');
    expect(ui.getEditorText?.()).toBe('draft');
  });
});
