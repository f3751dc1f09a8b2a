/** `anyhook-fleet ship`: sends the records of this machine to the servers of the organisation. */

import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { journalPlaces } from 'anyhook/journal';
import { safe } from 'anyhook/views';
import { type Command, Option } from 'commander';
import { addServerOptions, type ServerFlags, serverIn } from '../nats/options.ts';
import { holdPlace } from './hold-place.ts';
import type { Place, ResumePoint } from './place.ts';
import { shipJournals, type ShipOptions } from './ship.ts';

interface ShipFlags extends ServerFlags {
  readonly machine: string;
  readonly user: string;
  readonly journal?: string;
  readonly heads?: string;
  readonly once?: boolean;
  readonly otlp?: string | true;
}

export function defineShip(command: Command): void {
  addServerOptions(command)
    .description(
      'send the records of this machine to NATS JetStream, to an OpenTelemetry collector, or to both',
    )
    .option(
      '--otlp [endpoint]',
      'a collector, as http://host:4318; without an address: what OTEL_EXPORTER_OTLP_ENDPOINT says',
    )
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
  const source = { machine: flags.machine, user: flags.user };
  const shared = { source, signal: stopped.signal, say };
  const runs: Promise<void>[] = [];
  if (flags.nats !== undefined) {
    const { openJetStream, placeKey } = await import('./jetstream.ts');
    const options = { ...serverIn({ ...flags, nats: flags.nats }), ...shared };
    runs.push(shipTo(placeKey(options), () => openJetStream(options), common));
  }
  if (flags.otlp !== undefined) {
    const [{ openOtlp, otlpKey }, { collectorIn }] = await Promise.all([
      import('./otlp.ts'),
      import('../otlp/collector-options.ts'),
    ]);
    const options = { ...collectorIn(flags.otlp, flags.ca, process.env), ...shared };
    runs.push(shipTo(otlpKey(options), () => openOtlp(options), common));
  }
  if (runs.length === 0)
    command.error('ship: no destination given. Add --nats <address>, --otlp <endpoint>, or both');
  await Promise.all(runs);
  return 0;
}

type Opened = (resumed: ResumePoint) => Place;

async function shipTo(
  key: string,
  openPlace: () => Opened | Promise<Opened>,
  common: Omit<ShipOptions, 'key' | 'open'>,
): Promise<void> {
  const release = holdPlace(common.places.folder, key);
  try {
    await shipJournals({ ...common, key, open: await openPlace() });
  } finally {
    release();
  }
}

const say = (message: string): void => void process.stderr.write(`anyhook-fleet ship: ${safe(message)}\n`);
