import { paintFor, type Paint } from '../../views/paint.ts';

export const paint: Paint = paintFor(process.stdout, process.env);
export const print = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
