#!/usr/bin/env node
// The program that clients and older bridges start by this path. CommonJS, so that it can say what is wrong on an old Node.
const words = process.argv.slice(2);
const isForClients =
  words[0] === 'bridge'
    ? words.length > 1 && !words.includes('--help') && !words.includes('-h')
    : words.join(' ') === 'daemon run';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`anyhook: Node.js ${process.versions.node} is too old; install 20.19 or newer\n`);
  process.exitCode = 70;
} else {
  // Reading the maps takes a fifth of the time of a first event.
  if (!isForClients) process.setSourceMapsEnabled(true);
  // One file after the other: `import` opens all files of a program at once, and a machine may allow few.
  if (words[0] === 'fire') require('../cli/fire.js');
  require(isForClients ? '../cli/for-clients.js' : '../cli/bin.js');
}
