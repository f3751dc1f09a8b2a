/** Creates the record of an agent without built-in support, from the user's description and the results of a probe. */

import { join } from 'node:path';
import { type Capabilities, type Grades, onlyRefusals } from '../events/capabilities.ts';
import { analyseShell } from '../shell/analyse.ts';
import { type AgentName, AGENTS } from './index.ts';
import { DIALECT_NAMES } from './list.ts';
import type { Agent } from './shared/agent.ts';
import { type CapabilityCell, CELLS } from './shared/cells.ts';
import { UNKNOWN_ROUTES } from './shared/side-routes.ts';

export interface CustomAgent {
  readonly name: string;
  /** The agent whose settings and protocol it shares. */
  readonly like: AgentName;
  /** The settings file with its hooks; `~` is the home folder. */
  readonly into: string;
  /** An `sh` command that starts it without a terminal. It receives `$PROMPT` and the model URL in `$MODEL_URL`. */
  readonly start?: string;
  readonly measured?: Measurement;
}
export interface Measurement {
  /** The version of the agent; undefined if it does not report one. */
  readonly version?: string;
  /** The date, such as `2026-11-16`. */
  readonly on: string;
  readonly cells: CellsSeen;
}
/** The watched effects, and whether they were observed. */
export type CellsSeen = Readonly<Record<CapabilityCell, boolean>>;

/** Creates a complete record without values that only hold for the agent that it resembles. */
export function agentLike({ name, like, into, start, measured }: CustomAgent): Agent {
  const known: Agent = AGENTS[like];
  return {
    ...known,
    name,
    shown: name,
    program: { ...known.program, name: programIn(start) ?? name, npm: null, places: [] },
    seen: measured?.version === undefined ? [] : [{ version: measured.version, on: measured.on }],
    can: canLike(known.can, measured?.cells),
    unseen: {},
    failure: 'not tested; the wrapped entry refuses if the agent treats exit code 2 as a refusal',
    nextSteps: [],
    notes: notesOf(name, measured),
    ownHooks: ownHooksIn(into),
    projectHooks: 'unknown',
    neverFires: null,
    sessionVariable: null,
    versionField: null,
    sideRoutes: UNKNOWN_ROUTES,
    tellsSubagents: null,
    usage: null,
    bridge: (where) => [{ ...known.bridge(where).at(-1)!, file: settingsFileOf(into, where.home) }], // the piece that starts us
    managed: null,
    trust: null,
    mcp: null,
    guarded: () => [],
    unhookedBy: [],
  };
}

export const settingsFileOf = (into: string, home: string): string =>
  into.startsWith('~/') ? join(home, into.slice(2)) : into;

/** Before a probe: refusals only. After it: observed effects, and refusals for all others. */
function canLike(can: Capabilities, cells: CellsSeen | undefined): Capabilities {
  const believed = onlyRefusals(can);
  if (cells === undefined) return believed;
  const seen: Record<string, Grades> = { ...believed };
  for (const cell of CELLS) {
    const [event, kind] = cell.split(' ') as [keyof Capabilities, keyof Grades]; // every cell has this format
    const { [kind]: _, ...rest } = seen[event] ?? {};
    const grade = (can[event] as Grades | undefined)?.[kind];
    seen[event] = cells[cell] && grade !== undefined ? { ...rest, [kind]: grade } : rest;
  }
  return seen;
}

/**
 * Returns the program of a command line: `cd x && KEY=1 strange -p "$PROMPT"` starts `strange`. Undefined for an
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

/** It runs all hooks in its own file itself, even if other agents read that file too. */
const ownHooksIn = (into: string): readonly string[] =>
  DIALECT_NAMES.map((name) => `${name}@/${into.replace(/^~?\//, '')}`);

const notesOf = (name: string, measured: Measurement | undefined): string[] => [
  measured === undefined
    ? `${name} is untested: anyhook assumes that it can only refuse. A hook that needs more is refused or reported in the journal. To test it, run: anyhook doctor --probe ${name}`
    : `What it can do was measured on ${measured.on}${measured.version === undefined ? '' : `, in ${measured.version}`}; for everything else anyhook assumes that it can only refuse.`,
];
