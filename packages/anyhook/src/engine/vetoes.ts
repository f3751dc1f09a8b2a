/**
 * An approval never skips a veto. A hook that allows a call also skips the host's permission prompt, and with
 * it the hooks that would refuse there. This module runs those hooks on the approved call.
 */

import type { Event } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import { label } from '../events/hook.ts';
import type { Ruling } from '../events/outcome.ts';
import type { FireLimits } from './ask.ts';
import { fireEvent } from './fire.ts';
import type { Parts } from './parts.ts';
import type { Group, Plans } from './plan.ts';

/**
 * Returns the event whose hooks can veto an approval of `name`. A host without that event already runs its
 * hooks at `name`.
 */
export function vetoEvent(name: EventName, plans: Plans, { lacks = [] }: Parts): EventName | undefined {
  const { question } = rowOf(name);
  return question !== undefined && !lacks.includes(question) && plans.wants(question) ? question : undefined;
}

export async function withVetoes(
  approval: Ruling,
  event: Event,
  question: EventName,
  plans: Plans,
  parts: Parts,
  limits: FireLimits,
): Promise<Ruling> {
  const asked = { ...event, name: question, payload: approval.payload } as Event;
  const plan = plans.of(asked);
  const approvers = new Set(approval.reasons.map(({ by }) => by));
  const approvedIn = new Set(parts.hooks.filter(({ id }) => approvers.has(id)).map(({ dialect }) => dialect));
  const groups = plan?.groups.filter((group) => canVeto(group, approvedIn)) ?? [];
  if (plan === undefined || groups.length === 0) return approval;
  const nameOf = (id: string): string => {
    const hook = parts.hooks.find((one) => one.id === id);
    return hook === undefined ? id : label(hook);
  };
  return tightened(approval, await fireEvent(asked, { ...plan, groups }, plans, parts, limits), nameOf);
}

/** Hooks of a detached group only observe questions, and no question is shown to the user here. */
const canVeto = ({ dialect, sharing }: Group, approvedIn: ReadonlySet<string>): boolean =>
  sharing.order !== 'detached' && !(dialect.allowSkipsOwnQuestions === true && approvedIn.has(dialect.name));

function tightened(approval: Ruling, answer: Ruling, nameOf: (id: string) => string): Ruling {
  const runs = [...approval.runs, ...answer.runs];
  const notices = answer.said.filter(({ to }) => to === 'person');
  const isRefused = answer.verdict === 'deny' || answer.verdict === 'defer' || answer.flow.halt !== undefined;
  const isAsked = answer.verdict === 'ask' || answer.changed.length > 0;
  if (!isRefused && !isAsked) return { ...approval, runs, said: [...approval.said, ...notices] };
  return {
    ...approval,
    verdict: isRefused ? (answer.verdict === 'defer' ? 'defer' : 'deny') : 'ask',
    reasons: [...answer.reasons.filter(() => answer.verdict !== 'allow'), ...changeReasons(answer, nameOf)],
    voided: [...new Set([...approval.voided, ...approval.reasons.map(({ by }) => by)])],
    said: [...(isRefused ? approval.said.filter(({ to }) => to === 'person') : approval.said), ...notices],
    flow: { ...approval.flow, ...answer.flow },
    runs,
    aborted: approval.aborted || answer.aborted,
  };
}

/** The approval covers the call as it is. A later change needs a decision by the user. */
const changeReasons = ({ changed }: Ruling, nameOf: (id: string) => string): Ruling['reasons'] =>
  [...new Set(changed.map(({ by }) => by))].map((by) => ({
    by,
    text: `${nameOf(by)} wants to change the approved call`,
  }));
