#!/usr/bin/env node
/** `anyhook-fleet`: what anyhook does beyond one machine. Every command is a file of its own, and one line here. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { defineStream } from './nats/command.ts';
import { definePolicy } from './policy/commands.ts';
import { defineReport } from './report.ts';
import { defineLog } from './read/log-command.ts';
import { defineVerify } from './read/verify-command.ts';
import { defineShip } from './ship/command.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const program = new Command('anyhook-fleet')
  .description('One policy for many machines, and their records in one place.')
  .version(version)
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : 2));

defineShip(program.command('ship'));
defineStream(program.command('stream'));
definePolicy(program.command('policy'));
defineReport(program.command('report'));
defineLog(program.command('log'));
defineVerify(program.command('verify'));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`anyhook-fleet: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
