import { expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { performance as ours } from './clock.ts';

test('until it is told otherwise, the clock is that of the global', () => {
  const [before, said, after] = [performance.now(), ours.now(), performance.now()];
  expect(before <= said && said <= after).toBe(true);
});

test('the clock of the process begins where the global one does, and never goes back', () => {
  // In a main thread: tests may run in workers.
  const script = `import { createJiti } from 'jiti';
    const { performance: ours, readProcessClock } = await createJiti(${JSON.stringify(import.meta.url)}).import('./clock.ts');
    const theirs = globalThis.performance;
    readProcessClock();
    const said = Array.from({ length: 1000 }, () => ours.now());
    const apart = Math.abs(ours.now() - theirs.now());
    console.log(JSON.stringify([apart < 100, said.every((one, at) => at === 0 || one >= said[at - 1])]));`;
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual([true, true]);
});
