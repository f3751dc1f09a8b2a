/** All dialects, in the order in which their hooks run. */

import { AGENT_FOLDERS } from './agents/list.ts';
import { furtherTools } from './agents/shared/dialect/further-tools.ts';
import type { Dialect } from './events/dialect.ts';
import { EVENT_NAMES, type EventName } from './events/events.ts';
import type { Hook } from './events/hook.ts';
import { nearest, type Problem } from './events/problems.ts';
import { withSafeReaders } from './events/safe-readers.ts';
import type { ToolColumn } from './events/tools.ts';

/** Their hooks run before those of the others. */
const FIRST: readonly string[] = ['goose', 'opta'];
/** Its hooks see what the others made of the event. */
const LAST = 'anyhook';
const rankOf = ({ name }: Dialect): number =>
  FIRST.includes(name) ? FIRST.indexOf(name) - FIRST.length : Number(name === LAST);

export const DIALECTS: readonly Dialect[] = AGENT_FOLDERS.flatMap((folder) =>
  'dialect' in folder ? [folder.dialect] : [],
)
  .toSorted((a, b) => rankOf(a) - rankOf(b))
  .map(withSafeReaders);
export const findDialect = (name: string): Dialect | undefined => DIALECTS.find((one) => one.name === name);

/** Undefined: nobody knows which event of ours this hook listens to. */
export function eventHeardBy({ dialect, on }: Pick<Hook, 'dialect' | 'on'>): EventName | undefined {
  const words = findDialect(dialect)?.words;
  return EVENT_NAMES.find((event) => words?.[event]?.includes(on) === true);
}

/** Every spelling of a tool that some agent uses. */
export const toolColumns = (dialects: readonly Dialect[] = DIALECTS): readonly ToolColumn[] => [
  ...dialects.map(({ tools }) => tools),
  furtherTools,
];

export interface ChosenDialects {
  readonly dialects: readonly Dialect[];
  readonly problems: readonly Problem[];
}

/** The dialects of that name, in that order; all of them when none are named. */
export function dialectsNamed(names: readonly string[] | undefined): ChosenDialects {
  if (names === undefined) return { dialects: DIALECTS, problems: [] };
  const known = new Map(DIALECTS.map((dialect) => [dialect.name, dialect]));
  const wanted = [...new Set(names)];
  return {
    dialects: wanted.flatMap((name) => known.get(name) ?? []),
    problems: wanted.filter((name) => !known.has(name)).map((name) => unknown(name, [...known.keys()])),
  };
}

function unknown(name: string, known: readonly string[]): Problem {
  const near = nearest(name, known);
  return {
    code: 'unknown-dialect',
    file: '(dialects)',
    message: `no dialect is called ${JSON.stringify(name)}.`,
    remedy: near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${JSON.stringify(near)}?`,
    severity: 'error',
  };
}
