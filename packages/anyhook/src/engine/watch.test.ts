import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { move, unwatch, watch, type DeadlineSlot } from './watch.ts';

/** Watched from now on; `rung` is when it rang, on the monotonic clock. */
const ringing = (afterMs: number) => {
  let rang!: (at: number) => void;
  const rung = new Promise<number>((resolve) => (rang = resolve));
  const one: DeadlineSlot = { deadline: 0, expire: () => rang(performance.now()) };
  const started = performance.now();
  watch(one, afterMs);
  return { one, rung, started };
};

describe('one timer', () => {
  test('rings for each at its own deadline, never early', async () => {
    const order: number[] = [];
    const waits = [60, 20, 40].map(async (ms) => {
      const { rung, started } = ringing(ms);
      expect((await rung) - started).toBeGreaterThanOrEqual(ms);
      order.push(ms);
    });
    await Promise.all(waits);
    expect(order).toEqual([20, 40, 60]);
  });

  test('rings in the order of the deadlines where several are over at once', async () => {
    const order: number[] = [];
    const waits = [60, 20, 40].map((ms) => ringing(ms).rung.then(() => order.push(ms)));
    const held = performance.now() + 65;
    while (performance.now() < held); // the timer is late, but not so late that all of them get more time
    await Promise.all(waits);
    expect(order).toEqual([20, 40, 60]);
  });

  test('a long deadline may ring a tick late, but never early', async () => {
    const other = ringing(60_000); // the clock is a tick old when somebody else is pending
    await new Promise((resolve) => setTimeout(resolve, 120));
    const { rung, started } = ringing(1000);
    expect((await rung) - started).toBeGreaterThanOrEqual(1000);
    unwatch(other.one);
  });

  test('time in which nobody could work is not held against a hook: its deadline starts when it starts', async () => {
    const other = ringing(60_000);
    const blocked = performance.now() + 1500;
    while (performance.now() < blocked); // somebody else keeps the event loop
    const { rung, started } = ringing(1000);
    expect((await rung) - started).toBeGreaterThanOrEqual(1000);
    unwatch(other.one);
  });

  test('does not ring for who left', async () => {
    let rang = false;
    const gone: DeadlineSlot = { deadline: 0, expire: () => (rang = true) };
    watch(gone, 10);
    unwatch(gone);
    await ringing(30).rung;
    expect(rang).toBe(false);
  });

  test('rings earlier for a deadline that was moved forward, and later for one that was put off', async () => {
    const early = ringing(60_000);
    move(early.one, 10);
    await early.rung;
    const late = ringing(5);
    const put = performance.now();
    move(late.one, 40);
    expect((await late.rung) - put).toBeGreaterThanOrEqual(40);
  });

  test('takes deadlines that no timer can hold', async () => {
    const far = ringing(2 ** 40);
    const never = ringing(Infinity);
    await ringing(10).rung;
    unwatch(far.one);
    unwatch(never.one);
  });

  test('takes a watcher that watches again when it rings', async () => {
    const patient = ringing(60_000);
    await new Promise<void>((resolve) => {
      const second: DeadlineSlot = { deadline: 0, expire: resolve };
      watch({ deadline: 0, expire: () => watch(second, 5) }, 5);
    });
    unwatch(patient.one);
  });
});

describe('a program', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'anyhook-watch-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const jiti = pathToFileURL(createRequire(import.meta.url).resolve('jiti')).href;

  /** A program of its own with the real engine; how it ended, and what it printed. */
  async function program(name: string, body: string) {
    const file = join(folder, `${name}.mjs`);
    const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).pathname);
    await writeFile(
      file,
      `import { createJiti } from ${JSON.stringify(jiti)};
       const jiti = createJiti(import.meta.url, { fsCache: ${JSON.stringify(join(folder, 'cache'))} });
       const { makeEngine } = await jiti.import(${here('./engine.ts')});
       const { ALL } = await jiti.import(${here('./fixtures/dialects.ts')});
       const { before, hook, run } = await jiti.import(${here('./fixtures/stage.ts')});
       const fire = (fn, over) => makeEngine({ dialects: ALL, hooks: [hook('own', fn, over)], run, services: {} }).fire(before('x'));
       const { verdict } = await (async () => { ${body} })();
       process.stdout.write(String(verdict));`,
    );
    return new Promise((resolve) => {
      execFile(process.execPath, [file], { timeout: 25_000 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr }),
      );
    });
  }
  const fine = (stdout: string) => ({ code: 0, stdout, stderr: '' });

  test('whose hook hangs is kept alive to its deadline and then ends by itself', async () => {
    expect(await program('hangs', `return fire(() => new Promise(() => {}), { timeoutMs: 300 });`)).toEqual(
      fine('deny'),
    );
  });

  test('that is idle ends by itself, long before the deadlines of hooks that answered', async () => {
    const idle = `return fire(() => new Promise((done) => setTimeout(done, 5)), { timeoutMs: 3_600_000 });`;
    expect(await program('idle', idle)).toEqual(fine('none'));
  });

  test('is kept alive by a second hook after the first one let it go', async () => {
    const twice = `await fire(async () => {}, { timeoutMs: 3_600_000 });
      return fire(() => new Promise(() => {}), { timeoutMs: 300 });`;
    expect(await program('twice', twice)).toEqual(fine('deny'));
  });
});
