import { hostname } from 'node:os';
import type { GatheredHooks } from '../gather/gather.ts';
import type { KnownOrigin } from '../journal/index.ts';
import { userName } from '../settings/policy.ts';

/** Machine, user and policy for records. Looked up once per settings reading, not per record. */
export const knownOrigin = ({ policy }: GatheredHooks): KnownOrigin => ({
  machine: hostname(),
  user: userName(),
  policy: policy?.version,
});
