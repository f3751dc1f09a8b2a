/** A page is a title, a generated head between two marks, and what people wrote below: that stays. */
const OPEN = '<!-- generated -->';
const CLOSE = '<!-- /generated -->';

/**
 * @param {string} page as it is; empty when it does not exist
 * @param {string} title
 * @param {string} head
 */
export function withGenerated(page, title, head) {
  const block = `${OPEN}\n${head.trim()}\n${CLOSE}`;
  if (page.trim() === '') return `${title}\n\n${block}\n`;
  const [from, to] = [page.indexOf(OPEN), page.indexOf(CLOSE)];
  if (from === -1 || to < from)
    throw new Error(`the page '${title}' has lost its marks ${OPEN} and ${CLOSE}: put them back`);
  return page.slice(0, from) + block + page.slice(to + CLOSE.length);
}
