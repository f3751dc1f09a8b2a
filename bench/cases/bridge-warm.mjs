// What an agent waits for at every event, once the engine runs: its line from start to answer, the record written.
import { bridgeWorld, SHELL_HOOK } from '../bridge-world.mjs';
import { valued, versus } from '../measure.mjs';

/**
 * One by one: what is started several times in a row finds itself in the caches of the machine, as no agent's event does. In the
 * middle of a session: its first hundred events take about a twentieth more, while V8 gets to know the code.
 */
const ROUNDS = { times: 1, rounds: 121, warm: 100 };

const bare = bridgeWorld({ hook: 'none' });
const endAnswers = await bare.answeredAtOnce();
const least = await versus(bare.line(), bare.sh(':'), ROUNDS);
endAnswers();
bare.close();

const modules = bridgeWorld({ hook: 'module' });
await modules.warmUp();
await modules.rest();
const warm = await versus(modules.line(), modules.sh(':'), ROUNDS);
const large = await versus(modules.line(modules.payload('x'.repeat(100_000))), modules.line(), ROUNDS);
// Where the launcher finds no `nc`, our program asks the engine: Node is started for the question alone.
const before = (await modules.status()).events;
const asked = await versus(modules.cold('--engine', `ask:${modules.engine}`), modules.node, {
  times: 1,
  rounds: 31,
});
const answered = (await modules.status()).events - before;
if (answered < 31)
  throw new Error(`the engine has answered only ${answered} of the events that it was asked about`);
const idleMb = [];
for (let i = 0; i < 7; i++) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  idleMb.push((await modules.status()).rssBytes / 1e6);
}
modules.close();

const commands = bridgeWorld({ hook: 'shell' });
await commands.warmUp();
await commands.rest();
const limit = (times) => {
  commands.sh(':')(3 * times);
  commands.sh(SHELL_HOOK)(times);
};
const shell = await versus(commands.line(), limit, ROUNDS);
commands.close();

export default {
  name: "bridge, warm: an agent's line, one TypeScript module, record written",
  against: '`sh -c :`',
  target: 3,
  ...warm,
  also: [
    { name: "bridge, warm: the agent's line alone, answered at once", against: '`sh -c :`', ...least },
    {
      name: 'bridge, warm: the same with 100 KB of payload',
      against: 'the same with 200 bytes',
      target: 1.3,
      ...large,
    },
    {
      name: "bridge, warm: an agent's line, one shell hook, record written",
      against: '3 × `sh -c :` and one start of the hook',
      target: 1,
      ...shell,
    },
    {
      name: 'bridge, warm, without `nc`: our program asks the engine, one TypeScript module, record written',
      against: '`node -e 0`',
      target: 1.2,
      ...asked,
    },
    { name: 'the engine, idle, resident', unit: 'MB', target: 70, ...valued(idleMb) },
  ],
};
