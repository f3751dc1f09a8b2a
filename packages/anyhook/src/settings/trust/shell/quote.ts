/** One word for a POSIX shell, whatever is in it. */
export const quote = (text: string): string =>
  /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
