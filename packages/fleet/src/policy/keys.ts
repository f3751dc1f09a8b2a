/** `policy key`: the pair of keys by which machines know whose policy it is. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ed25519, PolicyError } from './archive.ts';

/** The private one for who packs, the public one for every machine. Neither file is overwritten. */
export function makeKeys(file: string): { readonly privateFile: string; readonly publicFile: string } {
  const [privateFile, publicFile] = [`${file}.key`, `${file}.pub`];
  for (const path of [privateFile, publicFile])
    if (existsSync(path)) throw new PolicyError(`${path} is there already, and is left as it is`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flag: 'wx',
  });
  writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644, flag: 'wx' });
  return { privateFile, publicFile };
}

export function privateKeyIn(file: string): KeyObject {
  try {
    return ed25519(createPrivateKey(readFileSync(file)));
  } catch (error) {
    throw error instanceof PolicyError
      ? error
      : new PolicyError(`${file} holds no private key: ${(error as Error).message}`);
  }
}
