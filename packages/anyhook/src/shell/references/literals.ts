/** String literals that name files of code, in any language with quoted strings. */
const QUOTED_CODE =
  /(["'`])((?:[^"'`\\\n$]|\\[^\n]){1,300}?\.(?:[cm]?[jt]sx?|sh|bash|zsh|pyw?|rb|pl|php|lua))\1/g;
const RUBY = /\brequire_relative[ \t(]+(["'])([^"'\n]{1,300})\1/g;

/** The files of code that a text names in quotes, relative to the folder of the text. */
export function quotedCode(text: string): string[] {
  const names = [...text.matchAll(QUOTED_CODE)].map((m) => unescaped(m[2] ?? ''));
  for (const m of text.matchAll(RUBY)) names.push(m[2] ?? '', `${m[2] ?? ''}.rb`);
  // `path.join(here, '/x.js')` means a file beside the text. Real absolute paths are found elsewhere.
  return names.map((name) => name.replace(/^\/+/, ''));
}

/** Decodes escapes such as `\x6c`, which could hide a path. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|(.))/gis,
    (_, x?: string, u?: string, long?: string, plain?: string) => {
      const code = Number.parseInt(x ?? u ?? long ?? '', 16);
      return Number.isNaN(code) || code > 0x10ffff ? (plain ?? '') : String.fromCodePoint(code);
    },
  );
}
