import { type Problem, sentence } from '../events/problems.ts';
import { adviceLines } from './advice.ts';
import { type Screen, shortPath } from './screen.ts';

/** Renders problems: the location on one line, message and remedy below. */
export function problemList(problems: readonly Problem[], screen: Screen): string[] {
  const { paint } = screen;
  return problems.flatMap(({ file, line, column, key, message, remedy, code, severity }) => {
    const place = [shortPath(file, screen), line, column].filter((part) => part !== undefined).join(':');
    const what = key === undefined ? message : `${key}: ${message}`;
    const text = remedy === undefined ? what : sentence(what);
    return [
      `${paint(severity === 'error' ? 'red' : 'yellow', severity)}  ${place}`,
      ...adviceLines(text, { code, remedy }, screen),
    ];
  });
}
