import type { Fields } from '../../../../events/effects.ts';
import type { ClientTerms } from './terms.ts';

export interface ClientRequest {
  /** The parameters of the route. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Fields;
  readonly signal: AbortSignal;
}
export type ClientRoute = (asked: ClientRequest, terms: ClientTerms) => unknown;
export type Routes = Readonly<Record<string, ClientRoute>>;

/** An error response in OpenCode's format. */
export class ErrorAnswer extends Error {
  readonly status: number;
  readonly body: Fields;
  constructor(status: number, name: string, message: string, more: Fields = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.body = { name, data: { message, ...more } };
  }
}

/** For services that the host could offer but does not. */
export const missing = (service: string, wanted: string): ErrorAnswer =>
  new ErrorAnswer(501, 'ServiceMissing', `${wanted} needs '${service}', which this host does not offer`, {
    service,
    remedy: `Run the plugin in a host that offers '${service}', or do without ${wanted}.`,
  });
