/** Field names whose values are redacted, in any case and with any separator: `API-Key`, `dbPassword`. */

const SECRET = new RegExp(
  [
    'passw(?:or)?d|passphrase|passcode|secret|token|authorization|cookie|credential|bearer|connectionstring',
    '(?:api|private|access|account|signing|encryption|master|shared|ssh|session|service|host|deploy)key',
    '(?:^|db|user|root|admin|smtp|mysql|pg|ftp|redis|mail|proxy)pass$',
    'pwd$|^(?:x|http|proxy|npm|basic)?auth$|authkey|^otp$|^mfacode$|^jwt$',
  ].join('|'),
);

/** Names that contain such a word but refer to a location or an amount. */
const PLAIN = new RegExp(
  [
    'token(?:s?(?:count|limit|usage|used|budget|type|length|size|window|perminute|permin|persecond|endpoint|left)|i[sz])',
    '(?:file|path|dir|folder|url|uri|host|port|name|sock|socket|ttl|expiry|expires|expiresin|expiresat|policy|store)$',
    'askpass|^old_?pwd$|(?:key|token)id$|cookieconsent|cookiejar$',
  ].join('|'),
);

/** `counted`: a plural such as `max_tokens`, whose numbers are amounts. */
export type Secrecy = 'none' | 'secret' | 'counted';

export function secrecyOf(name: string): Secrecy {
  if (name.length < 3 || name.length > 200) return 'none';
  if (/(?:^|[a-z\d][_.-])(?:pass|pw)$/i.test(name)) return 'counted';
  const word = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (!SECRET.test(word) || PLAIN.test(word)) return 'none';
  return word.endsWith('tokens') ? 'counted' : 'secret';
}

export const isSecretName = (name: string): boolean => secrecyOf(name) !== 'none';
