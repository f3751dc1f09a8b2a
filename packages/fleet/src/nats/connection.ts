/** A NATS connection that never gives up. The caller waits and reports what it waits for. */

import { readFileSync } from 'node:fs';
import {
  connect,
  type ConnectionOptions,
  credsAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node';

export interface ServerOptions {
  /** `nats://host:4222`, or several separated by commas; `name:password@` may precede the host. */
  readonly server: string;
  /** A file with a JWT and its key, as `nsc` creates it. */
  readonly creds?: string;
  /** The CA that signs the certificate of the server. */
  readonly ca?: string;
  readonly stream: string;
  /** The inbox prefix for accounts that may only subscribe to their own replies. */
  readonly inboxPrefix?: string;
}

/** `endless` is for a sender with a buffer, `brief` for a user at a terminal. */
export type Patience = 'endless' | 'brief';

export function openConnection(
  options: ServerOptions,
  name: string,
  patience: Patience,
): Promise<NatsConnection> {
  const urls = options.server.split(',').map((one) => new URL(one.includes('://') ? one : `nats://${one}`));
  const [first] = urls;
  const isSecure = urls.some(({ protocol }) => protocol === 'tls:') || options.ca !== undefined;
  const how: ConnectionOptions = {
    servers: urls.map(({ host }) => host),
    name,
    maxReconnectAttempts: patience === 'endless' ? -1 : 2,
    waitOnFirstConnect: patience === 'endless',
    reconnectTimeWait: 500,
    timeout: 5000,
    ...(options.inboxPrefix !== undefined && { inboxPrefix: options.inboxPrefix }),
    ...(options.creds !== undefined && { authenticator: credsAuthenticator(readFileSync(options.creds)) }),
    ...(first !== undefined &&
      first.username !== '' && {
        user: decodeURIComponent(first.username),
        pass: decodeURIComponent(first.password),
      }),
    ...(isSecure && { tls: options.ca === undefined ? {} : { caFile: options.ca } }),
  };
  return connect(how);
}
