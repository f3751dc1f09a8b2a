/** What a project asks for, as a person and as a program is shown it. */
import { brief, safe } from '../../views/safe.ts';
import { type Screen, shortPath } from '../../views/screen.ts';
import { whatRuns } from '../../views/what-runs.ts';
import { wrap } from '../../views/wrap.ts';
import type { Examined } from '../library/gate.ts';

const STATES = {
  trusted: ['green', 'trusted'],
  modified: ['yellow', 'modified since it was trusted'],
  unknown: ['yellow', 'waits for trust'],
  untrustable: ['red', 'cannot be trusted'],
} as const;

export function summaryOf({ hook, file, line, judgement }: Examined, screen: Screen): string[] {
  const { paint, width } = screen;
  const { state, hash, cover } = judgement;
  const [colour, word] = STATES[state];
  const what =
    hook === undefined
      ? 'module'
      : `${hook.dialect} ${hook.on}${hook.matcher === undefined ? '' : ` ${brief(hook.matcher, 40)}`}`;
  const names = cover.files.map(({ name }) => safe(name)).join(', ');
  return [
    ...wrap(`  ${shortPath(file, screen)}:${line} · ${what} · ${paint(colour, word)}`, width, '    '),
    ...(hook === undefined ? [] : [`      ${brief(whatRuns(hook), width - 6)}`]),
    `      ${hash}`,
    ...cover.obstacles.flatMap((text) => wrap(`      ${paint('red', safe(text))}`, width, '      ')),
    ...(names === '' ? [] : wrap(`      covers ${names}`, width, '        ')),
  ];
}

/** What will run, from the very bytes that will run; of what was trusted before, what has changed. Never cut. */
export function contentsOf({ judgement }: Examined, { paint }: Screen): string[] {
  if (judgement.diff !== undefined) return indented(judgement.diff, paint);
  return judgement.cover.files.flatMap(({ name, bytes }) => [
    `      ${paint('cyan', `── ${safe(name)}`)}`,
    ...indented(bytes.toString('utf8').replace(/\n$/, ''), (_, text) => text),
  ]);
}

function indented(text: string, paint: Screen['paint']): string[] {
  return safe(text)
    .split('\n')
    .map(
      (line) =>
        `      ${line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line}`,
    );
}

export const plainExamined = ({ hook, file, line, judgement }: Examined) => ({
  file,
  line,
  hook: hook?.id,
  state: judgement.state,
  hash: judgement.hash,
  files: judgement.cover.files.map(({ name, sha256 }) => ({ name, sha256 })),
  obstacles: judgement.cover.obstacles,
  ...(judgement.diff !== undefined && { diff: judgement.diff }),
});
