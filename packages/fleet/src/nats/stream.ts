/** The stream that holds everybody's records, with the settings that make "none lost, none doubled" true. */
import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { EVERYBODY } from './subject.ts';

export interface StreamTerms {
  readonly name: string;
  /** 3 in a cluster: one server may be lost. */
  readonly replicas: number;
  readonly keepMs?: number;
  readonly keepBytes?: number;
  /** How long the server knows a chunk again that is sent a second time. */
  readonly duplicatesMs?: number;
}

/** Ten minutes, unless a test wants less. */
const DUPLICATES_MS = 10 * 60_000;

/** Made, or brought to these settings. */
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
    // A full stream refuses: the machines wait, and what is there stays.
    discard: DiscardPolicy.New,
    num_replicas: terms.replicas,
    max_age: nanos(terms.keepMs ?? 0),
    max_bytes: terms.keepBytes ?? -1,
    duplicate_window: nanos(terms.duplicatesMs ?? DUPLICATES_MS),
    // Lets a machine ask for the last message of its own subject, and of no other.
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
