/** Signatures of approvers whom the administrator named. The relay that carries an answer does not have to be trusted. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { UserAnswer } from './question.ts';

type Unsigned = Omit<UserAnswer, 'signature'>;

const signed = ({ hash, kind, note, answeredAt, where, who }: Unsigned): Buffer =>
  Buffer.from(JSON.stringify(['anyhook approval 1', hash, kind, note ?? null, answeredAt, where, who]));

/** Whether the named signer signed exactly this answer. */
export function isSigned(answer: UserAnswer, signers: Readonly<Record<string, string>>): boolean {
  const key = Object.hasOwn(signers, answer.who) ? signers[answer.who] : undefined;
  if (key === undefined || answer.signature === undefined) return false;
  try {
    return verify(null, signed(answer), publicKey(key), Buffer.from(answer.signature, 'base64'));
  } catch {
    return false; // not a key, or not a signature
  }
}

export const signAnswer = (answer: Unsigned, privateKeyPem: string): UserAnswer => ({
  ...answer,
  signature: sign(null, signed(answer), createPrivateKey(privateKeyPem)).toString('base64'),
});

/** The public key fits into one line of settings. */
export function makeSigner(): { readonly publicKey: string; readonly privateKeyPem: string } {
  const pair = generateKeyPairSync('ed25519');
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKeyPem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const publicKey = (base64: string): KeyObject =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), type: 'spki', format: 'der' });
