/**
 * `anyhook-fleet verify`: checks arrived records against the chains of their machines for missing, truncated, changed
 * or reordered records.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { type VerifiedSession, verifyFolder } from 'anyhook/journal';
import { safe, safeJson } from 'anyhook/views';
import type { Command } from 'commander';
import { readStream, type StreamQuery } from '../nats/arrivals.ts';
import { openConnection } from '../nats/connection.ts';
import { addServerOptions, type ServerFlags, serverIn } from '../nats/options.ts';
import { Mirror, type MirrorFinding } from './mirror.ts';

export interface VerifiedStream {
  readonly isWhole: boolean;
  readonly messages: number;
  readonly sessions: number;
  readonly records: number;
  /** Problems of the transfer: missing messages, and gaps between bytes. */
  readonly findings: readonly MirrorFinding[];
  /** Sessions whose hash chain is broken. */
  readonly broken: readonly Pick<VerifiedSession, 'session' | 'problems'>[];
}

/** Writes the stream to a temporary folder of journals, which needs about the size of the stream on disk. */
export async function verifyStream(connection: NatsConnection, query: StreamQuery): Promise<VerifiedStream> {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-fleet-verify-'));
  try {
    const mirror = new Mirror(folder);
    for await (const arrival of readStream(connection, query)) mirror.add(arrival);
    const all = [...verifyFolder(mirror.places.folder, mirror.places.heads)];
    const broken = all.filter(({ ok }) => !ok).map(({ session, problems }) => ({ session, problems }));
    return {
      isWhole: mirror.findings.length === 0 && broken.length === 0,
      messages: mirror.messages,
      sessions: all.length,
      records: all.reduce((sum, { records }) => sum + records, 0),
      findings: mirror.findings,
      broken,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface VerifyFlags extends ServerFlags {
  readonly machine?: string;
  readonly user?: string;
  readonly json?: boolean;
}

export function defineVerify(command: Command): void {
  addServerOptions(command)
    .description('check that all records of the machines arrived unchanged')
    .option('--machine <name>', 'of one machine')
    .option('--user <name>', 'of one person')
    .option('--json', 'Print JSON')
    .addHelpText('after', '\nExit 0: all of it is there. Exit 1: something is not.')
    .action(async ({ machine, user, ...flags }: VerifyFlags) => {
      if (flags.nats === undefined) command.error('verify: no server given. Add --nats <address>');
      const server = serverIn({ ...flags, nats: flags.nats });
      const connection = await openConnection(server, 'anyhook-fleet verify', 'brief');
      try {
        const of = { ...(machine !== undefined && { machine }), ...(user !== undefined && { user }) };
        const found = await verifyStream(connection, { stream: flags.stream, of });
        process.stdout.write(flags.json === true ? `${safeJson(found, 2)}\n` : textOf(found));
        process.exitCode = found.isWhole ? 0 : 1;
      } finally {
        await connection.close();
      }
    });
}

const textOf = ({ isWhole, messages, sessions, records, findings, broken }: VerifiedStream): string =>
  [
    ...findings.map(({ subject, message }) => safe(`${subject}: ${message}`)),
    ...broken.flatMap(({ session, problems }) =>
      problems.map(({ kind, message }) => safe(`${session}: ${kind}: ${message}`)),
    ),
    `${isWhole ? 'As it was written' : 'Not as it was written'}: sessions ${sessions}, records ${records}, messages ${messages}.`,
    '',
  ].join('\n');
