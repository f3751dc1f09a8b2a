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
  const names = [`--- ${visible(name)} (trusted)`, `+++ ${visible(name)} (now)`];
  return [...names, ...hunksOf(before, after).map(visible)].join('\n');
}

/** The same for `patch` and `git apply`: every byte as it is. A file that is not there is null. */
export function unifiedPatch(path: string, before: string | null, after: string | null): string {
  const named = (text: string | null) => (text === null ? '/dev/null' : path);
  const names = [`--- ${named(before)}`, `+++ ${named(after)}`];
  return `${[...names, ...hunksOf(before ?? '', after ?? '')].join('\n')}\n`;
}

function hunksOf(before: string, after: string): readonly string[] {
  const lines = compared(linesOf(before), linesOf(after));
  const isShown = (at: number): boolean =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ mark }) => mark !== ' ');
  const out: string[] = [];
  let hunk: Line[] = [];
  let [old, now] = [0, 0];
  const close = (): void => {
    if (hunk.length > 0)
      out.push(rangesOf(hunk, old, now), ...hunk.map(({ mark, text }) => `${mark}${text}`));
    hunk = [];
  };
  lines.forEach((line, at) => {
    if (isShown(at)) hunk.push(line);
    else close();
    if (line.mark !== '+') old++;
    if (line.mark !== '-') now++;
  });
  close();
  return out;
}

/** Of a hunk after which so many lines are over. One that has no lines on a side stands behind the line before it. */
function rangesOf(hunk: readonly Line[], old: number, now: number): string {
  const range = (end: number, other: Line['mark']): string => {
    const count = hunk.filter(({ mark }) => mark !== other).length;
    return count === 1 ? `${end}` : `${count === 0 ? end : end - count + 1},${count}`;
  };
  return `@@ -${range(old, '+')} +${range(now, '-')} @@`;
}

/** A last line without its newline is another line, and is written as `patch` reads it. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop()!; // a split has one part at least
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
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
