/** One word for a POSIX shell, whatever is in it. */
export const quote = (text: string): string =>
  /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** In the place of a word that is a wildcard, the wildcard stays one. */
export function quotePath(by: string, written: string): string {
  const wild = /^[\w./-]*[*?[][\w./*?[\]-]*$/.test(written) ? /[^/]*[*?[].*$/s.exec(by)?.[0] : undefined;
  return wild === undefined ? quote(by) : `${quote(by.slice(0, by.length - wild.length))}${wild}`;
}
