// The same without an engine: our program is started for the event; and the first event, which starts the engine besides.
import { join } from 'node:path';
import { bridgeWorld, SHELL_HOOK } from '../bridge-world.mjs';
import { versus } from '../measure.mjs';

/** One by one, for the reason that is said where the warm way is measured. */
const ROUNDS = { times: 1, rounds: 21 };

const [none, shell, module] = ['none', 'shell', 'module'].map((hook) => bridgeWorld({ hook }));
const silent = await versus(none.cold(), none.node, ROUNDS);
const command = await versus(shell.cold(), shell.node, ROUNDS);
/** In our place: reads the event, starts the hook in a group of its own, hears it out, writes a line, and that is all. */
const LEAST = `const [{ createHash }, { spawn }, fs] = ['crypto', 'child_process', 'fs'].map(require);
const text = fs.readFileSync(0, 'utf8');
const child = spawn('/bin/sh', ['-c', ${JSON.stringify(SHELL_HOOK)}], { detached: true });
for (const stream of [child.stdout, child.stderr]) stream.resume();
child.stdin.end(text);
child.on('close', (code) => {
  const mark = createHash('sha256').update(text).digest('hex');
  fs.appendFileSync(${JSON.stringify(join(shell.home, 'lines'))}, JSON.stringify({ ...JSON.parse(text), mark }));
  process.exitCode = code;
});`;
const least = await versus(shell.program('-e', LEAST), shell.node, ROUNDS);
const typescript = await versus(module.cold(), module.node, ROUNDS);
const starting = module.cold('--engine', `start:${module.engine}`);
/** @param {(times: number) => void} fire */
const firstOfAll = (fire) => async (times) => {
  let ms = 0;
  for (let i = 0; i < times; i++) {
    await module.withoutEngine();
    const began = performance.now();
    fire(1);
    ms += performance.now() - began;
  }
  return ms;
};
const first = await versus(firstOfAll(starting), firstOfAll(module.cold()), ROUNDS);
for (const world of [none, shell, module]) world.close();

export default {
  name: 'bridge, cold: nobody listens',
  against: '`node -e 0`',
  target: 1.2,
  ...silent,
  also: [
    { name: 'bridge, cold: one shell hook', against: '`node -e 0`', target: 1.8, ...command },
    {
      name: 'bridge, cold: a program of Node that starts the hook and writes a line, and nothing else',
      against: '`node -e 0`',
      ...least,
    },
    { name: 'bridge, cold: one TypeScript module', against: '`node -e 0`', target: 2, ...typescript },
    {
      name: 'bridge: the first event of a session, which starts the engine',
      against: 'the same event, cold',
      target: 1.1,
      ...first,
    },
  ],
};
