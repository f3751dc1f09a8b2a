/** Decides whether a call may run, and with what input. Hooks run first; rules and the user judge the final input. */

import type { Fields, Outcome } from 'anyhook';
import { changedIn, giftsIn, refusedFor } from '../hooks/outcomes.ts';
import type { Call } from '../hooks/wire.ts';
import type { AgentTool } from '../tools/tool.ts';
import { isRule, judge, type Mode, ruleFor } from './rules.ts';
import type { Talk } from './talk.ts';

/** The caller: a conversation, or a judge that inspects the project. */
export type Asking = Pick<Talk, 'life' | 'who' | 'signal' | 'listen'>;

export type Approval =
  | {
      readonly kind: 'approved';
      readonly input: Fields;
      readonly changed: readonly string[];
      readonly contexts: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly input: Fields; readonly halt?: string };

export async function approve(talk: Asking, tool: AgentTool, call: Call): Promise<Approval> {
  const { wire } = talk.life;
  const before = await wire.toolBefore(talk.who, call);
  const stopped = refusal(before, call);
  if (stopped !== undefined) return stopped;
  const input = before.payload.input;
  const changed = changedIn(before);
  const faults = faultsIn(tool, input);
  if (faults !== undefined)
    return {
      kind: 'refused',
      input,
      reason: `${changed.length > 0 ? 'a hook made the input of the call invalid' : 'the input is invalid'}: ${faults}`,
    };
  const final: Call = { ...call, input };
  const answer = await consent(talk, tool, final, before);
  return answer.kind === 'refused'
    ? answer
    : { ...answer, changed: [...new Set([...changed, ...answer.changed])], contexts: before.forModel };
}

type Consent =
  | Extract<Approval, { kind: 'refused' }>
  | { readonly kind: 'approved'; readonly input: Fields; readonly changed: readonly string[] };

async function consent(talk: Asking, tool: AgentTool, call: Call, before: Outcome): Promise<Consent> {
  const { life, who } = talk;
  const verdict = judged(talk, call);
  if (verdict.mode === 'deny') return denied(call, verdict.rule);
  const isAsked = before.proceed === 'ask';
  // The approval of a hook replaces the usual question, but not a rule that the user wrote.
  const isApproved = verdict.mode === 'allow' || (before.verdict === 'allow' && verdict.rule === undefined);
  if (isApproved && !isAsked) return { kind: 'approved', input: call.input, changed: [] };

  const rule = ruleFor(call.tool, call.input);
  const title = titleOf(call);
  const asked = await life.wire.toolPermission(who, { ...call, title, pattern: rule, suggestions: [rule] });
  const stopped = refusal(asked, call);
  if (stopped !== undefined) return stopped;
  const final: Call = { ...call, input: asked.payload.input };
  const changed = changedIn(asked);
  const reasons = [
    ...textsOf(before),
    ...textsOf(asked),
    ...(verdict.mode === 'ask' && verdict.rule !== undefined ? [`your rule ${verdict.rule}`] : []),
  ];
  if (changed.length > 0) {
    const again = await judgedAgain(talk, final, call);
    if (again !== undefined) return again;
  } else if (asked.proceed === 'yes') {
    keepRules(talk, asked);
    return { kind: 'approved', input: final.input, changed };
  }
  return person(talk, tool, final, {
    title: titleOf(final),
    reasons,
    changed: [...changedIn(before), ...changed],
  });
}

/**
 * A hook changed the call during the permission question. Guards and rules judge the new form; a further change is
 * refused.
 */
async function judgedAgain(talk: Asking, final: Call, call: Call): Promise<Consent | undefined> {
  const tool = talk.life.tools().find(({ name }) => name === call.tool);
  const faults = tool && faultsIn(tool, final.input);
  if (faults !== undefined)
    return {
      kind: 'refused',
      input: final.input,
      reason: `a hook made the input of the call invalid: ${faults}`,
    };
  const { mode, rule } = judged(talk, final);
  if (mode === 'deny') return denied(final, rule);
  const again = await talk.life.wire.toolBefore(talk.who, final);
  if (again.changed.length > 0)
    return { kind: 'refused', input: final.input, reason: 'hooks do not agree on what should run' };
  return refusal(again, final);
}

