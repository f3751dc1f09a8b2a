#!/usr/bin/env node
/** Other agents start us for every event: what a fire does not need is not loaded. */
import { ending } from './ending.ts';

const [command, ...rest] = process.argv.slice(2);
if (command === 'fire' && !rest.includes('--help') && !rest.includes('-h'))
  await ending(async () => (await import('./fire.ts')).runFire(rest), 'go on');
else await ending(async () => (await import('./program.ts')).runCommandLine(process.argv.slice(2)), 'end');
