/** A page is a title, a generated head between two marks, and what people wrote below: that stays. */

/**
 * @param {string} page as it is; empty when it does not exist
 * @param {string} title
 * @param {string} head
 * @param {string} name of the marks, where a page has several
 */
export function withGenerated(page, title, head, name = 'generated') {
  const [open, close] = /** @type {const} */ ([`<!-- ${name} -->`, `<!-- /${name} -->`]);
  const block = `${open}\n${head.trim()}\n${close}`;
  if (page.trim() === '') return `${title}\n\n${block}\n`;
  const [from, to] = [page.indexOf(open), page.indexOf(close)];
  if (from === -1 || to < from)
    throw new Error(`the page '${title}' has lost its marks ${open} and ${close}: put them back`);
  return page.slice(0, from) + block + page.slice(to + close.length);
}
