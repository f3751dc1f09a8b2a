import { locationsOf } from '../gather/folders.ts';
import { type Paint, paintFor, plain } from '../render/paint.ts';
import { safe, safeJson, safeLine } from '../render/safe.ts';
import type { Screen } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';

const NARROWEST = 40;
/** Default width if the output is a file or a pipe. */
const USUAL = 80;

/** Columns of the terminal. Elsewhere COLUMNS, or the usual width. */
export const outputWidth = (): number =>
  Math.max(NARROWEST, process.stdout.columns || Number(process.env['COLUMNS']) || USUAL);

export const paint: Paint = paintFor(process.stdout, process.env);
export function screenFor(cwd: string | undefined): Screen {
  const locations = locationsOf(cwd === undefined ? {} : { cwd });
  const width = outputWidth();
  return { paint, width, cwd: locations.cwd, home: locations.home };
}
/** A last safeguard: without colours no control characters are printed, with colours only ours. */
const shown = paint === plain ? safe : safeLine;
export const print = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${shown(line)}\n`).join(''));
/** Prints sentences: wrapped on a terminal, otherwise one per line, which is easier to search. */
export const say = (sentences: readonly string[]): void =>
  print(
    process.stdout.isTTY
      ? sentences.flatMap((text) => wrap(text, screenFor(undefined).width, '  '))
      : sentences,
  );
export const printJson = (value: unknown): void => void process.stdout.write(`${safeJson(value, 2)}\n`);
/** One JSON document per line. */
export const printJsonLine = (value: unknown): void => void process.stdout.write(`${safeJson(value)}\n`);
