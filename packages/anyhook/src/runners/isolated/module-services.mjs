// The host's services as seen by a module in its own process, called over the RPC.

import { SERVICES } from './service-table.mjs';

/** @import { RpcEnd } from './rpc.mjs' */
/** @typedef {Record<string, unknown>} Snapshot last values of the synchronous services, by name */
/**
 * Replacements for services that take or return code, by name. Each receives the default stub.
 * @typedef {Readonly<Record<string, (plain: (...args: unknown[]) => unknown) => unknown>>} Adapters
 */

/**
 * @param {readonly string[]} names those that the host has
 * @param {{ readonly rpc: RpcEnd, readonly snapshot: Snapshot, readonly adapters?: Adapters }} terms
 * @returns {Record<string, unknown>}
 */
export function moduleServices(names, { rpc, snapshot, adapters = {} }) {
  /** @type {Record<string, unknown>} */
  const services = {};
  for (const name of names) {
    const [service = '', method] = name.split('.');
    const plain = stubOf(name, rpc, snapshot);
    const stub = adapters[name]?.(plain) ?? plain;
    if (method === undefined) services[service] = stub;
    else /** @type {Record<string, unknown>} */ (services[service] ??= {})[method] = stub;
  }
  return services;
}

/** @param {string} name @param {RpcEnd} rpc @param {Snapshot} snapshot @returns {(...args: unknown[]) => unknown} */
function stubOf(name, rpc, snapshot) {
  const crossing = SERVICES.get(name);
  switch (crossing?.how) {
    case 'call':
    case 'dialog':
      return (...args) => rpc.call(name, args);
    case 'notice':
      return (...args) => {
        if (crossing.writes !== undefined) snapshot[crossing.writes] = args[0];
        return rpc.notify(name, args);
      };
    case 'snapshot':
      return () => {
        if (!Object.hasOwn(snapshot, name))
          throw new Error(`the result of ${name} is too large to send to an isolated module`);
        return structuredClone(snapshot[name]);
      };
    default:
      return () => {
        throw new Error(`${name} takes code, which an isolated module cannot send to its host`);
      };
  }
}
