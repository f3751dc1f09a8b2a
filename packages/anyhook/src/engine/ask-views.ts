/**
 * Runs one hook on its views of an event. If the views are several acts of one call, their answers are
 * combined into one answer about the call.
 */

import { withAct } from '../events/acts.ts';
import { apply, diff } from '../events/changes.ts';
import type { Change, Effect, Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { Answer } from '../events/outcome.ts';
import { answerUnjudged, askHook, refusalBy, type FireLimits } from './ask.ts';
import { fitOf, isOpaque, opaquePolicy } from './fit.ts';
import type { Parts } from './parts.ts';
import type { Group } from './plan.ts';
import type { HookAnswer } from './tally.ts';
import type { EventView } from './views.ts';

export const askViews = (
  hook: Hook,
  group: Group,
  sight: EventView,
  views: readonly Event[],
  parts: Parts,
  terms: FireLimits,
): HookAnswer | Promise<HookAnswer> =>
  views[0] === sight.whole
    ? askView(hook, group, sight.whole!, parts, terms)
    : askActs(hook, group, sight, views, parts, terms);

async function askActs(
  hook: Hook,
  group: Group,
  sight: EventView,
  views: readonly Event[],
  parts: Parts,
  terms: FireLimits,
): Promise<HookAnswer> {
  const asked: HookAnswer[] = [];
  for (const view of views) {
    const result = await askView(hook, group, view, parts, terms);
    asked.push(result);
    if (result.answer.effects.some(({ kind }) => kind === 'deny')) break; // refuses the whole call
  }
  const shown = (sight.whole?.payload ?? views[0]!.payload) as Fields;
  return {
    hook,
    knownAs: group.knownAs,
    shown,
    answer: aboutTheCall(asked, sight, views),
    ms: asked.reduce((sum, { ms }) => sum + ms, 0),
    failedOpen: asked.some(({ failedOpen }) => failedOpen),
  };
}

/** If the matcher cannot tell whether the hook applies, the hook's `opaque` policy decides instead. */
function askView(
  hook: Hook,
  { dialect }: Group,
  view: Event,
  parts: Parts,
  terms: FireLimits,
): HookAnswer | Promise<HookAnswer> {
  const policy = hook.when === undefined ? 'run' : opaquePolicy(hook, dialect);
  if (policy === 'run') return askHook(hook, dialect, view, parts, terms);
  const fit = fitOf(hook, view);
  return isOpaque(fit)
    ? answerUnjudged(hook, policy, view, fit.opaque)
    : askHook(hook, dialect, view, parts, terms);
}

function aboutTheCall(asked: readonly HookAnswer[], sight: EventView, views: readonly Event[]): Answer {
  const effects = asked.flatMap(({ answer }) => answer.effects);
  const approvals = asked.flatMap(({ answer }) => answer.effects.find(({ kind }) => kind === 'allow') ?? []);
  const failed = asked.find(({ answer }) => answer.failed !== undefined)?.answer.failed;
  const notes = asked.find(({ answer }) => answer.notes !== undefined)?.answer.notes;
  const printed = asked.flatMap(({ answer }) => answer.printed ?? []).join('\n');
  return {
    effects: [
      // The call is approved only if each of its acts is.
      ...(approvals.length === sight.acts.length ? approvals.slice(0, 1) : []),
      ...effects.filter((effect) => effect.kind !== 'allow' && !isOfInput(effect)),
      ...changesOf(asked, sight, views),
    ],
    ...(failed && { failed }),
    ...(notes && { notes }),
    ...(printed && { printed }),
  };
}

/**
 * Turns changes of single acts into changes of the whole call. A change that the call cannot express becomes
 * a question or a refusal.
 */
function changesOf(
  asked: readonly HookAnswer[],
  { acts, payload }: EventView,
  views: readonly Event[],
): Effect[] {
  let call = payload;
  for (const [i, { answer, knownAs, hook, shown }] of asked.entries()) {
    const changes = answer.effects.filter(isOfInput);
    if (changes.length === 0) continue;
    const { input } = apply(shown, changes) as { input: Fields };
    const next = withAct(call, acts.indexOf(views[i]!), input);
    if (next === null) {
      const kind = refusalBy('ask', knownAs);
      const reason = `${hook.id} changes one part of the call in a way that the call cannot express`;
      return kind === null ? [] : [{ kind, reason }];
    }
    call = { ...call, input: next };
  }
  return diff('input', payload['input'], call['input']);
}

const isOfInput = (effect: Effect): effect is Change => effect.kind === 'set' && effect.at[0] === 'input';
