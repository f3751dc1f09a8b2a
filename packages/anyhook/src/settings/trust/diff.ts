import { visible } from './visible.ts';

/** Above this many pairs of lines the middle is shown as replaced whole: a diff must not cost a minute. */
const MAX_PAIRS = 4_000_000;
const CONTEXT = 3;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** A unified diff for people: what was, what is; letters a terminal would obey are spelled out. Empty when equal. */
export function diffOf(name: string, before: string, after: string): string {
  if (before === after) return '';
  const lines = compared(linesOf(before), linesOf(after));
  const shown = lines.map((_, i) =>
    lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some((l) => l.mark !== ' '),
  );
  const out = [`--- ${visible(name)} (trusted)`, `+++ ${visible(name)} (now)`];
  let [old, now, wasShown] = [1, 1, false];
  lines.forEach((line, i) => {
    if (shown[i] === true && !wasShown) out.push(`@@ -${old} +${now} @@`);
    if (shown[i] === true) out.push(`${line.mark}${visible(line.text)}`);
    wasShown = shown[i] === true;
    if (line.mark !== '+') old++;
    if (line.mark !== '-') now++;
  });
  return out.join('\n');
}

/** A missing newline at the end is a difference too. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push('\\ No newline at end of file');
  return lines;
}

function compared(before: readonly string[], after: readonly string[]): Line[] {
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < limit - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const old = before.slice(head, before.length - tail);
  const now = after.slice(head, after.length - tail);
  const middle =
    old.length * now.length > MAX_PAIRS ? [...marked('-', old), ...marked('+', now)] : byLongest(old, now);
  return [
    ...marked(' ', before.slice(0, head)),
    ...middle,
    ...marked(' ', before.slice(before.length - tail)),
  ];
}

const marked = (mark: Line['mark'], lines: readonly string[]): Line[] =>
  lines.map((text) => ({ mark, text }));

/** Longest common subsequence, by the table. */
function byLongest(old: readonly string[], now: readonly string[]): Line[] {
  const width = now.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      table[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ mark: ' ', text: old[i++] ?? '' });
      j++;
    } else if (i < old.length && (j >= now.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ mark: '-', text: old[i++] ?? '' });
    else lines.push({ mark: '+', text: now[j++] ?? '' });
  }
  return lines;
}
