/**
 * Identity of machine and user in each record: as plain text, as a hash that can be counted but not read, or
 * omitted.
 */

import { createHash } from 'node:crypto';
import { FixedFields } from './fixed-fields.ts';
import type { HostName, RecordOrigin } from './record.ts';

export type ShownAs = 'plain' | 'hashed' | 'off';

/** How each field is written. Default: plain. */
export interface OriginFields {
  readonly machine?: ShownAs;
  readonly user?: ShownAs;
  readonly agent?: ShownAs;
  readonly policy?: 'plain' | 'off';
}
export interface KnownOrigin {
  readonly machine: string;
  readonly user: string;
  /** Undefined if there is no policy. */
  readonly policy: number | undefined;
}

export function originOf({ machine, user, policy }: KnownOrigin, fields: OriginFields = {}): RecordOrigin {
  const machineName = shown(machine, fields.machine);
  const userName = shown(user, fields.user);
  return FixedFields.of({
    ...(machineName !== undefined && { machine: machineName }),
    ...(userName !== undefined && { user: userName }),
    ...(policy !== undefined && fields.policy !== 'off' && { policy }),
  });
}

/** A record always has a host. If it is omitted, the name is `off`. */
export const hostShown = (host: HostName, how: ShownAs = 'plain'): HostName =>
  FixedFields.of(how === 'plain' ? host : { name: shown(host.name, how) ?? 'off' });

/**
 * A short name can be guessed from its hash by anyone who knows the candidates. The hash only keeps it from
 * being readable.
 */
function shown(name: string, how: ShownAs = 'plain'): string | undefined {
  if (how === 'off') return undefined;
  return how === 'plain' ? name : `sha256:${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}
