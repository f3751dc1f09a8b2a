import { hostname } from 'node:os';
import type { GatheredHooks } from '../gather/gather.ts';
import type { KnownOrigin } from '../journal/index.ts';
import { userName } from '../settings/policy.ts';

/** Which machine, user and policy records come from. Looked up when settings are read, not again for each record. */
export const knownOrigin = ({ policy }: GatheredHooks): KnownOrigin => ({
  machine: hostname(),
  user: userName(),
  policy: policy?.version,
});
