/** Whether a hook may be sent to an address: said of the URL's own text, and of every address its name resolves to. */
import { isIP } from 'node:net';
import { addressKind } from './address.ts';

/** How far a hook may reach: into the person's own network, or only to where everybody can. Loopback always. */
export type Reach = 'private' | 'public';

export type HttpTarget =
  | { readonly ok: true; readonly url: URL; readonly reach: Reach }
  | { readonly ok: false; readonly why: string };

export function httpTargetOf(text: string, reach: Reach): HttpTarget {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return no('it is no URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return no(`only http and https are sent, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '') return no('credentials do not belong in a URL');
  // The URL parser has read decimal, octal and hexadecimal spellings: what is left is an address or a name.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const why = isIP(host) === 0 ? '' : objection(host, reach);
  return why === '' ? { ok: true, url, reach } : no(why);
}

/** Why nothing is sent there; the empty string when it may be. */
export function objection(address: string, reach: Reach): string {
  const kind = addressKind(address);
  if (kind === 'forbidden') return `${address} is a link-local, metadata or reserved address`;
  if (kind === 'private' && reach === 'public') return `${address} is a private address`;
  return '';
}

const no = (why: string): HttpTarget => ({ ok: false, why });
