import type { Fields } from '../../../canon/effects.ts';
import type { ClientTerms } from './terms.ts';

export interface Asked {
  /** What stood in the braces of the route. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Fields;
  readonly signal: AbortSignal;
}
export type Route = (asked: Asked, terms: ClientTerms) => unknown;
export type Routes = Readonly<Record<string, Route>>;

/** An answer that is no success, in the shape of OpenCode's own errors. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Fields;
  constructor(status: number, name: string, message: string, more: Fields = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.body = { name, data: { message, ...more } };
  }
}

/** The host could do it, and was not built to. */
export const missing = (service: string, wanted: string): Refusal =>
  new Refusal(501, 'ServiceMissing', `${wanted} needs '${service}', which this host does not offer`, {
    service,
    remedy: `Run the plugin in a host that offers '${service}', or do without ${wanted}.`,
  });
