/** A connection that never gives up by itself: whoever holds it waits, and says for what. */
import { readFileSync } from 'node:fs';
import {
  connect,
  type ConnectionOptions,
  credsAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node';

export interface ServerOptions {
  /** `nats://host:4222`, or several with commas between them; a name and a password may stand in front of the host. */
  readonly server: string;
  /** A file with a JWT and its key, as `nsc` makes it. */
  readonly creds?: string;
  /** The authority that the server's certificate is checked against. */
  readonly ca?: string;
  readonly stream: string;
  /** A machine that may only hear its own answers hears them under this name. */
  readonly inboxPrefix?: string;
}

/** `endless`: for who has a buffer and nobody waiting; `brief`: for a person at a terminal. */
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
