import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moved, unwatch, watch, type Watched } from './watch.ts';

const ringing = (afterMs: number) => {
  let rang!: () => void;
  const rung = new Promise<void>((resolve) => (rang = resolve));
  const one: Watched = { deadline: performance.now() + afterMs, expire: () => rang() };
  return { one, rung };
};

describe('one timer', () => {
  test('rings for each at its own deadline, never early', async () => {
    const order: number[] = [];
    const waits = [60, 20, 40].map(async (ms) => {
      const { one, rung } = ringing(ms);
      watch(one);
      await rung;
      expect(performance.now()).toBeGreaterThanOrEqual(one.deadline);
      order.push(ms);
    });
    await Promise.all(waits);
    expect(order).toEqual([20, 40, 60]);
  });

  test('does not ring for who left', async () => {
    let rang = false;
    const gone: Watched = { deadline: performance.now() + 10, expire: () => (rang = true) };
    watch(gone);
    unwatch(gone);
    const { one, rung } = ringing(30);
    watch(one);
    await rung;
    expect(rang).toBe(false);
  });

  test('rings earlier for a deadline that was moved forward, and later for one that was put off', async () => {
    const early = ringing(60_000);
    watch(early.one);
    early.one.deadline = performance.now() + 10;
    moved(early.one);
    await early.rung;
    const late = ringing(5);
    watch(late.one);
    late.one.deadline = performance.now() + 40;
    await late.rung;
    expect(performance.now()).toBeGreaterThanOrEqual(late.one.deadline);
  });

  test('takes deadlines that no timer can hold', async () => {
    const far = ringing(2 ** 40);
    const never = ringing(Infinity);
    watch(far.one);
    watch(never.one);
    const soon = ringing(10);
    watch(soon.one);
    await soon.rung;
    unwatch(far.one);
    unwatch(never.one);
  });

  test('takes a watcher that watches again when it rings', async () => {
    const second = ringing(0);
    const first: Watched = {
      deadline: performance.now() + 5,
      expire: () => ((second.one.deadline = performance.now() + 5), watch(second.one)),
    };
    const patient = ringing(60_000);
    watch(patient.one);
    watch(first);
    await second.rung;
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
