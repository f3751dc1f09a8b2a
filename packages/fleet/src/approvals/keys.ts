/** Key files of approvers. */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { isSignerKey, makeSigner } from 'anyhook/approvals';

/** Never overwrites a file. Returns the public key. */
export function makeKeyFile(file: string): string {
  const { publicKey, privateKeyPem } = makeSigner();
  writeFileSync(file, privateKeyPem, { mode: 0o600, flag: 'wx' });
  return publicKey;
}

export function readKeyFile(file: string): string {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new Error(`${file}: other users can read this key. Run: chmod 600 ${file}`);
  const text = readFileSync(file, 'utf8');
  if (!isKey(text)) throw new Error(`${file}: not a key of anyhook-fleet approvals key`);
  return text;
}

function isKey(text: string): boolean {
  try {
    return isSignerKey(text);
  } catch {
    return false; // not a private key
  }
}
