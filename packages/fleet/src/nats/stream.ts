/** Creates the stream of all records. Its settings ensure that no record is lost or duplicated. */

import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { EVERYBODY } from './subject.ts';

export interface StreamTerms {
  readonly name: string;
  /** 3 in a cluster, which tolerates the loss of one server. */
  readonly replicas: number;
  readonly keepMs?: number;
  readonly keepBytes?: number;
  /** How long the server detects duplicates of a chunk. */
  readonly duplicatesMs?: number;
}

/** Tests use a shorter window. */
const DUPLICATES_MS = 10 * 60_000;

/** Creates the stream, or updates its settings. */
export async function openStream(
  connection: NatsConnection,
  terms: StreamTerms,
): Promise<'made' | 'changed'> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const config = {
    name: terms.name,
    subjects: [EVERYBODY],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // A full stream rejects new messages and keeps the old ones, so that machines wait.
    discard: DiscardPolicy.New,
    num_replicas: terms.replicas,
    max_age: nanos(terms.keepMs ?? 0),
    max_bytes: terms.keepBytes ?? -1,
    duplicate_window: nanos(terms.duplicatesMs ?? DUPLICATES_MS),
    // Lets a machine read the last message of its own subject only.
    allow_direct: true,
    deny_delete: true,
    deny_purge: true,
  };
  const isThere = await manager.streams.info(terms.name).then(
    () => true,
    () => false,
  );
  if (isThere) await manager.streams.update(terms.name, config);
  else await manager.streams.add(config);
  return isThere ? 'changed' : 'made';
}
