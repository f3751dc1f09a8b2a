import { hostname } from 'node:os';
import type { GatheredHooks } from '../../assembly/gather.ts';
import type { KnownOrigin } from '../../journal/index.ts';
import { userName } from '../../settings/policy.ts';

/** Looked up once for a reading of the settings, not for a record. */
export const knownOrigin = ({ policy }: GatheredHooks): KnownOrigin => ({
  machine: hostname(),
  user: userName(),
  policy: policy?.version,
});
