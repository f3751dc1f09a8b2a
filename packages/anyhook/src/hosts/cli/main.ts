#!/usr/bin/env node
/** Other agents start us for every event: what a fire does not need is not loaded. */
import { ending } from './ending.ts';

const [command, ...rest] = process.argv.slice(2);
await ending(async () =>
  command === 'fire' && !rest.includes('--help') && !rest.includes('-h')
    ? (await import('./fire.ts')).runFire(rest)
    : (await import('./program.ts')).runCommandLine(process.argv.slice(2)),
);
