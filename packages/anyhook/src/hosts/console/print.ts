import { paintFor, type Paint } from '../../views/paint.ts';
import type { Screen } from '../../views/screen.ts';
import { groundOf } from '../../assembly/folders.ts';

const NARROWEST = 40;
/** Where nobody can say how wide it is: a file, a pipe. */
const USUAL = 80;

export const paint: Paint = paintFor(process.stdout, process.env);
export function screenFor(cwd: string | undefined): Screen {
  const ground = groundOf(cwd === undefined ? {} : { cwd });
  const width = Math.max(NARROWEST, process.stdout.columns ?? USUAL);
  return { paint, width, cwd: ground.cwd, home: ground.home };
}
export const print = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
