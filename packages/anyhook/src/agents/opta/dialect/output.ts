/** What an Opta hook means by how it ends; with `"protocol": "json"` also by what it prints. */
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
import type { ExitReply, Reply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer, Outcome } from '../../../events/outcome.ts';
import { marksOf, readBroken, readPrintout, unreadable } from '../../../events/printout.ts';
import { diff, isPlain } from '../../../events/changes.ts';
import { readFencedJson } from '../../../events/document.ts';
import { changesIn } from '../../../events/lexicon.ts';
import { tools } from './tools.ts';
import { rowOf } from '../../../events/events.ts';

const OPTA_GAVE_NO_REASON = 'blocked by an Opta hook that gave no reason';

/** What a "no" is on this event; null where there is nothing left to refuse. */
function optaRefusal(event: Event, reason = OPTA_GAVE_NO_REASON): EffectOf<'deny' | 'resume'> | null {
  const { effects } = rowOf(event.name);
  return effects.includes('deny') ? deny(reason) : effects.includes('resume') ? resume(reason) : null;
}

/** Section 9: `{ decision?, reason?, updatedInput?, additionalContext? }`. Strict: a guard misunderstood is no guard. */
const KEYS = ['decision', 'reason', 'updatedInput', 'additionalContext'];

/** A model's judgement: `{ ok, reason? }`, or a decision with its reason. It decides, and nothing besides. */
function readOptaJudgement(body: string, event: Event): Answer {
  const document = readFencedJson(body);
  if (!document.ok) return unreadable(`the model's answer is no JSON: ${document.why}`);
  if (!isPlain(document.value)) return unreadable("the model's answer is no object");
  const { ok, decision, reason, ...rest } = document.value;
  const [odd] = Object.keys(rest);
  if (odd !== undefined) return unreadable(`a judgement has no '${odd}'; known are ok, decision, reason`);
  if ((ok === undefined) === (decision === undefined))
    return unreadable("a judgement has either 'ok' or 'decision'");
  if (ok !== undefined && typeof ok !== 'boolean') return unreadable("'ok' is neither true nor false");
  const said = ok === undefined ? { decision } : ok ? {} : { decision: 'deny' };
  return readOptaAnswer({ ...said, ...(reason !== undefined && { reason }) }, event);
}

function readOptaAnswer(said: Record<string, unknown>, event: Event): Answer {
  const odd = Object.keys(said).find((key) => !KEYS.includes(key));
  if (odd !== undefined) return unreadable(`unknown key '${odd}'; known are ${KEYS.join(', ')}`);
  const { decision, reason, updatedInput, additionalContext } = said;
  if (reason !== undefined && typeof reason !== 'string') return unreadable("'reason' is no text");
  const effects: Effect[] = [];
  if (decision === 'deny') effects.push(optaRefusal(event, reason) ?? deny(reason));
  else if (decision === 'ask') effects.push(ask(reason));
  else if (decision === 'allow') effects.push(allow(reason));
  else if (decision !== undefined)
    return unreadable(`decision ${JSON.stringify(decision)}; known are allow, deny, ask`);
  if (updatedInput !== undefined) {
    if (!isPlain(updatedInput)) return unreadable("'updatedInput' is no object");
    effects.push(...changesOf(updatedInput, event));
  }
  if (additionalContext !== undefined) {
    if (typeof additionalContext !== 'string') return unreadable("'additionalContext' is no text");
    effects.push(context(additionalContext));
  }
  return { effects };
}

/** A tool's arguments are replaced as a whole; of another event the fields that are named. */
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

/** A refusal by exit code stands whatever the text says; an approval beside it, or beside a failure, does not. */
function both(ended: Answer, said: Answer): Answer {
  if (ended.effects.length > 0) return { effects: [...ended.effects, ...said.effects.filter(isNoVote)] };
  if (ended.failed === undefined) return said;
  return { ...said, effects: said.effects.filter(({ kind }) => kind !== 'allow'), failed: ended.failed };
}
const isNoVote = ({ kind }: Effect) => kind === 'context' || kind === 'set';

/** A shell's way to say that it found no program, or none it may run: no answer, though it must still hold a gate shut. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/** Any exit but 0 refuses where something can be refused, and makes the agent go on where it wants to stop. */
function fromExit({ code, stderr }: ExitReply, event: Event): Answer {
  if (code === 0) return SILENT;
  const no = optaRefusal(event, stderr.trim() || undefined);
  if (no === null || (no.kind === 'resume' && NOT_RUN.has(code)))
    return { effects: [], failed: { kind: 'failed', detail: `exit ${code}` } };
  return { effects: [no] };
}

/** Section 9: the whole of stdout is one answer, or there is none; what else stands there can only tighten. */
function fromStdout({ stdout, notes }: ExitReply, event: Event): Answer {
  const printout = readPrintout(stdout, { keys: ['decision'] }, marksOf(notes));
  if (printout.kind === 'nothing') return SILENT;
  if (printout.kind === 'document') return readOptaAnswer(printout.value, event);
  const answers = printout.kind === 'text' ? [] : printout.answers;
  const why = printout.kind === 'unsure' ? printout.why : 'the answer is no JSON object, and nothing besides';
  return {
    ...unreadable(why),
    effects: answers.flatMap((answer) => readOptaAnswer(answer, event).effects.filter(tightens)),
  };
}

/** For an Opta agent: the exit code and stderr it has always read, and the fourth version's JSON beside them. */
function write(outcome: Outcome, event: Event): Reply {
  const { verdict, reason } = outcome;
  const isRefused = outcome.proceed === 'no';
  const decision = isRefused ? 'deny' : verdict;
  const told = outcome.forModel.join('\n');
  const answer = {
    ...(decision !== 'none' && { decision }),
    ...(reason && { reason }),
    ...(outcome.changed.length > 0 && { updatedInput: updatedInput(outcome, event) }),
    ...(told !== '' && { additionalContext: told }),
  };
  return {
    kind: 'exited',
    code: isRefused ? 1 : 0,
    stdout: Object.keys(answer).length === 0 ? '' : JSON.stringify(answer),
    stderr: isRefused ? reason : '',
  };
}

/** A tool's arguments, whole; of another event the fields that were changed. */
export const updatedInput = ({ payload, changed }: Outcome, event: Event): unknown => {
  if ('tool' in event.payload) return payload['input'];
  const fields = changed.map(({ at }) => at.split('.')[0]!);
  return Object.fromEntries(fields.map((field) => [field, payload[field]]));
};
