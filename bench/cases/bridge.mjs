// What an agent waits for at an event: its line from start to answer.

import { readFileSync } from 'node:fs';
import { bridgeWorld, SHELL_HOOK } from '../bridge-world.mjs';
import { valued, versus } from '../measure.mjs';

/**
 * One by one: what is started several times in a row finds itself in the caches of the machine, as no agent's event does. In the
 * middle of a session, after V8 has compiled the code.
 */
const ROUNDS = { times: 1, rounds: 121, warm: 100 };
const [SAME, NODE] = ['the same line that runs `/bin/true`', '`node -e 0`'];

/** @param {Parameters<typeof bridgeWorld>[0]} about @param {(world: ReturnType<typeof bridgeWorld>) => unknown} measure */
async function inWorld(about, measure) {
  const world = bridgeWorld(about);
  try {
    return await measure(world);
  } finally {
    world.close();
  }
}

const least = await inWorld({ hook: 'none' }, async (world) => {
  const end = await world.answeredAtOnce();
  const row = await versus(world.line(), world.lineOfTrue, ROUNDS);
  end();
  return row;
});
const nobody = await inWorld({ hook: 'none' }, async (world) => {
  await world.rest();
  return versus(world.line(), world.lineOfTrue, ROUNDS);
});
const module = await inWorld({ hook: 'module' }, async (world) => {
  await world.rest();
  const small = await versus(world.line(), world.lineOfTrue, ROUNDS);
  const padded = world.line(world.payload({ padding: 'x'.repeat(100_000) }));
  return { small, large: await versus(padded, world.line(), ROUNDS) };
});
const shell = await inWorld({ hook: 'shell' }, async (world) => {
  await world.rest();
  const limit = (times) => {
    world.lineOfTrue(times);
    world.sh(SHELL_HOOK)(times);
  };
  return versus(world.line(), limit, ROUNDS);
});
const nodeClient = await inWorld({ hook: 'module', client: 'node' }, async (world) => {
  await world.rest();
  return versus(world.client, world.node, { times: 1, rounds: 31 });
});
const first = await inWorld({ hook: 'module' }, (world) => {
  const firstOfAll = async (times) => {
    let ms = 0;
    for (let i = 0; i < times; i++) {
      await world.withoutDaemon();
      const startMs = performance.now();
      world.line()(1);
      ms += performance.now() - startMs;
    }
    return ms;
  };
  return versus(firstOfAll, world.node, { times: 1, rounds: 21 });
});
const direct = await inWorld({ hook: 'module' }, (world) =>
  versus(world.direct, world.node, { times: 1, rounds: 21 }),
);

/** Resident memory that a process does not share with others, in megabytes. @param {number} pid */
const privateMb = (pid) =>
  [...readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce(
    (sum, [, kB]) => sum + Number(kB) / 1000,
    0,
  );
const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

const memory = await inWorld({ hook: 'shell' }, async (world) => {
  const sessions = (from, to) => {
    for (let i = from; i < to; i++) world.line(world.payload({ session: `s${i}` }))(1);
  };
  sessions(0, 50);
  const values = [];
  for (let i = 0; i < 7; i++) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { pid, sessions: open } = await world.state();
    if (open !== 50) throw new Error(`${open} sessions are open`);
    values.push([pid, ...childrenOf(pid)].reduce((sum, one) => sum + privateMb(one), 0));
  }
  return valued(values);
});
const moduleMemory = await inWorld({ hook: 'module' }, async (world) => {
  const values = [];
  for (let i = 0; i < 7; i++) {
    world.line(world.payload({ session: `s${i}` }))(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { pid } = await world.state();
    const sizes = childrenOf(pid).map(privateMb);
    values.push(Math.max(...sizes));
  }
  return valued(values);
});

const NAME = "an agent's line";
export default {
  name: `${NAME}: no hook listens`,
  against: SAME,
  target: 1.3,
  ...nobody,
  also: [
    { name: `${NAME}: one TypeScript module, record written`, against: SAME, target: 1.7, ...module.small },
    {
      name: `${NAME}: one shell hook, record written`,
      against: 'that line and one start of the hook',
      target: 1.7,
      ...shell,
    },
    { name: `${NAME}, answered at once by a daemon that does nothing`, against: SAME, ...least },
    { name: `${NAME}: 100 KB of payload`, against: 'the same with 200 bytes', target: 1.3, ...module.large },
    { name: 'the Node client, one TypeScript module', against: NODE, target: 1.3, ...nodeClient },
    { name: 'the first event, the daemon does not run', against: NODE, target: 8, ...first },
    { name: 'an event without a daemon, one TypeScript module', against: NODE, ...direct },
    { name: 'memory of 50 sessions without modules, all processes', unit: 'MB', target: 150, ...memory },
    { name: 'memory of one session with modules', unit: 'MB', target: 60, ...moduleMemory },
  ],
};