async function person(
  talk: Asking,
  tool: AgentTool,
  call: Call,
  about: { readonly title: string; readonly reasons: readonly string[]; readonly changed: readonly string[] },
): Promise<Consent> {
  const { life, who, signal } = talk;
  const refused = (reason: string): Consent => ({ kind: 'refused', reason, input: call.input });
  const why = about.reasons.length > 0 ? ` (${about.reasons.join('; ')})` : '';
  if (!life.person.isThere)
    return refused(
      `it needs the user's consent, but there is no user to ask${why}. Allow it by a rule (permission.allow: ["${ruleFor(call.tool, call.input)}"]), or run with --permission allow.`,
    );
  const diff = await tool.preview?.(call.input, { cwd: life.cwd, signal }).catch(() => undefined); // The call itself reports the reason.
  if (diff !== undefined) talk.listen({ kind: 'tool-preview', call: call.id, diff });
  await life.wire.notification(who, 'permission_prompt', `The agent asks for permission: ${about.title}`);
  const rule = ruleFor(call.tool, call.input);
  const answer = await life.person.permit({ tool: call.tool, input: call.input, rule, ...about }, signal);
  if (signal.aborted) return refused('it was interrupted');
  if (answer === 'deny') return refused(`the user refused${why}`);
  if (typeof answer === 'object') return refused(`the user refused${why}: ${answer.no}`);
  if (answer === 'always') life.rules.allow.push(rule);
  await life.wire.other(who, 'permission.replied', { call: call.id, reply: answer });
  return { kind: 'approved', input: call.input, changed: [] };
}

function judged({ life }: Asking, { tool, input }: Call) {
  const { permission } = life.settings;
  return judge(
    {
      ...permission,
      allow: [...permission.allow, ...life.rules.allow],
      ask: [...permission.ask, ...life.rules.ask],
      deny: [...permission.deny, ...life.rules.deny],
    },
    { tool, input, cwd: life.cwd },
  );
}

/** Adds the rules that came with the approval of a hook, for this session only, and notifies the user of each. */
function keepRules({ life, listen }: Asking, outcome: Outcome): void {
  const given = giftsIn(outcome, 'rules') as readonly Partial<Record<Mode, readonly string[]>>[]; // The event table validates the shape.
  for (const rules of given)
    for (const mode of ['allow', 'ask', 'deny'] as const)
      for (const rule of rules[mode] ?? []) {
        const isOne = isRule(rule);
        if (isOne) life.rules[mode].push(rule);
        const text = isOne ? 'a hook added a rule for this session' : 'a hook returned an invalid rule';
        listen({ kind: 'notice', level: isOne ? 'info' : 'warning', text: `${text}: ${mode} ${rule}` });
      }
}

function refusal(outcome: Outcome, { input }: Call): Extract<Approval, { kind: 'refused' }> | undefined {
  const { halt } = outcome.flow;
  const reason = refusedFor(outcome);
  if (reason === undefined) return undefined;
  return { kind: 'refused', reason, input, ...(halt !== undefined && { halt: halt || reason }) };
}
const denied = ({ input }: Call, rule: string | undefined): Extract<Approval, { kind: 'refused' }> => ({
  kind: 'refused',
  input,
  reason:
    rule === undefined
      ? 'this session runs nothing that needs consent (permission mode: deny)'
      : `the rule ${rule} forbids it`,
});
const textsOf = ({ reasons }: Outcome): string[] =>
  reasons.map(({ text }) => text).filter((text) => text !== '');

function faultsIn(tool: AgentTool, input: unknown): string | undefined {
  const read = tool.schema.safeParse(input);
  return read.success
    ? undefined
    : read.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ');
}

/** Returns one line for the permission question: the tool and its main argument. */
export function titleOf({ tool, input }: Pick<Call, 'tool' | 'input'>): string {
  const subject =
    input['command'] ?? input['path'] ?? input['url'] ?? input['pattern'] ?? input['description'];
  return `${tool}: ${typeof subject === 'string' ? subject : JSON.stringify(input)}`;
}
