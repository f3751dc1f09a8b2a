import { openCommandRunner } from '../packages/anyhook/dist/internals.js';
import { median } from './measure.mjs';

const ballast = [];
for (let mb = 0; mb < Number(process.argv[2]); mb++)
  ballast.push(Array.from({ length: 131_072 }, (_, i) => i + 0.5));
const runner = openCommandRunner();
const way = { kind: 'command', run: { line: 'cat >/dev/null; echo done' }, env: 'inherit' };
const limit = { timeoutMs: 10_000, signal: new AbortController().signal };
const stdin = 'x'.repeat(1000);
await runner.run(way, { kind: 'command', cwd: '/', stdin }, limit);
const [took, held] = [[], []];
for (let i = 0; i < 60; i++) {
  const started = performance.now();
  const running = runner.run(way, { kind: 'command', cwd: '/', stdin }, limit);
  held.push(performance.now() - started);
  await running;
  took.push(performance.now() - started);
}
process.send({ hookMs: median(took), heldMs: median(held), ballast: ballast.length }, () =>
  process.disconnect(),
);
