// The host, as a hook in the isolated process sees it: every service it offers, called over the wire.
import { SERVICES } from './wire.mjs';

/**
 * @typedef {object} Line
 * @property {(service: string, args: readonly unknown[], signal: AbortSignal | undefined) => Promise<unknown>} ask
 * @property {(service: string, args: readonly unknown[]) => void} tell
 */

/**
 * @param {readonly string[]} offers
 * @param {Line} line
 * @returns {(glance: Readonly<Record<string, unknown>>, signal: AbortSignal) => Record<string, unknown>}
 */
export function hostStub(offers, line) {
  return (glance, signal) => {
    /** @type {Record<string, unknown>} */
    const host = { signal };
    for (const service of offers) {
      const [room = '', name] = service.split('.');
      const stub = stubOf(service, line, glance);
      if (name === undefined) host[room] = stub;
      else /** @type {Record<string, unknown>} */ (host[room] ??= {})[name] = stub;
    }
    return host;
  };
}

/**
 * @param {string} service
 * @param {Line} line
 * @param {Readonly<Record<string, unknown>>} glance
 * @returns {(...args: unknown[]) => unknown}
 */
function stubOf(service, line, glance) {
  const { manner, signal: at, inside } = SERVICES[service] ?? { manner: 'code' };
  if (manner === 'tell') return (...args) => line.tell(service, args);
  if (manner === 'ask')
    return (...args) => {
      const [plain, signal] = withoutSignal(args, at, inside === true);
      return line.ask(service, plain, signal);
    };
  if (manner === 'glance')
    return () => {
      if (!Object.hasOwn(glance, service))
        throw new Error(`${service} was too large to cross to an isolated module`);
      return structuredClone(glance[service]);
    };
  return () => {
    throw new Error(`${service} takes code, which cannot cross from an isolated module to its host`);
  };
}

/**
 * @param {unknown[]} args
 * @param {number | undefined} at
 * @param {boolean} inside the signal is a field of an options object
 * @returns {[unknown[], AbortSignal | undefined]}
 */
function withoutSignal(args, at, inside) {
  const home = at === undefined ? undefined : args[at];
  if (at === undefined || home === undefined || home === null) return [args, undefined];
  const { signal, ...rest } = inside ? /** @type {{ signal?: unknown }} */ (home) : { signal: home };
  const plain = args.with(at, inside ? rest : null);
  return [plain, signal instanceof AbortSignal ? signal : undefined];
}
