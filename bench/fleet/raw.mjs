// The same client, the same bytes in messages of the same size, each answered before the next: what is left when nothing is noted,
// watched or proved.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const CHUNK_BYTES = 512 * 1024;
const [folder = '', address = ''] = process.argv.slice(2);
const connection = await connect({ servers: address });
const client = jetstream(connection);
let seq = 0;
for (const name of readdirSync(folder).filter((one) => one.endsWith('.jsonl'))) {
  const bytes = readFileSync(join(folder, name));
  for (let from = 0; from < bytes.length;) {
    const end = Math.min(from + CHUNK_BYTES, bytes.length);
    const to = bytes.lastIndexOf(0x0a, end - 1) + 1;
    const chunk = bytes.subarray(from, to);
    const msgID = createHash('sha256').update(chunk).digest('hex');
    const answer = await client.publish('anyhook.records.raw.raw', chunk, {
      msgID,
      expect: { lastSubjectSequence: seq },
    });
    seq = answer.seq;
    from = to;
  }
}
await connection.close();
