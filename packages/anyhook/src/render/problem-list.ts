import { type Problem, sentences } from '../events/problems.ts';
import { safe } from './safe.ts';
import { type Screen, shortPath } from './screen.ts';
import { wrap } from './wrap.ts';

/** Renders problems: the location on one line, message and remedy below. */
export function problemList(problems: readonly Problem[], screen: Screen): string[] {
  const { paint, width } = screen;
  return problems.flatMap(({ file, line, column, key, message, remedy, code, severity }) => {
    const place = [shortPath(file, screen), line, column].filter((part) => part !== undefined).join(':');
    const words = sentences([key === undefined ? message : `${key}: ${message}`, remedy]);
    return [
      `${paint(severity === 'error' ? 'red' : 'yellow', severity)}  ${place}`,
      ...wrap(safe(`${words} [${code}]`), width - 2).map((text) => `  ${text}`),
    ];
  });
}
