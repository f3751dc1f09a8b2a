import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { clampMs, type EndedBy, LONGEST_TIMER_MS, release, wait } from './deadline.ts';

const never = () => new AbortController().signal;
const ends = (timeoutMs: number, signal = never()) =>
  new Promise<EndedBy>((end) => void wait({ timeoutMs, signal }, end));
const sleep = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

describe('a deadline', () => {
  test('ends all waits, the shorter one first', async () => {
    const order: string[] = [];
    await Promise.all([
      ends(120).then((why) => order.push(`long ${why}`)),
      ends(20).then((why) => order.push(`short ${why}`)),
    ]);
    expect(order).toEqual(['short timed-out', 'long timed-out']);
  });

  test('does not fire after release', async () => {
    const heard: EndedBy[] = [];
    release(wait({ timeoutMs: 10, signal: never() }, (why) => heard.push(why)));
    await ends(40);
    expect(heard).toEqual([]);
  });

  test.each([2 ** 31, Infinity, NaN, Number('1e400')])('of %s is long, not immediate', async (timeoutMs) => {
    const heard: EndedBy[] = [];
    const waiting = wait({ timeoutMs, signal: never() }, (why) => heard.push(why));
    await sleep(30);
    release(waiting);
    expect(heard).toEqual([]);
    expect(clampMs(timeoutMs)).toBe(LONGEST_TIMER_MS);
  });

  test('control: a plain timer fires immediately for the same number', async () => {
    const started = performance.now();
    const silence = process.listeners('warning');
    process.removeAllListeners('warning');
    process.on('warning', () => {});
    await new Promise((fired) => setTimeout(fired, 2 ** 31));
    process.removeAllListeners('warning');
    for (const listener of silence) process.on('warning', listener);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('an abort ends everything that waits on its signal and nothing else, with one listener', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.name);
    process.on('warning', note);
    const abort = new AbortController();
    const followers = Array.from({ length: 30 }, () => ends(60_000, abort.signal));
    const other = ends(100);
    abort.abort();
    expect(new Set(await Promise.all(followers))).toEqual(new Set(['aborted']));
    expect(await other).toBe('timed-out');
    expect(await ends(60_000, abort.signal)).toBe('aborted');
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('keeps the program alive only while something waits', async () => {
    const file = fileURLToPath(new URL('./deadline.ts', import.meta.url));
    const script = (body: string) => `
      import { createJiti } from 'jiti';
      const { wait, release } = await createJiti(${JSON.stringify(file)}, { fsCache: false }).import(${JSON.stringify(file)});
      const limit = (timeoutMs) => ({ timeoutMs, signal: new AbortController().signal });
      ${body}`;
    const run = async (body: string) =>
      (
        await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(body)], {
          timeout: 20_000,
          cwd: fileURLToPath(new URL('.', import.meta.url)),
        })
      ).stdout;
    expect(await run(`wait(limit(50), (why) => console.log(why));`)).toBe('timed-out\n');
    expect(await run(`release(wait(limit(600_000), () => {})); console.log('over');`)).toBe('over\n');
    expect(
      await run(`release(wait(limit(600_000), () => {})); wait(limit(700), (why) => console.log(why));`),
    ).toBe('timed-out\n');
  });
});
