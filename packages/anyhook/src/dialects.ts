/** The one file that names every dialect: a new agent is one folder and one line. */
import type { Dialect } from './events/dialect.ts';
import { EVENT_NAMES, type EventName } from './events/events.ts';
import type { Hook } from './events/hook.ts';
import { nearest, type Problem } from './events/problems.ts';
import type { ToolColumn } from './events/tools.ts';
import { anyhook } from './agents/anyhook/dialect/index.ts';
import { claudeAgentSdk } from './agents/claude-agent-sdk/dialect/index.ts';
import { claudeCode } from './agents/claude-code/dialect/index.ts';
import { furtherTools } from './agents/shared/dialect/further-tools.ts';
import { codex } from './agents/codex/dialect/index.ts';
import { cursor } from './agents/cursor/dialect/index.ts';
import { copilotCli } from './agents/copilot-cli/dialect/index.ts';
import { geminiCli } from './agents/gemini-cli/dialect/index.ts';
import { goose } from './agents/goose/dialect/index.ts';
import { grokBuild } from './agents/grok-build/dialect/index.ts';
import { kimiCode } from './agents/kimi-code/dialect/index.ts';
import { ohMyPi } from './agents/oh-my-pi/dialect/index.ts';
import { opencode } from './agents/opencode/dialect/index.ts';
import { opta } from './agents/opta/dialect/index.ts';
import { qwenCode } from './agents/qwen-code/dialect/index.ts';
import { withSafeReaders } from './events/safe-readers.ts';

/** In the order in which their hooks run. */
const ALL = [
  goose,
  opta,
  claudeCode,
  claudeAgentSdk,
  codex,
  geminiCli,
  qwenCode,
  kimiCode,
  copilotCli,
  grokBuild,
  cursor,
  opencode,
  ohMyPi,
  anyhook, // last: so it sees what the others made of the event
] as const;

export type DialectName = (typeof ALL)[number]['name'];
export const DIALECTS: readonly Dialect[] = ALL.map(withSafeReaders);
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
