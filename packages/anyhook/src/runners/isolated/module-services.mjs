// The host's services as a module in its own process sees them: every one that the host has, called over the RPC.
import { SERVICES } from './service-table.mjs';

/** @import { RpcEnd } from './rpc.mjs' */
/** @typedef {Record<string, unknown>} Snapshot what the services that answer at once said last, by name */
/**
 * What stands here for a service that takes or gives code, by name: made from what would be there without it.
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
          throw new Error(`${name} was too large to cross to an isolated module`);
        return structuredClone(snapshot[name]);
      };
    default:
      return () => {
        throw new Error(`${name} takes code, which cannot cross from an isolated module to its host`);
      };
  }
}
