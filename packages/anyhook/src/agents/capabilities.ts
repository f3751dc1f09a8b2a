/**
 * What each agent does with each effect of each event it fires, with its version. Some of it is watched in real runs by
 * the client suite (`CELLS`), the rest is from the agents' documents and sources. Used where an outcome is lowered, by
 * `test` and `doctor`, and printed in docs/compatibility.md. An effect that is not listed is lost, and said; an event
 * that is not listed never fires there.
 */
import type { Capabilities, Grade, Grades } from '../canon/capabilities.ts';
import type { EffectKind } from '../canon/effects.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../canon/events.ts';
import { can as claudeCode } from '../dialects/claude-code/can.ts';
import { can as codex } from '../dialects/codex/can.ts';
import { can as geminiCli } from '../dialects/gemini-cli/can.ts';

export interface Sheet {
  /** As people call it. */
  readonly shown: string;
  readonly version: string;
  /** When the watched cells were last seen to be so, in a real run of that version. */
  readonly measured: string;
  readonly can: Capabilities;
  /** Watched cells that no run without a terminal can show, and why. */
  readonly unseen?: Partial<Readonly<Record<Cell, string>>>;
  /** What becomes of a tool call when our bridge is missing, breaks or is too slow there. */
  readonly failure: string;
  /** What a person should know besides. */
  readonly notes: readonly string[];
}

/** What the client suite watches in every agent. */
export const CELLS = [
  'session.start context',
  'prompt.submit deny',
  'prompt.submit context',
  'tool.before deny',
  'tool.before set',
  'tool.before context',
  'tool.after set',
  'tool.after context',
  'turn.stop resume',
] as const satisfies readonly `${EventName} ${EffectKind}`[];
export type Cell = (typeof CELLS)[number];

const REFUSE = { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } } as const;

const GOOSE: Capabilities = {
  'session.start': { notice: 'full' },
  'session.end': {},
  'prompt.submit': {},
  'tool.before': REFUSE,
  'tool.after': {},
  'tool.failed': {},
  'file.edited': {},
  'turn.stop': { resume: 'full' },
};
const OPENCODE: Capabilities = {
  'session.start': { notice: 'full' },
  'session.error': { notice: 'full' },
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, context: 'full', notice: 'full' },
  'command.before': { deny: 'full', notice: 'full' },
  'agent.idle': { notice: 'full' },
  'model.context': { set: 'full', notice: 'full' },
  'model.text': { set: 'full', notice: 'full' },
  'model.system': { set: 'full', notice: 'full' },
  'model.parameters': { set: 'full', notice: 'full' },
  'tool.before': { ...REFUSE, set: 'full', notice: 'full' },
  'tool.after': { set: 'full', context: 'full', notice: 'full' },
  'shell.env': { set: 'full', notice: 'full' },
  'file.edited': { notice: 'full' },
  'compaction.prompt': { set: 'full', notice: 'full' },
  'compaction.after': { notice: 'full' },
};
/** What pi and oh-my-pi have in common. */
const PI: Capabilities = {
  'session.start': { context: 'full', notice: 'full' },
  'session.end': { notice: 'full' },
  'session.switching': { cancel: 'full', notice: 'full' },
  'prompt.submit': {
    deny: 'full',
    ask: { as: 'deny' },
    set: 'full',
    context: 'full',
    notice: 'full',
  },
  'agent.before': { give: 'full', notice: 'full' },
  'agent.start': { notice: 'full' },
  'agent.end': { notice: 'full' },
  'turn.start': { notice: 'full' },
  'turn.end': { notice: 'full' },
  'turn.stop': { resume: 'full', notice: 'full' },
  'model.context': { set: 'full', notice: 'full' },
  'tool.before': { ...REFUSE, set: 'full', context: 'full', notice: 'full' },
  'tool.after': { set: 'full', context: 'full', notice: 'full' },
  'tool.failed': { context: 'full', notice: 'full' },
  'compaction.before': { cancel: 'full', give: 'full', notice: 'full' },
  'compaction.after': { notice: 'full' },
};

const MEASURED = '2026-11-16';

