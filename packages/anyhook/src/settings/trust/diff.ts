/** Unified diffs, in one form for display and one for `patch` and `git apply`. */

import { structuredPatch } from 'diff';
import { visible } from './visible.ts';

const CONTEXT_LINES = 3;
/** A comparison that takes longer shows the whole text as replaced. */
const TIMEOUT_MS = 2_000;

/** Returns a diff for display, with control characters escaped. Empty if both texts are equal. */
export function diffOf(name: string, before: string, after: string): string {
  if (before === after) return '';
  const names = [`--- ${visible(name)} (trusted)`, `+++ ${visible(name)} (now)`];
  return [...names, ...hunkLines(before, after).map(visible)].join('\n');
}

/** Returns an exact diff for `patch` and `git apply`. A file that does not exist is null. */
export function unifiedPatch(path: string, before: string | null, after: string | null): string {
  const nameOf = (text: string | null) => (text === null ? '/dev/null' : path);
  const names = [`--- ${nameOf(before)}`, `+++ ${nameOf(after)}`];
  return `${[...names, ...hunkLines(before ?? '', after ?? '')].join('\n')}\n`;
}

function hunkLines(before: string, after: string): readonly string[] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: TIMEOUT_MS,
  });
  if (patch === undefined) return wholeText(before, after);
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`,
    ...lines,
  ]);
}

function wholeText(before: string, after: string): readonly string[] {
  const [old, now] = [textLines(before), textLines(after)];
  return [
    `@@ -${rangeText(1, old.length)} +${rangeText(1, now.length)} @@`,
    ...old.map((line) => `-${line}`),
    ...now.map((line) => `+${line}`),
  ];
}

/** An empty range starts at the line before it, as `patch` expects. */
const rangeText = (start: number, count: number): string =>
  count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;

function textLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === ''
    ? lines.slice(0, -1)
    : [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}
