/** `anyhook-fleet stream`: creates the stream or changes its settings. */

import { type Command, InvalidArgumentError } from 'commander';
import { openConnection } from './connection.ts';
import { addServerOptions, msIn, type ServerFlags, serverIn } from './options.ts';
import { openStream } from './stream.ts';

interface StreamFlags extends ServerFlags {
  readonly replicas: number;
  readonly keep?: string;
  readonly keepBytes?: number;
}

export function defineStream(command: Command): void {
  addServerOptions(command)
    .description('make the stream that holds the records, or change its settings')
    .option('--replicas <n>', 'on so many servers of a cluster', whole, 1)
    .option('--keep <duration>', 'records older than this go, as 90d; default: none')
    .option('--keep-bytes <n>', 'a fuller stream refuses, and the machines wait; default: no bound', whole)
    .action(async (flags: StreamFlags) => {
      if (flags.nats === undefined) command.error('stream: --nats <address> is missing');
      const server = serverIn({ ...flags, nats: flags.nats });
      const connection = await openConnection(server, 'anyhook-fleet stream', 'brief');
      try {
        const done = await openStream(connection, {
          name: flags.stream,
          replicas: flags.replicas,
          ...(flags.keep !== undefined && { keepMs: msIn(flags.keep) }),
          ...(flags.keepBytes !== undefined && { keepBytes: flags.keepBytes }),
        });
        process.stdout.write(`${flags.stream} is ${done}.\n`);
      } finally {
        await connection.close();
      }
    });
}

function whole(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('must be a whole number above 0');
  return number;
}
