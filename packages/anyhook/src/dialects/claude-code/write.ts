/** An outcome for Claude Code. A refusal is said twice, in JSON and by exit 2, except where exit 2 means nothing. */
import { isPlain, same } from '../../canon/changes.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Exited } from '../../canon/exchange.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { NO_REASON } from './block.ts';
import type { OutputField } from './event-row.ts';
import { type ClaudeWord, eventRow, isClaudeWord } from './events.ts';
import { words } from './names.ts';
import { updatedOutput } from './tool-response.ts';

export function write(outcome: Outcome, event: Event): Exited {
  const word = wordOf(event);
  if (word === undefined) return refusedPlainly(outcome);
  const reason = refusalIn(outcome, word);
  const specific = specificOf(outcome, event, word);
  const { flow } = outcome;
  const notices = textsTo(outcome, 'person');
  const answer = {
    ...(flow.halt !== undefined && { continue: false, ...(flow.halt !== '' && { stopReason: flow.halt }) }),
    ...(reason !== undefined &&
      eventRow(word).decides &&
      word !== 'PreToolUse' && { decision: 'block', reason }),
    ...(notices !== '' && eventRow(word).message === undefined && { systemMessage: notices }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: word, ...specific } }),
  };
  const isJsonOnly = eventRow(word).fields.includes('decision') || eventRow(word).fields.includes('action');
  const isExit2 = reason !== undefined && !isJsonOnly;
  return {
    kind: 'exited',
    code: isExit2 ? 2 : 0,
    stdout: worktreePath(specific) ?? (Object.keys(answer).length === 0 ? '' : `${JSON.stringify(answer)}\n`),
    stderr: isExit2 ? `${reason}\n` : '',
  };
}

/** The word it came with, or the first that stands for our moment. */
function wordOf({ name, payload, raw }: Event): ClaudeWord | undefined {
  const said = isPlain(raw) ? raw['hook_event_name'] : undefined;
  if (isClaudeWord(said)) return said;
  if (name !== 'other') return words[name]?.[0];
  const { word } = payload as { word?: unknown };
  return isClaudeWord(word) ? word : undefined;
}

/** An event that is newer than our table: exit 2 has been a refusal on every event that knows one. */
function refusedPlainly(outcome: Outcome): Exited {
  const isRefused = outcome.verdict === 'deny' || outcome.flow.resume !== undefined;
  return {
    kind: 'exited',
    code: isRefused ? 2 : 0,
    stdout: '',
    stderr: isRefused ? `${reasonsIn(outcome) || outcome.flow.resume || NO_REASON}\n` : '',
  };
}

/** Why exit 2, if at all. A `halt` on its own is `continue: false`. */
function refusalIn(outcome: Outcome, word: ClaudeWord): string | undefined {
  const { verdict, flow } = outcome;
  const said = verdict === 'deny' ? reasonsIn(outcome) : (flow.cancel ?? flow.resume);
  if (said !== undefined) return said || NO_REASON;
  return eventRow(word).block === 'halt' ? flow.halt || undefined : undefined;
}

function specificOf(outcome: Outcome, event: Event, word: ClaudeWord): Fields {
  const own: readonly OutputField[] = eventRow(word).fields;
  const made = own.flatMap((field) => {
    const value = WRITERS[field]?.(outcome, event, word);
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(made);
}

type Writer = (outcome: Outcome, event: Event, word: ClaudeWord) => unknown;
const changed = ({ changed: all }: Outcome, field: string) =>
  all.some(({ at }) => at === field || at.startsWith(`${field}.`));
const fromBody =
  (field: OutputField): Writer =>
  ({ payload }, event) => {
    const [before, after] = [bodyOf(event.payload as Fields), bodyOf(payload)];
    return same(before[field], after[field]) ? undefined : after[field];
  };
const bodyOf = ({ body }: Fields): Fields => (isPlain(body) ? body : {});
const gift =
  (what: string): Writer =>
  ({ given }) => {
    const value = given.findLast((one) => one.what === what)?.value;
    return typeof value === 'string' ? value : undefined;
  };

const WRITERS: Partial<Readonly<Record<OutputField, Writer>>> = {
  permissionDecision: ({ verdict }) => (verdict === 'none' ? undefined : verdict),
  permissionDecisionReason: (outcome) =>
    outcome.verdict === 'none'
      ? undefined
      : reasonsIn(outcome) || (outcome.verdict === 'deny' ? NO_REASON : undefined),
  updatedInput: (outcome) =>
    outcome.verdict !== 'deny' && changed(outcome, 'input') ? outcome.payload['input'] : undefined,
  // On a stop, context would be a reason to go on.
  additionalContext: (outcome, _, word) =>
    (eventRow(word).block !== 'resume' && textsTo(outcome, 'model')) || undefined,
  decision: (outcome) => decision(outcome),
  retry: ({ flow }) => (flow.retry === undefined ? undefined : true),
  updatedToolOutput: (outcome, event) =>
    changed(outcome, 'content') || changed(outcome, 'details')
      ? updatedOutput(outcome.payload, event)
      : undefined,
  sessionTitle: gift('title'),
  initialUserMessage: gift('message'),
  watchPaths: fromBody('watchPaths'),
  action: (outcome, event, word) => {
    const said = fromBody('action')(outcome, event, word);
    return outcome.verdict === 'deny' && (said === undefined || said === 'accept') ? 'decline' : said;
  },
  content: fromBody('content'),
  worktreePath: fromBody('worktreePath'),
  displayContent: fromBody('displayContent'),
};

/** To ask is to answer nothing: the person is about to be asked. */
function decision(outcome: Outcome): Fields | undefined {
  const { verdict, flow } = outcome;
  if (verdict === 'deny')
    return {
      behavior: 'deny',
      message: reasonsIn(outcome) || NO_REASON,
      ...(flow.halt !== undefined && { interrupt: true }),
    };
  if (verdict !== 'allow') return undefined;
  return { behavior: 'allow', ...(changed(outcome, 'input') && { updatedInput: outcome.payload['input'] }) };
}

/** A command that makes a worktree says its path, and nothing else. */
const worktreePath = ({ worktreePath: path }: Fields): string | undefined =>
  typeof path === 'string' ? `${path}\n` : undefined;

const reasonsIn = ({ reasons }: Outcome): string =>
  reasons
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n');
const textsTo = ({ said }: Outcome, whom: 'model' | 'person'): string =>
  said.flatMap(({ to, text }) => (to === whom ? text : [])).join('\n');
