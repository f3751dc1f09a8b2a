/**
 * Races of agents that try, retry, rewrite and give up, users who answer, and processes that end. No call may run that was not approved
 * in exactly its form, and no approval may be used twice.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ANSWER_KINDS, type AnswerKind } from '../../src/approvals/answer-kind.ts';
import { Approver, type HoldLimits } from '../../src/approvals/approver.ts';
import { Pin, pinFileIn } from '../../src/approvals/pin.ts';
import type { UserAnswer } from '../../src/approvals/question.ts';
import { ApprovalStore } from '../../src/approvals/store.ts';
import { DEFAULT_APPROVALS } from '../../src/events/approval-settings.ts';
import type { Event } from '../../src/events/event.ts';
import { type Ruling, silentOutcome } from '../../src/events/outcome.ts';
import { foldersOf, locationsOf } from '../../src/gather/folders.ts';
import { MemorySessionStore } from '../../src/sessions/store.ts';
import { openView } from '../../src/view/open-view.ts';
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

/** What a program of the same machine, or a page of another site, may send to the view. Each should have had one more right thing. */
describe('the answer route of the view', () => {
  const HASH = 'a'.repeat(64);
  const body = JSON.stringify({ hash: HASH, kind: 'once' });

  async function opened(options: { readonly isUsers: boolean; readonly pin?: string }) {
    const home = mkdtempSync(join(folder, 'home-'));
    const view = await openView({ home, cwd: home, env: { HOME: home }, isUsers: options.isUsers });
    const folders = foldersOf(locationsOf({ home, cwd: home }));
    const store = new ApprovalStore(folders.approvals);
    const ask = (): void =>
      void store.ask({
        hash: HASH,
        nonce: 'n1',
        askedAt: new Date().toISOString(),
        expiresAt: new Date(Date.now() + 60_000).toISOString(),
        agent: 'codex',
        project: home,
        folder: home,
        session: 's',
        event: 'tool.before',
        call: '{}',
        changed: [],
        reasons: [],
      });
    if (options.pin !== undefined) new Pin(pinFileIn(folders.data)).set(options.pin);
    const [, origin = '', token = ''] = /^(.*)\/#([\w-]+)$/.exec(view.address) ?? [];
    return { view, store, ask, origin, token };
  }

  interface Sent {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: string;
  }

  function send(origin: string, own: Readonly<Record<string, string>>, sent: Sent): Promise<number> {
    const headers = Object.fromEntries(
      Object.entries({ ...own, ...sent.headers }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    return new Promise((resolve) => {
      const asked = request(
        `${origin}${sent.path ?? '/api/answer'}`,
        { method: sent.method ?? 'POST', headers },
        (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)),
      );
      asked.on('error', () => resolve(0)).end(sent.body ?? body);
    });
  }

  /** Without this header, or with each of these values. */
  const withHeader = (name: string, values: readonly (string | undefined)[]): Sent[] =>
    values.map((value) => ({ headers: { [name]: value } }));

  const hostile = (origin: string, token: string): readonly Sent[] => {
    const port = new URL(origin).port;
    return [
      ...withHeader('x-anyhook-token', [
        undefined,
        '',
        'x',
        token.slice(1),
        `${token}x`,
        token.toUpperCase(),
        'null',
      ]),
      ...withHeader('origin', [
        undefined,
        'null',
        'https://evil.example',
        'http://evil.example',
        `https://127.0.0.1:${port}`,
        `http://127.0.0.1:${port}0`,
        `http://127.0.0.1.evil.example:${port}`,
        `http://localhost.evil.example:${port}`,
        'http://127.0.0.1',
        'file://',
        `http://[::1]:${port}`,
        'chrome-extension://abc',
      ]),
      ...withHeader('host', [
        'evil.example',
        `evil.example:${port}`,
        '127.0.0.1',
        `127.0.0.1:1`,
        `[::1]:${port}`,
      ]),
      ...withHeader('sec-fetch-site', ['cross-site', 'same-site', 'unknown']),
      ...withHeader('content-type', [
        undefined,
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'text/json',
        'application/jsonx',
      ]),
      ...['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => ({ method })),
      ...['/api/answer/', '/api/answers', '//api/answer', '/api/%61nswer', '/api/answer/../answer2'].map(
        (path) => ({ path }),
      ),
      ...[
        '',
        'null',
        '[]',
        '"once"',
        '{}',
        '{"hash":',
        JSON.stringify({ hash: HASH }),
        JSON.stringify({ hash: HASH, kind: 'always' }),
        JSON.stringify({ hash: HASH, kind: ['once'] }),
        JSON.stringify({ hash: HASH.toUpperCase(), kind: 'once' }),
        JSON.stringify({ hash: [HASH], kind: 'once' }),
        JSON.stringify({ hash: '../open/x', kind: 'once' }),
        JSON.stringify({ hash: 'b'.repeat(64), kind: 'once' }),
        JSON.stringify({ hash: HASH, kind: 'once', signature: 'x' }),
        JSON.stringify({ hash: HASH, kind: 'once', note: 'x'.repeat(5000) }),
        JSON.stringify({ hash: HASH, kind: 'once', pin: 1 }),
        JSON.stringify({ hash: HASH, kind: 'once', note: 'x'.repeat(100_000) }),
        `hash=${HASH}&kind=once`,
      ].map((text) => ({ body: text })),
    ];
  };

  test('accepts no request that lacks one thing of a page that the user opened', async () => {
    const { view, store, ask, origin, token } = await opened({ isUsers: true });
    const own = { 'x-anyhook-token': token, origin, 'content-type': 'application/json' };
    const requests = hostile(origin, token);
    let accepted = 0;
    for (const sent of requests) {
      ask();
      await send(origin, own, sent);
      if (store.answer(HASH) !== undefined) accepted++;
      store.withdraw(HASH);
    }
    figure('approvals', 'hostile requests to the view that were accepted', accepted, requests.length);
    expect(accepted).toBe(0);
    expect(requests.length).toBeGreaterThanOrEqual(60);
    // Control: with everything right it is accepted.
    ask();
    expect(await send(origin, own, {})).toBe(200);
    expect(store.answer(HASH)?.kind).toBe('once');
    await view.close();
  });

  test('accepts nothing in a view that an agent started, and nothing without the PIN', async () => {
    const agents = await opened({ isUsers: false });
    agents.ask();
    const own = (token: string, origin: string) => ({
      'x-anyhook-token': token,
      origin,
      'content-type': 'application/json',
    });
    expect(await send(agents.origin, own(agents.token, agents.origin), {})).toBe(403);
    await agents.view.close();
    const locked = await opened({ isUsers: true, pin: '4711' });
    locked.ask();
    const headers = own(locked.token, locked.origin);
    const withPin = (pin?: string) => ({
      body: JSON.stringify({ hash: HASH, kind: 'once', ...(pin !== undefined && { pin }) }),
    });
    for (const pin of [undefined, '', '0000', '47110', '4711 '])
      expect(await send(locked.origin, headers, withPin(pin))).toBe(403);
    // After five wrong PINs even the right one has to wait.
    expect(await send(locked.origin, headers, withPin('4711'))).toBe(403);
    expect(locked.store.answer(HASH)).toBeUndefined();
    await locked.view.close();
  });
});
