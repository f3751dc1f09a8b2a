/** What an Opta hook means by how it ends; with `"protocol": "json"` also by what it prints. */
import { changesIn } from '../../canon/lexicon.ts';
import { diff, isPlain } from '../../canon/changes.ts';
import { readStrictJson } from '../../canon/document.ts';
import { allow, ask, context, deny, type Effect, type Fields, resume } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import { rowOf } from '../../canon/events.ts';
import type { Exited, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Answer, Outcome } from '../../canon/outcome.ts';
import { tools } from './tools.ts';

const KEYS = ['decision', 'reason', 'updatedInput', 'additionalContext'];
const REFUSED = 'blocked by an Opta hook that gave no reason';

export const output = { read, write };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  if (reply.kind === 'answered') return judged(reply.body, event);
  if (reply.kind !== 'exited')
    return { effects: [], failed: { kind: 'unreadable', detail: `a ${reply.kind} reply` } };
  const said = hook.extra?.['protocol'] === 'json' ? fromJson(reply.stdout, event) : { effects: [] };
  const ended = fromExit(reply, event);
  const printed = [reply.stdout, reply.stderr].filter(Boolean).join('\n');
  return {
    // A refusal by exit code stands whatever the text says; an approval beside it does not.
    effects: ended.effects.length > 0 ? [...ended.effects, ...said.effects.filter(isNoVote)] : said.effects,
    ...((ended.failed ?? said.failed) && { failed: (ended.failed ?? said.failed)! }),
    ...(printed !== '' && { printed }),
    ...(reply.notes && { notes: reply.notes }),
  };
}

/** Any exit but 0 refuses where something can be refused, and makes the agent go on where it wants to stop. */
function fromExit({ code, stderr }: Exited, event: Event): Answer {
  if (code === 0) return { effects: [] };
  const refusal = refuse(event, stderr.trim() || REFUSED);
  if (refusal !== null) return { effects: [refusal] };
  return { effects: [], failed: { kind: 'failed', detail: `exit ${code}` } };
}

const refuse = (event: Event, reason: string): Effect | null => {
  const { effects } = rowOf(event.name);
  return effects.includes('deny') ? deny(reason) : effects.includes('resume') ? resume(reason) : null;
};

/** Section 9: `{ decision?, reason?, updatedInput?, additionalContext? }`, whole stdout or nothing. */
function fromJson(stdout: string, event: Event): Answer {
  if (stdout.trim() === '') return { effects: [] };
  const document = readStrictJson(stdout);
  if (!document.ok) return unreadable(document.why);
  if (!isPlain(document.value)) return unreadable('the answer is no JSON object');
  return fromAnswer(document.value, event);
}

function fromAnswer(said: Record<string, unknown>, event: Event): Answer {
  const odd = Object.keys(said).find((key) => !KEYS.includes(key));
  if (odd !== undefined) return unreadable(`unknown key '${odd}'; known are ${KEYS.join(', ')}`);
  const { decision, reason, updatedInput, additionalContext } = said;
  if (reason !== undefined && typeof reason !== 'string') return unreadable("'reason' is no text");
  const effects: Effect[] = [];
  if (decision === 'deny') effects.push(refuse(event, reason ?? REFUSED) ?? deny(reason ?? REFUSED));
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

const changesOf = (updated: Record<string, unknown>, event: Event) =>
  'tool' in event.payload
    ? changesIn(tools, event, updated)
    : Object.keys(updated).flatMap((key) => diff(key, (event.payload as Fields)[key], updated[key]));

/** A model's judgement: the protocol's object, or `{ ok, reason }`. Anything else is no judgement. */
function judged(body: string, event: Event): Answer {
  const document = readStrictJson(body);
  if (!document.ok || !isPlain(document.value))
    return unreadable('the model did not answer with a JSON object');
  const { ok, reason, ...rest } = document.value;
  if (typeof ok !== 'boolean') return fromAnswer(document.value, event);
  const said = { ...rest, decision: ok ? undefined : 'deny', ...(typeof reason === 'string' && { reason }) };
  return fromAnswer(said, event);
}

const isNoVote = ({ kind }: Effect) => kind === 'context' || kind === 'set';
const unreadable = (detail: string): Answer => ({ effects: [], failed: { kind: 'unreadable', detail } });

/** For an Opta agent: the exit code and stderr it has always read, and the fourth version's JSON beside them. */
function write(outcome: Outcome, event: Event): Reply {
  const refused = outcome.verdict === 'deny' || outcome.flow.resume !== undefined;
  const reason =
    outcome.verdict === 'none'
      ? outcome.flow.resume
      : outcome.reasons
          .map((r) => r.text)
          .filter(Boolean)
          .join('\n');
  const decision = refused ? 'deny' : outcome.verdict === 'defer' ? 'ask' : outcome.verdict;
  const told = outcome.said.filter((s) => s.to === 'model').map((s) => s.text);
  const answer = {
    ...(decision !== 'none' && { decision }),
    ...(reason && { reason }),
    ...(outcome.changed.length > 0 && { updatedInput: updatedFor(outcome, event) }),
    ...(told.length > 0 && { additionalContext: told.join('\n') }),
  };
  return {
    kind: 'exited',
    code: refused ? 1 : 0,
    stdout: Object.keys(answer).length === 0 ? '' : JSON.stringify(answer),
    stderr: refused ? reason || REFUSED : '',
  };
}

const updatedFor = ({ payload, changed }: Outcome, event: Event): unknown =>
  'tool' in event.payload
    ? payload['input']
    : Object.fromEntries(changed.map(({ at }) => [at.split('.')[0]!, payload[at.split('.')[0]!]]));
