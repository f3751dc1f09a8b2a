/** Converts the exit code of an Opta hook, and with `"protocol": "json"` its output, to effects. */

import { diff, isPlain } from '../../../events/changes.ts';
import { readFencedJson } from '../../../events/document.ts';
import {
  type Effect,
  tightens,
  allow,
  ask,
  context,
  deny,
  type Fields,
  type EffectOf,
  resume,
} from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { rowOf } from '../../../events/events.ts';
import type { ExitReply, Reply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { changesIn } from '../../../events/lexicon.ts';
import type { Answer, Outcome } from '../../../events/outcome.ts';
import { marksOf, readBroken, readPrintout, unreadable } from '../../../events/printout.ts';
import { tools } from './tools.ts';

const OPTA_GAVE_NO_REASON = 'blocked by an Opta hook without a reason';

/** The effect of a refusal on this event; null if it cannot be refused. */
function optaRefusal(event: Event, reason = OPTA_GAVE_NO_REASON): EffectOf<'deny' | 'resume'> | null {
  const { effects } = rowOf(event.name);
  return effects.includes('deny') ? deny(reason) : effects.includes('resume') ? resume(reason) : null;
}

/**
 * Section 9: `{ decision?, reason?, updatedInput?, additionalContext? }`. Strict, because a misread guard protects
 * nothing.
 */
const KEYS = ['decision', 'reason', 'updatedInput', 'additionalContext'];

/** Reads a model's judgement: `{ ok, reason? }`, or a decision with its reason. It can only decide. */
function readOptaJudgement(body: string, event: Event): Answer {
  const document = readFencedJson(body);
  if (!document.ok) return unreadable(`the model's answer is not JSON: ${document.why}`);
  if (!isPlain(document.value)) return unreadable("the model's answer is not an object");
  const { ok, decision, reason, ...rest } = document.value;
  const [odd] = Object.keys(rest);
  if (odd !== undefined)
    return unreadable(`unknown key '${odd}' in the judgement; known are ok, decision, reason`);
  if ((ok === undefined) === (decision === undefined))
    return unreadable("a judgement needs either 'ok' or 'decision'");
  if (ok !== undefined && typeof ok !== 'boolean') return unreadable("'ok' is not true or false");
  const decided = ok === undefined ? { decision } : ok ? {} : { decision: 'deny' };
  return readOptaAnswer({ ...decided, ...(reason !== undefined && { reason }) }, event);
}

function readOptaAnswer(fields: Record<string, unknown>, event: Event): Answer {
  const odd = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (odd !== undefined) return unreadable(`unknown key '${odd}'; known are ${KEYS.join(', ')}`);
  const { decision, reason, updatedInput, additionalContext } = fields;
  if (reason !== undefined && typeof reason !== 'string') return unreadable("'reason' is not a string");
  const effects: Effect[] = [];
  if (decision === 'deny') effects.push(optaRefusal(event, reason) ?? deny(reason));
  else if (decision === 'ask') effects.push(ask(reason));
  else if (decision === 'allow') effects.push(allow(reason));
  else if (decision !== undefined)
    return unreadable(`decision ${JSON.stringify(decision)}; known are allow, deny, ask`);
  if (updatedInput !== undefined) {
    if (!isPlain(updatedInput)) return unreadable("'updatedInput' is not an object");
    effects.push(...changesOf(updatedInput, event));
  }
  if (additionalContext !== undefined) {
    if (typeof additionalContext !== 'string') return unreadable("'additionalContext' is not a string");
    effects.push(context(additionalContext));
  }
  return { effects };
}

/** Tool arguments are replaced as a whole; on other events only the named fields. */
const changesOf = (updated: Record<string, unknown>, event: Event) =>
  'tool' in event.payload
    ? changesIn(tools, event, updated)
    : Object.keys(updated).flatMap((key) => diff(key, (event.payload as Fields)[key], updated[key]));

export const output = { read, write };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  if (reply.kind === 'answered') return readOptaJudgement(reply.body, event);
  if (reply.kind === 'broken')
    return readBroken(reply, (ended) => (isJson(hook) ? fromStdout(ended, event) : SILENT));
  if (reply.kind !== 'exited') return unreadable(`a ${reply.kind} reply`);
  const { stdout, stderr, notes } = reply;
  const printed = [stdout, stderr].filter(Boolean).join('\n');
  return {
    ...both(fromExit(reply, event), isJson(hook) ? fromStdout(reply, event) : SILENT),
    ...(printed !== '' && { printed }),
    ...(notes && { notes }),
  };
}

const SILENT: Answer = { effects: [] };
const isJson = ({ extra }: Hook): boolean => extra?.['protocol'] === 'json';

/** A refusal by exit code always stands. An approval next to it, or next to a failure, does not. */
function both(ended: Answer, document: Answer): Answer {
  if (ended.effects.length > 0) return { effects: [...ended.effects, ...document.effects.filter(isNoVote)] };
  if (ended.failed === undefined) return document;
  return {
    ...document,
    effects: document.effects.filter(({ kind }) => kind !== 'allow'),
    failed: ended.failed,
  };
}
const isNoVote = ({ kind }: Effect) => kind === 'context' || kind === 'set';

/** Exit codes of a shell that could not find or run the program. Not an answer, but a guard must still refuse. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/** Any exit code but 0 refuses, and makes an agent continue that wants to stop. */
function fromExit({ code, stderr }: ExitReply, event: Event): Answer {
  if (code === 0) return SILENT;
  const no = optaRefusal(event, stderr.trim() || undefined);
  if (no === null || (no.kind === 'resume' && NOT_RUN.has(code)))
    return { effects: [], failed: { kind: 'failed', detail: `exit ${code}` } };
  return { effects: [no] };
}

/** Section 9: the whole stdout is one answer or none. Anything else can only tighten. */
function fromStdout({ stdout, notes }: ExitReply, event: Event): Answer {
  const printout = readPrintout(stdout, { keys: ['decision'] }, marksOf(notes));
  if (printout.kind === 'nothing') return SILENT;
  if (printout.kind === 'document') return readOptaAnswer(printout.value, event);
  const answers = printout.kind === 'text' ? [] : printout.answers;
  const why = printout.kind === 'unsure' ? printout.why : 'the answer is not a single JSON object';
  return {
    ...unreadable(why),
    effects: answers.flatMap((answer) => readOptaAnswer(answer, event).effects.filter(tightens)),
  };
}

/** Writes an outcome for an Opta agent: exit code and stderr, which all versions read, and the JSON of version 4. */
function write(outcome: Outcome, event: Event): Reply {
  const { verdict, reason } = outcome;
  const isRefused = outcome.proceed === 'no';
  const decision = isRefused ? 'deny' : verdict;
  const contextText = outcome.forModel.join('\n');
  const answer = {
    ...(decision !== 'none' && { decision }),
    ...(reason && { reason }),
    ...(outcome.changed.length > 0 && { updatedInput: updatedInput(outcome, event) }),
    ...(contextText !== '' && { additionalContext: contextText }),
  };
  return {
    kind: 'exited',
    code: isRefused ? 1 : 0,
    stdout: Object.keys(answer).length === 0 ? '' : JSON.stringify(answer),
    stderr: isRefused ? reason : '',
  };
}

/** The complete tool arguments; on other events the changed fields. */
export const updatedInput = ({ payload, changed }: Outcome, event: Event): unknown => {
  if ('tool' in event.payload) return payload['input'];
  const fields = changed.map(({ at }) => at.split('.')[0]!);
  return Object.fromEntries(fields.map((field) => [field, payload[field]]));
};
