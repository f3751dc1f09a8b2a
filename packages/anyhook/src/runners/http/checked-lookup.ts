/**
 * Names are resolved once, every address is checked, and the connection goes to one of those that were: a name that
 * answers differently the next time gains nothing.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { objection, type Reach } from './target.ts';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export const resolveBySystem: Resolve = (host) =>
  new Promise((done, failed) =>
    systemLookup(host, { all: true }, (error, addresses) => (error ? failed(error) : done(addresses))),
  );

export class AddressRefused extends Error {}

/** What `http.request` takes as `lookup`. One address that may not be reached spoils the name. */
export const checkedLookup =
  (resolve: Resolve, reach: Reach): LookupFunction =>
  (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const why = addresses.map(({ address }) => objection(address, reach)).find(Boolean);
        const [first] = addresses;
        if (why !== undefined) callback(new AddressRefused(`${host}: ${why}`), '');
        else if (first === undefined) callback(new Error(`${host} has no address`), '');
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
