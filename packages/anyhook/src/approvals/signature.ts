/** Signatures of approvers whom the administrator named. The relay that carries an answer does not have to be trusted. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Question, UserAnswer } from './question.ts';

type Unsigned = Omit<UserAnswer, 'signature'>;

const signed = ({ hash, nonce, kind, note, answeredAt, where, who }: Unsigned): Buffer =>
  Buffer.from(
    JSON.stringify(['anyhook approval 1', hash, nonce ?? null, kind, note ?? null, answeredAt, where, who]),
  );

/** Whether the named signer signed exactly this answer to this question, and not to an earlier one about an equal call. */
export function isSigned(
  answer: UserAnswer,
  question: Pick<Question, 'hash' | 'nonce'>,
  signers: Readonly<Record<string, string>>,
): boolean {
  if (answer.hash !== question.hash || answer.nonce !== question.nonce) return false;
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

/** Whether the key can sign answers. Throws if it is not a private key. */
export const isSignerKey = (privateKeyPem: string): boolean =>
  createPrivateKey(privateKeyPem).asymmetricKeyType === 'ed25519';

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
