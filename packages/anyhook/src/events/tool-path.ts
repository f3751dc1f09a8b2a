import { join, resolve } from 'node:path';

const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

/** Resolves a path argument of a tool. Tools and guards both use it, so that they agree on the file. */
export function toolPath(
  path: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  const plain = /^file:\/\/(?:localhost)?\//i.test(path) ? fromAddress(path) : path;
  const lead = HOME.exec(plain)?.[0];
  return lead === undefined ? resolve(cwd, plain) : join(home, plain.slice(lead.length));
}

function fromAddress(address: string): string {
  const path = address.replace(/^file:\/\/(?:localhost)?/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a lone `%` is literal
  }
}
