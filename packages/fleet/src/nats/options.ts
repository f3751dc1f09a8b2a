import { durationMs } from 'anyhook/journal';
import { Option, type Command } from 'commander';
import type { ServerOptions } from './connection.ts';
import { STREAM } from './subject.ts';

export interface ServerFlags {
  readonly nats?: string;
  readonly creds?: string;
  readonly ca?: string;
  readonly stream: string;
  readonly inbox?: string;
}

/** Adds the options of all commands that connect to the server. `address` is the option that names the server. */
export function addServerOptions(
  command: Command,
  { address = '--nats', stream = STREAM }: { readonly address?: string; readonly stream?: string } = {},
): Command {
  return command
    .addOption(
      new Option(`${address} <address>`, 'nats://host:4222; several with commas between them').env(
        'ANYHOOK_NATS',
      ),
    )
    .addOption(new Option('--creds <file>', 'who we are there, as nsc writes it').env('ANYHOOK_NATS_CREDS'))
    .option('--ca <file>', 'the authority that the server’s certificate is checked against')
    .option(
      '--stream <name>',
      stream === STREAM ? 'where the records are kept' : 'where questions and answers are kept',
      stream,
    )
    .option('--inbox <prefix>', 'under which answers are heard, where the account allows no other');
}

export function serverIn(flags: ServerFlags & { readonly nats: string }): ServerOptions {
  return {
    server: flags.nats,
    stream: flags.stream,
    ...(flags.creds !== undefined && { creds: flags.creds }),
    ...(flags.ca !== undefined && { ca: flags.ca }),
    ...(flags.inbox !== undefined && { inboxPrefix: flags.inbox }),
  };
}

export const msIn = (text: string): number => durationMs('anyhook-fleet', text);
