/** Converts an HTML page to text with line breaks. Each step is linear in the length of the page. */
export function plainText(html: string): string {
  return decoded(
    withoutHidden(html)
      .replace(
        /<(?:br|hr|\/p|\/div|\/li|\/tr|\/h[1-6]|\/section|\/article|\/pre|\/ul|\/ol|\/table)\b[^<>]*>/gi,
        '\n',
      )
      .replace(/<li\b[^<>]*>/gi, '- ')
      .replace(/<[a-z!/][^<>]*>/gi, ''),
  )
    .replace(/[ \t\u00a0]+/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Removes scripts, styles and comments in one pass. */
function withoutHidden(html: string): string {
  const lower = html.toLowerCase();
  let out = '';
  let at = 0;
  for (const { index, 0: start } of lower.matchAll(/<(?:script|style|noscript|template)\b|<!--/g)) {
    if (index < at) continue;
    out += html.slice(at, index);
    const close = start === '<!--' ? '-->' : `</${start.slice(1)}>`;
    const end = lower.indexOf(close, index);
    at = end < 0 ? html.length : end + close.length;
  }
  return out + html.slice(at);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const decoded = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,6}));/gi,
    (whole, hex?: string, dec?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = Number.parseInt(hex ?? dec!, hex === undefined ? 10 : 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
