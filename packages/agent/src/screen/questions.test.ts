import { afterEach, describe, expect, test } from 'vitest';
import { KEY, VirtualTerminal } from './fixtures/virtual-terminal.ts';
import { type Component, Container, TUI } from './packed-pi-tui.ts';
import { questions } from './questions.ts';
import { permit } from './terminal-screen.ts';
import { makeTheme } from './theme.ts';

let close = () => {};
afterEach(() => close());

function open(columns = 80) {
  const terminal = new VirtualTerminal(columns, 24);
  const tui = new TUI(terminal);
  const slot = new Container();
  tui.addChild(slot);
  tui.start();
  close = () => tui.stop();
  const show = (component: Component | undefined) => {
    slot.clear();
    if (component !== undefined) slot.addChild(component);
    tui.setFocus(component ?? null);
    tui.requestRender();
  };
  return { terminal, ask: questions({ tui, theme: makeTheme('plain'), show }) };
}

describe('dialogs in the terminal', () => {
  test('the user selects an option with the arrow keys', async () => {
    const { terminal, ask } = open();
    const chosen = ask.select('Which one?', ['first', 'second', 'third']);
    await terminal.shows('Which one?');
    terminal.type(KEY.down);
    terminal.type(KEY.enter);
    expect(await chosen).toBe('second');
  });

  test('leaving a selection with escape selects nothing', async () => {
    const { terminal, ask } = open();
    const chosen = ask.select('Which one?', ['first']);
    await terminal.shows('Which one?');
    terminal.type(KEY.escape);
    expect(await chosen).toBeUndefined();
  });

  test('a confirmation is no unless the user chose yes', async () => {
    const { terminal, ask } = open();
    const yes = ask.confirm('Really?', 'It cannot be undone.');
    expect(await terminal.shows('cannot be undone')).toContain('Really?');
    terminal.type(KEY.enter);
    expect(await yes).toBe(true);
    const left = ask.confirm('Again?', '');
    await terminal.shows('Again?');
    terminal.type(KEY.escape);
    expect(await left).toBe(false);
  });

  test('one-line and multi-line input is returned as typed', async () => {
    const { terminal, ask } = open();
    const line = ask.input('Name', 'somebody');
    await terminal.shows('(somebody)');
    for (const key of 'Ada') terminal.type(key);
    terminal.type(KEY.enter);
    expect(await line).toBe('Ada');
    const page = ask.editor('Text', 'one\ntwo');
    await terminal.shows('two');
    for (const key of ' three') terminal.type(key);
    terminal.type(KEY.enter);
    expect(await page).toBe('one\ntwo three');
  });

  test('two simultaneous dialogs appear one after the other', async () => {
    const { terminal, ask } = open();
    const both = Promise.all([ask.select('First?', ['a']), ask.select('Second?', ['b'])]);
    expect(await terminal.shows('First?')).not.toContain('Second?');
    terminal.type(KEY.enter);
    await terminal.shows('Second?');
    terminal.type(KEY.enter);
    expect(await both).toEqual(['a', 'b']);
  });

  test('an aborted dialog closes, and the next one appears', async () => {
    const { terminal, ask } = open();
    const giveUp = new AbortController();
    const first = ask.select('First?', ['a'], giveUp.signal);
    await terminal.shows('First?');
    giveUp.abort();
    expect(await first).toBeUndefined();
    const second = ask.confirm('Second?', '');
    await terminal.shows('Second?');
    terminal.type(KEY.enter);
    expect(await second).toBe(true);
  });

  test('a component of a hook module is drawn, receives keys and the theme, and is disposed', async () => {
    const { terminal, ask } = open();
    const log: string[] = [];
    const counter = (
      _tui: unknown,
      theme: { bold(text: string): string },
      done: (value: unknown) => void,
    ) => {
      let count = 0;
      return {
        render: (width: number) => [theme.bold(`count ${count} of ${width}`)],
        handleInput: (data: string) => (data === '+' ? count++ : done(count)),
        invalidate() {},
        dispose: () => log.push('disposed'),
      };
    };
    const result = ask.custom(counter);
    await terminal.shows('count 0 of 80');
    terminal.type('+');
    await terminal.shows('count 1 of 80');
    terminal.type('x');
    expect(await result).toBe(1);
    expect(log).toEqual(['disposed']);
  });

  test('a throwing component factory fails only its own dialog', async () => {
    const { terminal, ask } = open();
    const broken = ask.custom(() => {
      throw new Error('no component today');
    });
    await expect(broken).rejects.toThrow('no component today');
    const next = ask.confirm('Next?', '');
    await terminal.shows('Next?');
    terminal.type(KEY.enter);
    expect(await next).toBe(true);
  });

  test('control sequences in a dialog are shown, not sent to the terminal', async () => {
    const { terminal, ask } = open();
    void ask.select('evil \u001b[2J title', ['a\u001b]0;pwned\u0007b']);
    expect(await terminal.shows('\\u001b[2J title')).toContain('a\\u001b]0;pwned\\u0007b');
  });
});

describe('a permission', () => {
  const question = {
    tool: 'shell',
    input: { command: 'rm -rf build' },
    title: 'shell: rm -rf build',
    reasons: ['guard.sh: deletes files'],
    rule: 'shell(rm *)',
    changed: ['input.command'],
  };
  const never = new AbortController().signal;

  test.each([
    [[KEY.enter], 'once'],
    [[KEY.down, KEY.enter], 'always'],
    [[KEY.down, KEY.down, KEY.enter], 'deny'],
    [[KEY.escape], 'deny'],
  ])('the keys %j answer a permission with %s', async (keys, answer) => {
    const { terminal, ask } = open();
    const answered = permit(ask)(question, never);
    const text = await terminal.shows('May this run?');
    expect(text).toContain('shell: rm -rf build');
    expect(text).toContain('A hook changed: input.command');
    expect(text).toContain('guard.sh: deletes files');
    for (const key of keys) terminal.type(key);
    expect(await answered).toBe(answer);
  });

  test('a refusal can carry a message for the model', async () => {
    const { terminal, ask } = open();
    const answered = permit(ask)(question, never);
    await terminal.shows('May this run?');
    for (const key of [KEY.down, KEY.down, KEY.down, KEY.enter]) terminal.type(key);
    await terminal.shows('What should it do instead?');
    terminal.type('move it to the trash');
    terminal.type(KEY.enter);
    expect(await answered).toEqual({ no: 'move it to the trash' });
  });
});
