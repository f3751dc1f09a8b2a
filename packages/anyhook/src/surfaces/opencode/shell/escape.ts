/** As one word of a shell line: as it is when nothing in it is special, else between double quotes. */
export const escape = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
