/**
 * Races of agents that try, retry, rewrite and give up, users who answer, and processes that end. No call may run that was not approved
 * in exactly its form, and no approval may be used twice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { Approver, type HoldLimits } from '../../src/approvals/approver.ts';
import { type AnswerKind, ANSWER_KINDS, type UserAnswer } from '../../src/approvals/question.ts';
import { ApprovalStore } from '../../src/approvals/store.ts';
import { DEFAULT_APPROVALS } from '../../src/events/approval-settings.ts';
import type { Event } from '../../src/events/event.ts';
import { type Ruling, silentOutcome } from '../../src/events/outcome.ts';
import { MemorySessionStore } from '../../src/sessions/store.ts';
import { figure } from './figures.ts';

const RACES = 10_000;
const AT_ONCE = 100;

const folder = mkdtempSync(join(tmpdir(), 'anyhook-approval-races-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Repeatable: a failing run can be run again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Trace {
  /** What the user approved: the call that the question showed, by the hash of the answer. */
  readonly approved: { readonly hash: string; readonly shown: string; readonly kind: AnswerKind }[];
  readonly passed: { readonly hash: string; readonly call: string; readonly kind: string }[];
}

/** Calls that ran without an approval of exactly that call, and approvals for one call that were used more than once. */
function violations({ approved, passed }: Trace): {
  readonly unapproved: number;
  readonly usedTwice: number;
} {
  const unapproved = passed.filter(
    ({ hash, call }) =>
      !approved.some((one) => one.hash === hash && one.shown === call && one.kind !== 'refuse'),
  );
  const count = (list: readonly { hash: string; kind: string }[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { hash, kind } of list) if (kind === 'once') counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return counts;
  };
  const given = count(approved);
  const usedTwice = [...count(passed)].filter(([hash, times]) => times > (given.get(hash) ?? 0));
  return { unapproved: unapproved.length, usedTwice: usedTwice.length };
}

/** The store under test; a broken one is the control. */
type MakeStore = (folder: string) => ApprovalStore;

async function race(name: string, races: number, makeStore: MakeStore): Promise<Trace> {
  const place = join(folder, name);
  const random = randomFrom(races + name.length);
  const trace: Trace = { approved: [], passed: [] };
  const sessions = new MemorySessionStore();
  let left = races;
  let isOver = false;

  async function agent(): Promise<void> {
    while (left-- > 0) {
      const call = JSON.stringify({ command: `git push ${random(6)}` });
      const stop = new AbortController();
      // Now and then the process that waits is gone, or the whole daemon, of which only the files remain.
      if (random(8) === 0) setTimeout(() => stop.abort(), random(30)).unref();
      const approver = approverOn(makeStore(place));
      const event = eventOf(call, `s${random(3)}`);
      const limits: HoldLimits = {
        untilMs: performance.now() + 5 + random(random(10) === 0 ? 400 : 30),
        signal: stop.signal,
        waitingPid: undefined,
        agentPid: undefined,
      };
      const ruling = await approver.settle(asking(event), event, limits, async (approved) => approved);
      if (ruling.verdict === 'allow') {
        const { hash = '', kind = '' } = ruling.approval ?? {};
        trace.passed.push({ hash, call: JSON.stringify((ruling.payload as { input: object }).input), kind });
      }
    }
  }

  const approverOn = (store: ApprovalStore): Approver =>
    new Approver({
      store,
      settings: { ...DEFAULT_APPROVALS, waitUnseen: true },
      agent: 'codex',
      project: '/p',
      notify: async () => ({ sent: 1, failed: [] }),
      canAllow: () => true,
      isAsked: ({ verdict }) => verdict === 'ask',
      describe: ({ by, text }) => ({ by, hook: by, text, isManaged: false }),
      sessions,
    });

  /** Answers what is open, often twice or with the id of another question. */
  async function user(): Promise<void> {
    const store = makeStore(place);
    while (!isOver) {
      const open = store.list();
      const question = open[random(open.length)];
      if (question !== undefined) {
        const kind = random(20) === 0 ? ANSWER_KINDS[1 + random(2)]! : 'once';
        const { hash } = random(10) === 0 ? open[random(open.length)]! : question;
        const shown = open.find((one) => one.hash === hash)!.call;
        const answer: UserAnswer = {
          hash,
          kind,
          answeredAt: new Date().toISOString(),
          where: 'test',
          who: 'ana',
        };
        // Written down first: the call may run before `give` returns.
        const note = { hash, shown, kind };
        trace.approved.push(note);
        if (store.give(answer) !== 'answered') trace.approved.splice(trace.approved.indexOf(note), 1);
        // A session approval would let everything pass from then on; a refusal would end the races of that call.
        if (kind !== 'once') setTimeout(() => store.withdraw(hash), 20).unref();
      }
      await delay(random(3));
    }
  }

  const users = [user(), user(), user()];
  await Promise.all(Array.from({ length: AT_ONCE }, agent));
  isOver = true;
  await Promise.all(users);
  return trace;
}

function eventOf(call: string, session: string): Event {
  const payload = { tool: 'shell', input: JSON.parse(call) as object };
  return {
    name: 'tool.before',
    payload,
    ids: { session },
    scene: { cwd: '/p' },
    round: 1,
  } as unknown as Event;
}
/** Half of the calls were changed by a hook before the question. */
function asking(event: Event): Ruling {
  return {
    ...silentOutcome(event),
    verdict: 'ask',
    reasons: [{ by: 'guard', text: 'sure?' }],
  };
}

describe('approvals in races', () => {
  test('no call runs without an approval of exactly that call, and no approval is used twice', async () => {
    const trace = await race('real', RACES, (place) => new ApprovalStore(place));
    const { unapproved, usedTwice } = violations(trace);
    figure('approvals', 'races in which a call ran without its approval', unapproved, RACES);
    figure('approvals', 'races in which an approval was used twice', usedTwice, RACES);
    expect([unapproved, usedTwice]).toEqual([0, 0]);
    expect(trace.passed.length).toBeGreaterThan(500);
  });

  test('control: a store that hands out an approval twice is found', async () => {
    class Forgetful extends ApprovalStore {
      override consume(hash: string): UserAnswer | undefined {
        return this.answer(hash);
      }
    }
    const { usedTwice } = violations(await race('twice', 500, (place) => new Forgetful(place)));
    expect(usedTwice).toBeGreaterThan(0);
  });

  test('control: a store that mixes up two questions is found', async () => {
    class Careless extends ApprovalStore {
      override answer(hash: string): UserAnswer | undefined {
        const own = super.answer(hash);
        return own ?? (this.question(hash) === undefined ? undefined : anyAnswer(hash));
      }
      override consume(hash: string): UserAnswer | undefined {
        return super.consume(hash) ?? anyAnswer(hash);
      }
    }
    const anyAnswer = (hash: string): UserAnswer => ({
      hash,
      kind: 'once',
      answeredAt: '',
      where: '',
      who: '',
    });
    const { unapproved } = violations(await race('mixed', 500, (place) => new Careless(place)));
    expect(unapproved).toBeGreaterThan(0);
  });
});
