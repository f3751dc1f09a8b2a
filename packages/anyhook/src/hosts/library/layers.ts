/**
 * What happens around every fire, outermost first: `before` goes down the list, then hooks are asked, `after` goes up.
 * Where nobody listens no layer is entered; where no hook says anything, those are that do not rest.
 */
import type { Capabilities } from '../../canon/capabilities.ts';
import type { Event, EventInput } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Ruling } from '../../canon/outcome.ts';
import { decides } from '../../canon/roles.ts';
import { isNothingSaid, nothingSaid } from '../../engine/synchronous.ts';
import { lower } from '../../engine/lower.ts';
import { announcesEnd, type makeResumes } from '../../assembly/resumes.ts';
import { concernsQuestions, followQuestion, type QuestionStore } from '../../engine/open-questions.ts';
import type { makeLate } from './late.ts';
import { inHostWords, isCall, isNamed } from './event-of.ts';
import type { Nesting } from './nesting.ts';
import type { State } from './open-state.ts';
import type { makeStrayErrors } from './stray-errors.ts';
import type { FireLayer } from './through-layers.ts';

export interface FireSurroundings {
  readonly state: () => State;
  readonly isClosed: () => boolean;
  readonly isPaused: () => boolean;
  readonly announce: (ruling: Ruling, event: Event, input: EventInput) => Ruling;
  /** There is nothing to announce with this event. */
  readonly announcesNothing: (name: EventName) => boolean;
  readonly can: Capabilities;
  readonly late: ReturnType<typeof makeLate>;
  readonly strayErrors: ReturnType<typeof makeStrayErrors>;
  readonly resumes: ReturnType<typeof makeResumes>;
  readonly questions: QuestionStore;
  /** Ids of the hooks that the user lets answer the questions of other hooks. */
  readonly approvers: () => readonly string[];
  readonly nesting: Nesting;
}

export const fireLayers = (around: FireSurroundings): readonly FireLayer[] => {
  const { state, isClosed, isPaused, announce, announcesNothing, can, late, strayErrors, resumes, nesting } =
    around;
  /** Without hooks on the permission event, or in a host that does not fire it, nothing but the user answers. */
  const canBeAnswered = (name: EventName): boolean =>
    concernsQuestions(name) &&
    can['tool.permission'] !== undefined &&
    state().engine.wants('tool.permission');
  return [
    {
      name: 'words: the host gets the outcome in its own',
      after: (outcome, { event }) => inHostWords(outcome, event),
      rests: (name) => !isCall(name),
    },
    {
      name: 'closed: nothing is asked any more',
      before: ({ event }) => (isClosed() ? unansweredRuling(event, 'the hooks are closed') : undefined),
      rests: () => !isClosed(),
    },
    {
      name: 'records: what is returned is what was written down',
      before(call) {
        if (state().records !== undefined) call.startedMs = performance.now();
        return undefined;
      },
      after: (outcome, { event, startedMs }) =>
        state().records?.keep(event, outcome, performance.now() - startedMs) ?? outcome,
      rests: () => state().records === undefined,
    },
    {
      name: 'announcements: what was done with the guards meanwhile is said to the person',
      after: (outcome, { event, input }) => announce(outcome, event, input),
      rests: announcesNothing,
    },
    {
      name: 'lowering: what this host cannot do is refused or said',
      after: (outcome, { event }) => (isNothingSaid(outcome) ? outcome : lower(outcome, event, can)),
      rests: () => true,
    },
    {
      name: 'long texts: a preview goes on, the whole lies in a file',
      after: (outcome) => (outcome.said.length === 0 ? outcome : state().shorten(outcome)),
      rests: () => true,
    },
    {
      name: 'late: background hooks and stray errors are heard with the next event that takes them',
      after: (outcome, { event }) => strayErrors.join(late.join(outcome, event), event),
      rests: () => late.isNothingWaiting() && strayErrors.isNothingUnsaid(),
    },
    {
      name: 'resumes: a blocked stop is flagged, and passed on only so often',
      before(call) {
        call.event = resumes.flag(call.event);
        return undefined;
      },
      after: (outcome, { event }) => resumes.cap(outcome, event),
      rests: (name) => !announcesEnd(name),
    },
    {
      name: 'questions: what a hook asks is answered by the user or by an approver of theirs',
      after: (outcome, { event }) =>
        canBeAnswered(event.name)
          ? followQuestion(outcome, event, around.questions, around.approvers())
          : outcome,
      rests: (name) => !canBeAnswered(name),
    },
    {
      name: 'calls: one that does not name its tool is known to no guard as its own',
      before: ({ event }) =>
        isNamed(event) || isPaused()
          ? undefined
          : unansweredRuling(event, 'the call does not say which tool it is about (payload.tool, a text)'),
      rests: (name) => !(isCall(name) && decides(name)),
    },
    {
      name: 'nesting: no hook waits for itself, none fires without end',
      before({ input, event }) {
        const why = nesting.enter(input);
        return why === '' ? undefined : unansweredRuling(event, why);
      },
      after(outcome, { input }) {
        nesting.leave(input);
        return outcome;
      },
      failed: ({ input }) => nesting.leave(input),
    },
    {
      name: 'pause: the person has switched hooks off for a while',
      before(call) {
        call.isPaused = isPaused();
        return undefined;
      },
      after: (outcome, call) => (call.isPaused ? { ...outcome, paused: true } : outcome),
      rests: () => !isPaused(),
    },
  ];
};

/** For who looks everything up anew at each event. */
export const neverResting = (layers: readonly FireLayer[]): readonly FireLayer[] =>
  layers.map(({ rests: _rests, ...layer }) => layer);

/** No hook could be asked. That is no consent: refused where something can be refused, and said where nothing can. */
export function unansweredRuling(event: Event, why: string): Ruling {
  const silence = nothingSaid(event);
  if (!decides(event.name)) return { ...silence, lost: [`no hook was asked: ${why}`] };
  return { ...silence, verdict: 'deny', reasons: [{ by: 'host', text: why, broken: true }] };
}
