/**
 * `anyhook-fleet view`: shows the stream in the browser, as `anyhook view` shows a journal, and follows new records.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, openView } from 'anyhook/view';
import { safe } from 'anyhook/views';
import type { Command } from 'commander';
import { readStream } from '../nats/arrivals.ts';
import { openConnection } from '../nats/connection.ts';
import { addServerOptions, msIn, type ServerFlags, serverIn } from '../nats/options.ts';
import { Mirror } from './mirror.ts';

interface ViewFlags extends ServerFlags {
  readonly since?: string;
  readonly machine?: string;
  readonly user?: string;
  readonly open: boolean;
}

export function defineView(command: Command): void {
  addServerOptions(command)
    .description('show the records of all machines in the browser')
    .option('--since <duration>', 'such as 2h or 1d, by the server’s clock; default: all of it')
    .option('--machine <name>', 'of one machine')
    .option('--user <name>', 'of one person')
    .option('--no-open', 'print the address, and leave the browser alone')
    .addHelpText(
      'after',
      '\nWhat is shown lies in a private folder until the page is closed. ctrl+c ends it.',
    )
    .action(async (flags: ViewFlags) => {
      if (flags.nats === undefined) command.error('view: no server given. Add --nats <address>');
      await view(flags, flags.nats);
    });
}

async function view({ machine, user, since, ...flags }: ViewFlags, nats: string): Promise<void> {
  const stopped = new AbortController();
  const ended = Promise.race(
    (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => once(process, name, { signal: stopped.signal })),
  );
  const connection = await openConnection(serverIn({ ...flags, nats }), 'anyhook-fleet view', 'brief');
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-fleet-view-'));
  const mirror = new Mirror(folder);
  const of = { ...(machine !== undefined && { machine }), ...(user !== undefined && { user }) };
  const query = {
    stream: flags.stream,
    of,
    isFollowed: true,
    signal: stopped.signal,
    ...(since !== undefined && { sinceMs: Date.now() - msIn(since) }),
  };
  const reading = (async () => {
    for await (const arrival of readStream(connection, query)) mirror.add(arrival);
  })().catch((error: unknown) =>
    // Keep showing what has arrived.
    process.stderr.write(`anyhook-fleet view: nothing more arrives: ${safe(String(error))}\n`),
  );
  const opened = await openView({ places: mirror.places });
  try {
    process.stdout.write(
      `${opened.address}\nThe address holds the key to the page: it is for you alone. ctrl+c ends it.\n`,
    );
    const browser =
      flags.open && process.stdout.isTTY === true ? openBrowser(opened.address, process.env) : undefined;
    await ended;
    browser?.forget();
    stopped.abort();
    await reading;
  } finally {
    stopped.abort();
    await opened.close();
    await connection.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
