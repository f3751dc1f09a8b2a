/** The layers around the hooks of every event, outermost first. */

import { BY_USER } from '../approvals/answer-kind.ts';
import { lower } from '../engine/lower.ts';
import { concernsQuestions, followQuestion } from '../engine/open-questions.ts';
import type { Capabilities } from '../events/capabilities.ts';
import type { Event } from '../events/event.ts';
import { type Ruling, silentOutcome } from '../events/outcome.ts';
import { decides } from '../events/roles.ts';
import { announcesEnd, Resumes } from '../sessions/resumes.ts';
import type { SessionStore } from '../sessions/store.ts';
import { inHostWords, isNamed } from './event-of.ts';
import type { FireCall, FireLayer } from './fire-through.ts';
import type { Histories } from './histories.ts';
import type { LateTexts } from './late-texts.ts';
import type { Nesting } from './nesting.ts';
import type { Opening } from './opening.ts';
import { questionsIn } from './question-store.ts';
import type { Refusals } from './refusals.ts';
import type { makeStrayErrors } from './stray-errors.ts';

export interface LayerParts {
  readonly opening: Opening;
  readonly isPaused: () => boolean;
  readonly announce: (ruling: Ruling, call: FireCall) => Ruling;
  readonly can: Capabilities;
  readonly store: SessionStore;
  readonly lateTexts: LateTexts;
  readonly strayErrors: ReturnType<typeof makeStrayErrors>;
  readonly nesting: Nesting;
  readonly histories: Histories;
  readonly refusals: Refusals;
}

export const fireLayers = (parts: LayerParts): readonly FireLayer[] => [
  {
    name: 'words: the host gets the outcome in its own',
    after: (ruling, { event }) => inHostWords(ruling, event),
  },
  closedLayer(parts),
  recordLayer(parts),
  {
    name: 'announcements: the user is notified of changes to guards',
    after: parts.announce,
  },
  {
    name: 'lowering: what this host cannot do is refused or reported',
    after: (ruling, { event }) => lower(ruling, event, parts.can),
  },
  {
    name: 'long texts: a preview goes on, the whole text is in a file',
    after: (ruling) => (ruling.said.length === 0 ? ruling : parts.opening.state.shorten(ruling)),
  },
  {
    name: 'late texts: background hooks and stray errors are reported with the next event that can carry them',
    after: (ruling, { event }) => parts.strayErrors.join(parts.lateTexts.join(ruling, event), event),
  },
  resumeLayer(parts),
  questionLayer(parts),
  {
    name: 'calls: one that does not name its tool matches no guard',
    before: ({ event }) =>
      isNamed(event) || !decides(event.name) || parts.isPaused()
        ? undefined
        : unansweredRuling(event, 'the call names no tool (payload.tool must be a string)'),
  },
  nestingLayer(parts),
  {
    name: 'pause: the user has switched hooks off for a while',
    before(call) {
      call.isPaused = parts.isPaused();
      return undefined;
    },
    after: (ruling, { isPaused }) => (isPaused ? { ...ruling, paused: true } : ruling),
  },
];

const closedLayer = ({ opening }: LayerParts): FireLayer => ({
  name: 'closed: no hook is called any more',
  before: ({ event }) => (opening.isClosed ? unansweredRuling(event, 'the hooks are closed') : undefined),
});

const recordLayer = ({ opening, histories, refusals }: LayerParts): FireLayer => ({
  name: 'records: what is returned is what was written down',
  before(call) {
    call.startedMs = performance.now();
    return undefined;
  },
  after(ruling, { event, startedMs }) {
    const kept = opening.state.records?.keep(event, ruling, performance.now() - startedMs) ?? ruling;
    histories.note(event, kept);
    refusals.note(event, kept);
    return kept;
  },
});

function resumeLayer({ store }: LayerParts): FireLayer {
  const resumes = new Resumes(store);
  return {
    name: 'resumes: a blocked stop is flagged, and passed on only so often',
    before(call) {
      if (announcesEnd(call.event.name)) call.event = resumes.flag(call.event);
      return undefined;
    },
    after: (ruling, { event }) => resumes.cap(ruling, event),
  };
}

/** Only the user answers if no hook listens to the permission event or the host does not fire it. */
function questionLayer({ store, opening, can }: LayerParts): FireLayer {
  const questions = questionsIn(store);
  return {
    name: 'questions: what a hook asks is answered by the user or by an approver of theirs',
    after: (ruling, { event }) =>
      concernsQuestions(event.name) &&
      can['tool.permission'] !== undefined &&
      opening.state.engine.wants('tool.permission')
        ? followQuestion(ruling, event, questions, [...opening.reading.approvers, BY_USER])
        : ruling,
  };
}

const nestingLayer = ({ nesting }: LayerParts): FireLayer => ({
  name: 'nesting: no hook waits for itself, none fires without end',
  before({ input, event }) {
    const why = nesting.enter(input);
    return why === '' ? undefined : unansweredRuling(event, why);
  },
  after(ruling, { input }) {
    nesting.leave(input);
    return ruling;
  },
  failed: ({ input }) => nesting.leave(input),
});

/** No hook could be called. That is not consent: refuses where the event can be refused, and reports elsewhere. */
export function unansweredRuling(event: Event, why: string): Ruling {
  const silence = silentOutcome(event);
  if (!decides(event.name)) return { ...silence, lost: [`no hook was called: ${why}`] };
  return { ...silence, verdict: 'deny', reasons: [{ by: 'host', text: why, broken: true }] };
}
