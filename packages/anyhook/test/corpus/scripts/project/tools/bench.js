const { spawnSync } = require('node:child_process');
for (const name of process.argv.slice(2))
  process.stdout.write(`${spawnSync(process.execPath, [name]).status}\n`);
