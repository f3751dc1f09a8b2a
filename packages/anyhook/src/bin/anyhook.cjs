#!/usr/bin/env node
// The program that clients and older bridges start by this path. CommonJS, so that it can say what is wrong on an old Node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`anyhook: Node.js ${process.versions.node} is too old; install 20.19 or newer\n`);
  process.exitCode = 70;
} else {
  // Reading the maps takes a fifth of the time of a first event.
  if (!['bridge', 'daemon'].includes(process.argv[2] ?? '')) process.setSourceMapsEnabled(true);
  import('../hosts/cli/bin.js');
}
