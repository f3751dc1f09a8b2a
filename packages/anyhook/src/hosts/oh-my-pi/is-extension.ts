import { readFileSync } from 'node:fs';

/**
 * Both kinds of modules look the same when they run. An extension lies in a folder of that name, or says that it is
 * written against the `ExtensionAPI`.
 */
export function isExtension(file: string): boolean {
  if (/[\\/]extensions[\\/]/.test(file)) return true;
  try {
    const source = readFileSync(file, 'utf8');
    return /\bExtension(API|Factory|Context)\b/.test(source);
  } catch {
    return false;
  }
}
