/** Credentials of a login for a provider client: the stored key, or what the plugin of the provider derives from it. */

import type { OfferedAuth } from 'anyhook';
import type { CredentialStore } from 'anyhook/opencode';
import { NoModel } from './no-model.ts';

export interface LoginOptions {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs every request. */
  readonly fetch?: typeof fetch;
}
/** Returns undefined if there is no login for the provider. */
export type LoggedIn = (provider: string) => Promise<LoginOptions | undefined>;

export const loggedIn =
  (offers: () => readonly OfferedAuth[], store: Pick<CredentialStore, 'get'>): LoggedIn =>
  async (provider) => {
    const credential = await store.get(provider).catch((error: Error) => {
      throw new NoModel(`The login to ${provider} cannot be read: ${error.message}`);
    });
    if (credential === undefined) return undefined;
    const offer = offers().findLast((one) => one.provider === provider);
    const about = { id: provider, name: provider, source: 'custom', options: {}, models: {} };
    try {
      const options = (await offer?.load?.(() => store.get(provider), about)) ?? {};
      return { ...(credential.type === 'api' && { apiKey: credential.key }), ...known(options) };
    } catch (error) {
      throw new NoModel(
        `The login to ${provider} cannot be used: ${(error as Error).message}. Log in again: anyhook-agent login ${provider}`,
      );
    }
  };

function known({ apiKey, baseURL, headers, fetch }: Readonly<Record<string, unknown>>): LoginOptions {
  return {
    ...(typeof apiKey === 'string' && { apiKey }),
    ...(typeof baseURL === 'string' && { baseURL }),
    ...(typeof headers === 'object' && headers !== null && { headers: headers as Record<string, string> }),
    ...(typeof fetch === 'function' && { fetch: inParts(fetch as typeof globalThis.fetch) }),
  };
}

/** Plugins expect the request in the form of OpenCode: a URL, and the body as text. */
const inParts =
  (signed: typeof fetch): typeof fetch =>
  async (input, init) => {
    if (!(input instanceof Request) || init !== undefined) return signed(input, init);
    const { url, method, headers, signal } = input;
    const body = input.body === null ? {} : { body: await input.text() };
    return signed(url, { method, headers: Object.fromEntries(headers), signal, ...body });
  };
