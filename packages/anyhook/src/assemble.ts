/** The one file that names every dialect: a new agent is one folder and one line. */
import type { Dialect } from './canon/dialect.ts';
import { EVENT_NAMES, type EventName } from './canon/events.ts';
import type { Hook } from './canon/hook.ts';
import { nearest, type Problem } from './canon/problems.ts';
import type { ToolColumn } from './canon/tools.ts';
import { anyhook } from './dialects/anyhook/index.ts';
import { claudeAgentSdk } from './dialects/claude-agent-sdk/index.ts';
import { claudeCode } from './dialects/claude-code/index.ts';
import { furtherTools } from './dialects/further-tools.ts';
import { codex } from './dialects/codex/index.ts';
import { cursor } from './dialects/cursor/index.ts';
import { copilotCli } from './dialects/copilot-cli/index.ts';
import { geminiCli } from './dialects/gemini-cli/index.ts';
import { goose } from './dialects/goose/index.ts';
import { grokBuild } from './dialects/grok-build/index.ts';
import { kimiCode } from './dialects/kimi-code/index.ts';
import { ohMyPi } from './dialects/oh-my-pi/index.ts';
import { opencode } from './dialects/opencode/index.ts';
import { opta } from './dialects/opta/index.ts';
import { qwenCode } from './dialects/qwen-code/index.ts';
import { withSafeReaders } from './canon/safe-readers.ts';

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
