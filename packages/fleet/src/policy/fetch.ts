/** The bytes of an archive: of a file, or of an address. The signature says whether they are to be taken, not the way they came. */
import { readFileSync, statSync } from 'node:fs';
import { MOST_BYTES, PolicyError } from './archive.ts';

const LONGEST_MS = 60_000;

export async function archiveFrom(place: string): Promise<Uint8Array> {
  if (!/^https?:\/\//.test(place)) {
    if (statSync(place).size > MOST_BYTES)
      throw new PolicyError(`${place} is larger than ${MOST_BYTES} bytes`);
    return readFileSync(place);
  }
  const response = await fetch(place, { signal: AbortSignal.timeout(LONGEST_MS) });
  if (!response.ok || response.body === null) throw new PolicyError(`${place} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new PolicyError(`${place} sends more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
