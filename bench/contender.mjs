// One contender in a process of its own: says how many milliseconds so many calls took, each time it is asked. Processor time:
// it waits for nothing, and another program on its core is not its doing. No collection is
// forced in between either: it throws away what V8 has learnt of the code.

import { pathToFileURL } from 'node:url';

const [file, name, word] = process.argv.slice(2);
const module = await import(pathToFileURL(file).href);
const call = await module[name](word);
process.on('message', async (times) => {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await call();
  const { user, system } = process.cpuUsage(before);
  process.send((user + system) / 1000);
});
