import { readFileSync } from 'node:fs';

export interface SourcePosition {
  readonly line?: number;
  readonly column?: number;
}

/** Finds where the calling module contains this name, from the stack. Compilation preserves lines but not columns. */
export function placeOf(word: string, file: string): SourcePosition {
  const frame = (new Error('where').stack ?? '').split('\n').find((one) => one.includes(`${file}:`));
  const line = Number(/:(\d+):\d+\)?$/.exec(frame ?? '')?.[1] ?? NaN);
  if (!Number.isInteger(line)) return {};
  try {
    const text = readFileSync(file, 'utf8').split('\n')[line - 1] ?? '';
    const at = text.indexOf(word);
    return at === -1 ? { line } : { line, column: at + 1 };
  } catch {
    return { line };
  }
}
