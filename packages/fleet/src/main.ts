#!/usr/bin/env node
/** Entry point of `anyhook-fleet`: anyhook for many machines. Each command has its own file and one line here. */

import { readFileSync } from 'node:fs';
import { Command } from 'commander';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const program = new Command('anyhook-fleet')
  .description('One policy for many machines, and their records in one place.')
  .version(version)
  .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : 2));

/** Commands are loaded on demand, because `ship` runs on every machine all the time. */
const COMMANDS: Readonly<Record<string, () => Promise<(command: Command) => void>>> = {
  ship: async () => (await import('./ship/command.ts')).defineShip,
  stream: async () => (await import('./nats/command.ts')).defineStream,
  approvals: async () => (await import('./approvals/commands.ts')).defineApprovals,
  policy: async () => (await import('./policy/commands.ts')).definePolicy,
  report: async () => (await import('./report.ts')).defineReport,
  log: async () => (await import('./read/log-command.ts')).defineLog,
  view: async () => (await import('./read/view-command.ts')).defineView,
  verify: async () => (await import('./read/verify-command.ts')).defineVerify,
};
const [, , asked = ''] = process.argv;
const wanted = Object.hasOwn(COMMANDS, asked) ? [asked] : Object.keys(COMMANDS);
for (const name of wanted) (await COMMANDS[name]!())(program.command(name));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`anyhook-fleet: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