export const SHEETS = {
  'claude-code': {
    shown: 'Claude Code',
    version: '2.1.325',
    measured: MEASURED,
    can: claudeCode,
    failure: 'the wrapped entry refuses; "onFailure": "block" covers its time-out',
    notes: [],
  },
  codex: {
    shown: 'Codex CLI',
    version: '0.166.0',
    measured: MEASURED,
    can: codex,
    failure: 'the wrapped entry refuses; a time-out of Codex itself lets the call run',
    notes: [
      'Codex skips hooks it has not been told to trust, without a word in `codex exec`: review them at its next start.',
    ],
  },
  'gemini-cli': {
    shown: 'Gemini CLI',
    version: '0.61.0',
    measured: MEASURED,
    can: geminiCli,
    failure: 'the wrapped entry refuses; a time-out of Gemini itself lets the call run',
    notes: ['PreCompress is not bridged: Gemini fires it before every request to the model.'],
  },
  goose: {
    shown: 'Goose',
    version: '1.52.0',
    measured: MEASURED,
    can: GOOSE,
    failure: 'the wrapped entry refuses; "on_failure": "block" covers its time-out',
    notes: ['Goose shows the model nothing of what hooks say but a refusal, and prompts cannot be refused.'],
  },
  opencode: {
    shown: 'OpenCode',
    version: '1.18.33',
    measured: MEASURED,
    can: OPENCODE,
    failure: 'the plugin refuses; a plugin file that is gone lets the call run',
    notes: ['OpenCode never asks its permission hook, and a stop cannot be refused.'],
  },
  pi: {
    shown: 'pi',
    version: '0.87.1',
    measured: MEASURED,
    can: PI,
    failure: 'the extension refuses; an extension that cannot be read ends pi at its start',
    notes: ['pi skips the extensions of a project without a word, unless it is started with --approve.'],
  },
  'oh-my-pi': {
    shown: 'oh-my-pi',
    version: '18.2.3',
    measured: MEASURED,
    can: PI,
    failure: 'the extension refuses; an extension file that is gone lets the call run',
    unseen: {
      'prompt.submit deny': 'without a terminal it fires no event for the prompt',
      'prompt.submit context': 'without a terminal it fires no event for the prompt',
    },
    notes: ['Without a terminal (`omp -p`) oh-my-pi fires no event for the prompt.'],
  },
} as const satisfies Record<string, Sheet>;

export type AgentName = keyof typeof SHEETS;
export const AGENT_NAMES = Object.keys(SHEETS) as readonly AgentName[];
export const isAgentName = (name: string): name is AgentName => Object.hasOwn(SHEETS, name);
/** Undefined for an agent that was never measured: then its dialect's own word counts. */
export const sheetOf = (name: string): Sheet | undefined => (isAgentName(name) ? SHEETS[name] : undefined);

export function gradeOf({ can }: Sheet, cell: Cell): Grade | undefined {
  const [event, kind] = cell.split(' ') as [EventName, EffectKind]; // as every cell is written
  const grades: Grades | undefined = can[event];
  return grades?.[kind];
}
/** How it is known. */
export type From = 'seen' | 'documents';
const fromOf = ({ unseen = {} }: Sheet, cell: string): From =>
  CELLS.some((one) => one === cell) && !Object.hasOwn(unseen, cell) ? 'seen' : 'documents';

export type Standing = 'full' | 'as deny' | 'as notice' | 'lost';
const standing = (grade: Grade | undefined): Standing =>
  grade === undefined ? 'lost' : grade === 'full' ? 'full' : `as ${grade.as}`;

/** One row per event that the agent fires: what becomes of each effect that counts there. */
export function rowsOf(sheet: Sheet): readonly {
  readonly event: EventName;
  readonly effects: readonly {
    readonly kind: EffectKind;
    readonly standing: Standing;
    readonly from: From;
  }[];
}[] {
  return EVENT_NAMES.flatMap((event) => {
    const grades: Grades | undefined = sheet.can[event];
    if (grades === undefined) return [];
    const effects = rowOf(event).effects.map((kind) => ({
      kind,
      standing: standing(grades[kind]),
      from: fromOf(sheet, `${event} ${kind}`),
    }));
    return [{ event, effects }];
  });
}
