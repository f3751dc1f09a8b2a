/** Performs one exact replacement, or returns why it is impossible. */

import { z } from 'zod';
import { nearestOf } from '../front/nearest-of.ts';

export const editSchema = z.object({
  old: z.string().describe('Exact text to replace, with its white space; must occur once unless all is set'),
  new: z.string(),
  all: z.boolean().optional().describe('Replace every occurrence'),
});
export type Edit = z.infer<typeof editSchema>;

export type ReplaceResult =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'refused'; readonly why: string };

export function replaceText(text: string, { old, new: fresh, all = false }: Edit): ReplaceResult {
  if (old === '') return refused('`old` is empty: say what to replace, or use write for a new file.');
  if (old === fresh) return refused('`old` and `new` are the same: nothing would change.');
  const parts = text.split(old);
  const count = parts.length - 1;
  if (count === 0) return refused(`\`old\` was not found. ${hint(text, old)}`);
  if (count > 1 && !all) {
    const lines = linesOf(parts, old).join(', ');
    return refused(
      `\`old\` occurs ${count} times (lines ${lines}): give more of the text around it, or set all.`,
    );
  }
  return { kind: 'replaced', text: parts.join(fresh), count };
}

const refused = (why: string): ReplaceResult => ({ kind: 'refused', why });

function linesOf(parts: readonly string[], old: string): readonly number[] {
  let line = 1;
  return parts.slice(0, -1).map((part) => {
    const here = line + breaksIn(part);
    line = here + breaksIn(old);
    return here;
  });
}
const breaksIn = (text: string): number => text.split('\n').length - 1;

/** Hints at the usual causes: line endings, white space, or the most similar line. */
function hint(text: string, old: string): string {
  if (text.includes('\r\n') && text.replaceAll('\r\n', '\n').includes(old))
    return 'It differs only in line ends: this file ends its lines with \\r\\n.';
  const wanted = old.split('\n').find((line) => line.trim() !== '') ?? '';
  const lines = text.split('\n');
  const same = lines.findIndex((line) => line.trim() === wanted.trim() && wanted.trim() !== '');
  const near = same >= 0 ? lines[same] : nearestOf(wanted, lines);
  if (near === undefined) return 'No line is similar: read the file again.';
  const at = `line ${lines.indexOf(near) + 1}: ${JSON.stringify(near)}`;
  return same >= 0 && near !== wanted ? `It differs in white space; ${at}.` : `The nearest is ${at}.`;
}
