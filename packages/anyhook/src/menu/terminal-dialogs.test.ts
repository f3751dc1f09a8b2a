import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { plain } from '../render/paint.ts';
import { terminalDialogs } from './terminal-dialogs.ts';

/** The real dialogs, on streams that report to be a terminal. */
function terminal() {
  const pretend = (stream: PassThrough) =>
    Object.assign(stream, { isTTY: true, columns: 80, rows: 24, setRawMode: () => stream });
  const [input, output] = [pretend(new PassThrough()), pretend(new PassThrough())];
  output.end = () => output; // a terminal outlives a prompt
  let [shown, all] = ['', ''];
  output.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
    all += bytes.toString();
  });
  const seen = async (text: string) => {
    for (let tries = 0; !shown.includes(text); tries++) {
      if (tries > 500) throw new Error(`never shown: ${text}\n${shown}`);
      await sleep(20);
    }
    shown = shown.slice(shown.indexOf(text) + text.length);
  };
  const ui = terminalDialogs({ input, output, paint: plain });
  return {
    ui,
    seen,
    type: (text: string) => void input.write(text),
    end: () => void input.end(),
    shown: () => all,
  };
}

test('arrow keys select and enter confirms', async () => {
  const { ui, seen, type } = terminal();
  const chosen = ui.select('Which?', ['one', 'two', 'three']);
  await seen('three');
  type('\u001b[B');
  type('\r');
  expect(await chosen).toBe('two');
});

test('escape, ctrl+c and the end of input cancel a prompt', async () => {
  for (const leave of ['\u001b', '\u0003', undefined]) {
    const { ui, seen, type, end } = terminal();
    const answers = ui.select('Which?', ['one', 'two']);
    await seen('two');
    if (leave === undefined) end();
    else type(leave);
    expect(await answers).toBe(undefined);
  }
});

test('ctrl+c cancels all later prompts; escape cancels one', async () => {
  const { ui, seen, type } = terminal();
  const first = ui.select('Which?', ['one', 'two']);
  await seen('two');
  type('\u001b');
  expect(await first).toBe(undefined);
  const second = ui.select('And now?', ['three', 'four']);
  await seen('four');
  type('\u0003');
  expect([await second, await ui.confirm('Sure?', ''), await ui.input('Why?')]).toEqual([
    undefined,
    false,
    undefined,
  ]);
});

test('only a y confirms', async () => {
  for (const [typed, answer] of [
    ['y\r', true],
    ['\r', false],
    ['n\r', false],
    ['\u0003', false],
  ] as const) {
    const { ui, seen, type } = terminal();
    const said = ui.confirm('Write this?', 'a file');
    await seen('a file');
    type(typed);
    expect(await said).toBe(answer);
  }
});

test('an input starts with the current value and can be edited', async () => {
  const { ui, seen, type } = terminal();
  const said = ui.input('The new timeout', '5');
  await seen('The new timeout');
  await sleep(50);
  type('0\r');
  expect(await said).toBe('50');
});

test('control characters are escaped in every prompt', async () => {
  const { ui, seen, type, shown } = terminal();
  const said = ui.select('evil \u001b[2J', ['\u001b]0;title\u0007', 'fine']);
  await seen('fine');
  expect(shown()).not.toContain('\u001b[2J');
  expect(shown()).toContain('evil \\u001b[2J');
  type('\u0003');
  await said;
});
