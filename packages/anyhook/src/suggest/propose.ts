/** Proposes entries for the user's `hooks.json` from recorded commands. */

import type { AllowedCommand } from '../events/approval-settings.ts';
import { BUILT_IN } from '../events/hook.ts';
import { DANGER_NAMES, judgeCommand } from '../shell/danger/index.ts';
import { isPlainShape } from '../shell/plain-command.ts';
import type { CommandFate, RecordedCommand } from './evidence.ts';

export interface CommandEvidence {
  readonly count: number;
  readonly sessions: number;
  readonly agents: readonly string[];
  /** The first and the last record, UTC. */
  readonly first: string;
  readonly last: string;
}
export interface GuardEntry {
  readonly name: string;
  readonly match: string;
  readonly limit: { readonly times: 0 };
  /** Missing: refuse. */
  readonly verdict?: 'ask';
  readonly reason: string;
}
export type Proposal =
  | { readonly kind: 'allow'; readonly entry: AllowedCommand; readonly evidence: CommandEvidence }
  | { readonly kind: 'guard' | 'question'; readonly entry: GuardEntry; readonly evidence: CommandEvidence };

/** A command that was asked about and is not proposed, and why not. */
export interface AskedCommand {
  readonly command: string;
  readonly why: string;
  readonly evidence: CommandEvidence;
}
export interface Proposals {
  readonly proposals: readonly Proposal[];
  readonly asked: readonly AskedCommand[];
}

const WITHOUT_QUESTION: ReadonlySet<CommandFate> = new Set(['ran', 'denied', 'undone']);

export function propose(commands: readonly RecordedCommand[], least: number): Proposals {
  const proposals: Proposal[] = [];
  const asked: AskedCommand[] = [];
  for (const [, group] of groupsOf(commands, ({ exact, folder }) => JSON.stringify([exact, folder]))) {
    const questions = group.filter(({ fate }) => !WITHOUT_QUESTION.has(fate));
    if (questions.length < least) continue;
    const [{ exact, folder }] = group as [RecordedCommand];
    const why = whyNotAllowed(group, exact, folder);
    const evidence = evidenceOf(questions);
    if (why === undefined)
      proposals.push({ kind: 'allow', entry: { command: exact, project: folder }, evidence });
    else asked.push({ command: exact, why, evidence });
  }
  for (const [shape, group] of groupsOf(commands, ({ shape: key }) => key)) {
    const undone = group.filter(({ fate }) => fate === 'undone');
    // One that was kept shows that the command is not wrong in itself.
    const isUndoneEachTime = group.every(({ fate }) => fate !== 'ran' && fate !== 'approved');
    if (undone.length >= least && isUndoneEachTime && isPlainShape(shape))
      proposals.push({ kind: 'question', entry: questionOf(shape), evidence: evidenceOf(undone) });
    const refusals = group.filter(isWorthGuard);
    // A guard would also refuse what was allowed to run.
    const hasRun = group.some(({ fate }) => fate === 'ran' || fate === 'approved' || fate === 'undone');
    if (refusals.length < least || hasRun) continue;
    // A program alone would refuse too much.
    if (shape.includes(' ') && isPlainShape(shape))
      proposals.push({ kind: 'guard', entry: guardOf(shape), evidence: evidenceOf(refusals) });
  }
  return { proposals, asked };
}

/** Refused by the user, or by a hook that has to run a program or a model for it. A matcher already is such a guard. */
const isWorthGuard = ({ fate, record }: RecordedCommand): boolean => {
  if (fate === 'refused') return true;
  if (fate !== 'denied') return false;
  const deciding = record.reasons.filter(({ broken }) => broken !== true).map(({ by }) => by);
  return record.hooks.some(
    ({ hook: { id, way, file = '', matcher = '' } }) =>
      deciding.includes(id) && way !== 'rule' && file !== BUILT_IN && !/shell\(|danger:/.test(matcher),
  );
};

/** Only an unbroken row of the user's own approvals, of a command that no preset finds dangerous. */
function whyNotAllowed(group: readonly RecordedCommand[], exact: string, folder: string): string | undefined {
  if (group.some(({ fate }) => fate === 'refused')) return 'it was also refused';
  if (group.some(({ fate }) => fate === 'undone')) return 'it was undone at other times';
  if (group.some(({ fate }) => fate === 'denied')) return 'hooks refused it at other times';
  if (group.some(({ fate }) => fate === 'open')) return 'not every question was answered';
  const [program = ''] = exact.split(' ');
  if (NEVER_FOR_GOOD.test(program)) return `${program} is never allowed for good`;
  const danger = DANGER_NAMES.find((name) => judgeCommand(name, exact, folder).kind !== 'clear');
  return danger === undefined ? undefined : `danger:${danger} matches it`;
}

/** Programs that delete, act as another user, send data away, or run a file that may be another one next time. */
const NEVER_FOR_GOOD =
  /\/|^(?:rm|rmdir|unlink|shred|dd|mkfs.*|truncate|sudo|su|doas|pkexec|chmod|chown|p?kill|killall|eval|exec|source|\.|env|xargs|find|ssh|scp|rsync|curl|wget|nc|(?:ba|z|da|k|c|tc|fi)?sh|pwsh|python[\d.]*|node|deno|bun|tsx|npx|bunx|uvx|ruby|perl|php|docker|kubectl)$/;

const questionOf = (shape: string): GuardEntry => ({
  name: `ask-${nameOf(shape)}`,
  match: `shell(${shape}*)`,
  limit: { times: 0 },
  verdict: 'ask',
  reason: `${shape} was undone each time`,
});
const nameOf = (shape: string): string =>
  shape
    .replaceAll(/[^\w]+/g, '-')
    .replace(/-+$/, '')
    .toLowerCase();
const guardOf = (shape: string): GuardEntry => ({
  name: `no-${nameOf(shape)}`,
  match: `shell(${shape}*)`,
  limit: { times: 0 },
  reason: `${shape} was refused each time`,
});

function evidenceOf(commands: readonly RecordedCommand[]): CommandEvidence {
  const times = commands.map(({ record }) => record.at).toSorted();
  return {
    count: commands.length,
    sessions: new Set(commands.map(({ record }) => record.ids.session)).size,
    agents: [...new Set(commands.map(({ record }) => record.host.name))].toSorted(),
    first: times[0]!,
    last: times.at(-1)!,
  };
}

function groupsOf<T>(list: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
