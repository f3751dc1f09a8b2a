/** Who and where, in each record: as it is, as a hash by which it can be counted and not read, or not at all. */
import { createHash } from 'node:crypto';
import { FixedFields } from './fixed-fields.ts';
import type { HostName, RecordOrigin } from './record.ts';

export type ShownAs = 'plain' | 'hashed' | 'off';

/** How each of them is written; what is not named is plain. */
export interface OriginFields {
  readonly machine?: ShownAs;
  readonly user?: ShownAs;
  readonly agent?: ShownAs;
  readonly policy?: 'plain' | 'off';
}
export interface KnownOrigin {
  readonly machine: string;
  readonly user: string;
  /** Undefined: nobody lays anything down here. */
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

/** A record always has a host: one that is left out has a name that says so. */
export const hostShown = (host: HostName, how: ShownAs = 'plain'): HostName =>
  FixedFields.of(how === 'plain' ? host : { name: shown(host.name, how) ?? 'off' });

/** The hash of a short name can be guessed by who knows the names: it keeps them from being read, and no more. */
function shown(name: string, how: ShownAs = 'plain'): string | undefined {
  if (how === 'off') return undefined;
  return how === 'plain' ? name : `sha256:${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}
