/**
 * Writes an outcome for Claude Code. A refusal is written twice, as JSON and exit 2, except where exit 2 has no effect.
 */

import { isPlain, same } from '../../../events/changes.ts';
import type { Fields, Gift } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply } from '../../../events/exchange.ts';
import type { GiftValue } from '../../../events/gifts.ts';
import { type Outcome, wasChanged } from '../../../events/outcome.ts';
import type { OutputField } from './event-row.ts';
import { type ClaudeWord, claudeEvent, isClaudeWord } from './events.ts';
import { words } from './names.ts';
import { updatesFrom } from './permission-update.ts';
import { updatedOutput } from './tool-response.ts';

export function writeClaudeReply(outcome: Outcome, event: Event): ExitReply {
  const word = wordOf(event);
  if (word === undefined) return refusedPlainly(outcome);
  const reason = refusalIn(outcome, word);
  const specific = specificOf(outcome, event, word);
  const { flow } = outcome;
  const notices = outcome.forPerson.join('\n');
  const answer = {
    ...(flow.halt !== undefined && { continue: false, ...(flow.halt !== '' && { stopReason: flow.halt }) }),
    ...(reason !== undefined &&
      claudeEvent(word).decides &&
      word !== 'PreToolUse' && { decision: 'block', reason }),
    ...(notices !== '' && claudeEvent(word).message === undefined && { systemMessage: notices }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: word, ...specific } }),
  };
  const isJsonOnly =
    claudeEvent(word).fields.includes('decision') || claudeEvent(word).fields.includes('action');
  const isExit2 = reason !== undefined && !isJsonOnly;
  return {
    kind: 'exited',
    code: isExit2 ? 2 : 0,
    stdout: worktreePath(specific) ?? (Object.keys(answer).length === 0 ? '' : `${JSON.stringify(answer)}\n`),
    stderr: isExit2 ? `${reason}\n` : '',
    ...(claudeEvent(word).envFile && exportedIn(outcome)),
  };
}

/** Lines for the file in CLAUDE_ENV_FILE. */
function exportedIn({ given }: Outcome): Pick<ExitReply, 'exported'> {
  const all = given.flatMap(({ what, value }) => (what === 'environment' ? [value as Variables] : []));
  return all.length === 0 ? {} : { exported: Object.assign({}, ...all) as Variables };
}
type Variables = NonNullable<ExitReply['exported']>;

/** The native event name, or the first one for our event. */
function wordOf({ name, payload, raw }: Event): ClaudeWord | undefined {
  const native = isPlain(raw) ? raw['hook_event_name'] : undefined;
  if (isClaudeWord(native)) return native;
  if (name !== 'other') return words[name]?.[0];
  const { word } = payload as { word?: unknown };
  return isClaudeWord(word) ? word : undefined;
}

/** For events newer than our table: exit 2 refuses on every event that can be refused. */
function refusedPlainly(outcome: Outcome): ExitReply {
  const isRefused = outcome.proceed === 'no';
  return {
    kind: 'exited',
    code: isRefused ? 2 : 0,
    stdout: '',
    stderr: isRefused ? `${outcome.reason}\n` : '',
  };
}

/** Returns the reason for exit 2, if any. A `halt` alone is `continue: false`. */
function refusalIn(outcome: Outcome, word: ClaudeWord): string | undefined {
  const { proceed, reason, verdict, flow } = outcome;
  const isRefused = verdict === 'deny' || flow.cancel !== undefined || flow.resume !== undefined;
  if (proceed === 'no' && isRefused) return reason;
  return claudeEvent(word).block === 'halt' ? flow.halt || undefined : undefined;
}

function specificOf(outcome: Outcome, event: Event, word: ClaudeWord): Fields {
  const own: readonly OutputField[] = claudeEvent(word).fields;
  const made = own.flatMap((field) => {
    const value = WRITERS[field]?.(outcome, event, word);
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(made);
}

type Writer = (outcome: Outcome, event: Event, word: ClaudeWord) => unknown;
const fromBody =
  (field: OutputField): Writer =>
  ({ payload }, event) => {
    const [before, after] = [bodyOf(event.payload as Fields), bodyOf(payload)];
    return same(before[field], after[field]) ? undefined : after[field];
  };
const bodyOf = ({ body }: Fields): Fields => (isPlain(body) ? body : {});
const gift =
  (what: Gift): Writer =>
  (outcome) => {
    const value = outcome.gift(what);
    return typeof value === 'string' ? value : undefined;
  };

const WRITERS: Partial<Readonly<Record<OutputField, Writer>>> = {
  permissionDecision: ({ verdict }) => (verdict === 'none' ? undefined : verdict),
  permissionDecisionReason: ({ verdict, reason }) => (verdict === 'none' ? undefined : reason || undefined),
  updatedInput: (outcome) =>
    outcome.verdict !== 'deny' && wasChanged(outcome, 'input') ? outcome.payload['input'] : undefined,
  // On a stop, context would be a reason to continue.
  additionalContext: (outcome, _, word) =>
    (claudeEvent(word).block !== 'resume' && outcome.forModel.join('\n')) || undefined,
  decision: (outcome) => decision(outcome),
  retry: ({ flow }) => (flow.retry === undefined ? undefined : true),
  updatedToolOutput: (outcome, event) =>
    wasChanged(outcome, 'content') || wasChanged(outcome, 'details')
      ? updatedOutput(outcome.payload, event)
      : undefined,
  sessionTitle: gift('title'),
  initialUserMessage: gift('message'),
  watchPaths: fromBody('watchPaths'),
  action: (outcome, event, word) => {
    const action = fromBody('action')(outcome, event, word);
    return outcome.verdict === 'deny' && (action === undefined || action === 'accept') ? 'decline' : action;
  },
  content: fromBody('content'),
  worktreePath: fromBody('worktreePath'),
  displayContent: fromBody('displayContent'),
};

/** A question is written as no answer, because Claude Code then asks the user. */
function decision(outcome: Outcome): Fields | undefined {
  const { verdict, reason, flow } = outcome;
  if (verdict === 'deny')
    return {
      behavior: 'deny',
      message: reason,
      ...(flow.halt !== undefined && { interrupt: true }),
    };
  if (verdict !== 'allow') return undefined;
  const rules = outcome.given.flatMap(({ what, value }) =>
    what === 'rules' ? updatesFrom(value as GiftValue<'rules'>) : [],
  );
  return {
    behavior: 'allow',
    ...(wasChanged(outcome, 'input') && { updatedInput: outcome.payload['input'] }),
    ...(rules.length > 0 && { updatedPermissions: rules }),
  };
}

/** A command that creates a worktree prints only its path. */
const worktreePath = ({ worktreePath: path }: Fields): string | undefined =>
  typeof path === 'string' ? `${path}\n` : undefined;
