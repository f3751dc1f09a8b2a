import { cutTo, widthOf } from './safe.ts';

/**
 * Wraps text to lines of at most `width` columns, between words if possible. Further lines start with
 * `indent`.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    const start = /^ */.exec(paragraph)![0];
    const lead = () => (lines.length === 0 ? start : indent + start.slice(indent.length));
    let line = '';
    for (let word of paragraph.slice(start.length).split(' ')) {
      const joined = line === '' ? lead() + word : `${line} ${word}`;
      if (widthOf(joined) <= width) {
        line = joined;
        continue;
      }
      if (line !== '') lines.push(line);
      while (widthOf(lead() + word) > width && width > lead().length + 1) {
        const part = cutTo(word, width - lead().length);
        lines.push(lead() + part);
        word = word.slice(part.length);
      }
      line = lead() + word;
    }
    lines.push(line);
  }
  return lines;
}
