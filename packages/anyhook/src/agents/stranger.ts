/** An agent that has no folder here: what a person says of it, and what a probe has measured. */
import { join } from 'node:path';
import { type DialectName, DIALECTS } from '../dialects.ts';
import { analyseShell } from '../shell/analyse.ts';
import { type Capabilities, type Grades, onlyRefusals } from '../events/capabilities.ts';
import { type AgentName, AGENTS } from './index.ts';
import type { Agent, OwnHooks } from './shared/agent.ts';
import { type CapabilityCell, CELLS } from './shared/cells.ts';
import { UNKNOWN_ROUTES } from './shared/side-routes.ts';

export interface StrangeAgent {
  readonly name: string;
  /** The agent whose settings and whose words its own are like. */
  readonly like: AgentName;
  /** The file of its settings in which hooks stand; `~` is the home folder. */
  readonly into: string;
  /** A line for `sh` that starts it without a terminal, about `$PROMPT` and the model at `$MODEL_URL`. */
  readonly start?: string;
  readonly measured?: Measurement;
}
export interface Measurement {
  /** Of the agent; undefined where it does not tell. */
  readonly version?: string;
  /** The day, as `2026-11-16`. */
  readonly on: string;
  readonly cells: CellsSeen;
}
/** Which of the watched effects were seen to happen. */
export type CellsSeen = Readonly<Record<CapabilityCell, boolean>>;

/** As complete as any other record, with nothing in it that is only true of the agent that it is like. */
export function agentLike({ name, like, into, start, measured }: StrangeAgent): Agent {
  const known: Agent = AGENTS[like];
  return {
    ...known,
    name,
    shown: name,
    program: { ...known.program, name: programIn(start) ?? name, npm: null, places: [] },
    seen: measured?.version === undefined ? [] : [{ version: measured.version, on: measured.on }],
    can: canLike(known.can, measured?.cells),
    unseen: {},
    failure: 'nobody has seen what it does then; the wrapped entry refuses where its exit code 2 does',
    nextSteps: [],
    notes: notesOf(name, measured),
    ownHooks: ownHooksIn(into),
    projectHooks: 'unknown',
    neverFires: null,
    sessionVariable: null,
    sideRoutes: UNKNOWN_ROUTES,
    tellsSubagents: null,
    bridge: (where) => [{ ...known.bridge(where).at(-1)!, file: settingsFileOf(into, where.home) }], // the one that starts us
    managed: null,
    trust: null,
    mcp: null,
    guarded: () => [],
    unhookedBy: [],
  };
}

export const settingsFileOf = (into: string, home: string): string =>
  into.startsWith('~/') ? join(home, into.slice(2)) : into;

/** Before it was measured: refusals, and nothing else. After that: what was seen, and of the rest the refusals. */
function canLike(can: Capabilities, cells: CellsSeen | undefined): Capabilities {
  const believed = onlyRefusals(can);
  if (cells === undefined) return believed;
  const seen: Record<string, Grades> = { ...believed };
  for (const cell of CELLS) {
    const [event, kind] = cell.split(' ') as [keyof Capabilities, keyof Grades]; // as every cell is written
    const { [kind]: _, ...rest } = seen[event] ?? {};
    const grade = (can[event] as Grades | undefined)?.[kind];
    seen[event] = cells[cell] && grade !== undefined ? { ...rest, [kind]: grade } : rest;
  }
  return seen;
}

/**
 * The program that a command line starts: `cd x && KEY=1 strange -p "$PROMPT"` starts `strange`. Undefined for an
 * interpreter or a package runner, whose version is not the agent's.
 */
function programIn(start: string | undefined): string | undefined {
  if (start === undefined) return undefined;
  const names = analyseShell(start).acts.map(({ words }) => words[0]);
  const program = names.find((word) => word !== undefined && !BEFORE_PROGRAM.test(word.value));
  return program?.fixed === true && !RUNNERS.test(program.value) ? program.value : undefined;
}
const BEFORE_PROGRAM = /^(?:cd|export|env|set|umask|exec|nice|nohup|timeout|mkdir|unset|true|:|\[|test)$/;
const RUNNERS =
  /(?:^|\/)(?:node|bun|bunx|deno|python[\d.]*|uv|uvx|npx|npm|pnpm|yarn|sh|bash|zsh|docker|podman|ruby|java)$/;

/** What stands in its own file it runs by itself, whoever else would read that file. */
const ownHooksIn = (into: string): readonly OwnHooks[] =>
  DIALECTS.map(({ name }): OwnHooks => `${name as DialectName}@/${into.replace(/^~?\//, '')}`);

const notesOf = (name: string, measured: Measurement | undefined): string[] => [
  measured === undefined
    ? `Nobody has seen ${name}: until it is measured it is only believed to refuse, and a hook that wants more is refused or named in the journal. To measure it: anyhook doctor --probe ${name}`
    : `What it can do was measured on ${measured.on}${measured.version === undefined ? '' : `, in ${measured.version}`}; of the rest it is only believed to refuse.`,
];
