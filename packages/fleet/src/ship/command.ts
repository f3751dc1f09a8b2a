/** `anyhook-fleet ship`: the records of this machine, to where the organisation keeps them. */
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { journalPlaces } from 'anyhook/journal';
import { safe } from 'anyhook/views';
import { type Command, Option } from 'commander';
import { addServerOptions, type ServerFlags, serverIn } from '../nats/options.ts';
import { openJetStream, placeKey } from './jetstream.ts';
import { holdPlace } from './hold-place.ts';
import { shipJournals, type ShipOptions } from './ship.ts';

interface ShipFlags extends ServerFlags {
  readonly machine: string;
  readonly user: string;
  readonly journal?: string;
  readonly heads?: string;
  readonly once?: boolean;
}

export function defineShip(command: Command): void {
  addServerOptions(command)
    .description('send the records of this machine to NATS JetStream')
    .addOption(
      new Option('--machine <name>', 'what this machine is called there')
        .env('ANYHOOK_MACHINE')
        .default(hostname()),
    )
    .option('--user <name>', 'whose records these are', userInfo().username)
    .option('--journal <folder>', 'the journals; default: where this user’s are')
    .option('--heads <folder>', 'the heads of their chains')
    .option('--once', 'send what is there, and end')
    .action(async (flags: ShipFlags) => {
      process.exitCode = await ship(flags, command);
    });
}

async function ship(flags: ShipFlags, command: Command): Promise<number> {
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopped.abort());
  const own = journalPlaces();
  const places = { folder: resolve(flags.journal ?? own.folder), heads: resolve(flags.heads ?? own.heads) };
  const common = { places, signal: stopped.signal, say, ...(flags.once === true && { isOnce: true }) };
  const runs: Promise<void>[] = [];
  if (flags.nats !== undefined) runs.push(toJetStream({ ...flags, nats: flags.nats }, common));
  if (runs.length === 0) command.error('ship: say where to: --nats <address>');
  await Promise.all(runs);
  return 0;
}

async function toJetStream(
  flags: ShipFlags & { readonly nats: string },
  common: Omit<ShipOptions, 'key' | 'open'>,
): Promise<void> {
  const { machine, user } = flags;
  const options = { ...serverIn(flags), source: { machine, user }, signal: common.signal, say };
  const key = placeKey(options);
  const release = holdPlace(common.places.folder, key);
  try {
    const open = await openJetStream(options);
    await shipJournals({ ...common, key, open });
  } finally {
    release();
  }
}

const say = (message: string): void => void process.stderr.write(`anyhook-fleet ship: ${safe(message)}\n`);
