#!/usr/bin/env node
/** Other agents start us for every event: what a fire does not need is not loaded. */
import { UsageError } from './usage-error.ts';

const [command, ...rest] = process.argv.slice(2);
try {
  if (command === 'fire' && !rest.includes('--help') && !rest.includes('-h'))
    process.exitCode = await (await import('./fire.ts')).fire(rest);
  else process.exitCode = await (await import('./program.ts')).program(process.argv.slice(2));
} catch (error) {
  const known = error instanceof UsageError;
  process.stderr.write(`anyhook: ${known ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = known ? 2 : 70;
}
