/** String literals that name code, in any language that writes them in quotes. */
const QUOTED_CODE =
  /(["'`])((?:[^"'`\\\n$]|\\[^\n]){1,300}?\.(?:[cm]?[jt]sx?|sh|bash|zsh|pyw?|rb|pl|php|lua))\1/g;
const RUBY = /\brequire_relative[ \t(]+(["'])([^"'\n]{1,300})\1/g;

/** Files of code that a text names in quotes, from the folder of the text. */
export function quotedCode(text: string): string[] {
  const names = [...text.matchAll(QUOTED_CODE)].map((m) => unescaped(m[2] ?? ''));
  for (const m of text.matchAll(RUBY)) names.push(m[2] ?? '', `${m[2] ?? ''}.rb`);
  // `path.join(here, '/x.js')` means a neighbour; a real absolute path is found as one elsewhere.
  return names.map((name) => name.replace(/^\/+/, ''));
}

/** Spelling a letter as `\x6c` does not hide a path. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|(.))/gis,
    (_, x?: string, u?: string, long?: string, plain?: string) => {
      const code = Number.parseInt(x ?? u ?? long ?? '', 16);
      return Number.isNaN(code) || code > 0x10ffff ? (plain ?? '') : String.fromCodePoint(code);
    },
  );
}
