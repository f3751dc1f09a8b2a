import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capabilities } from '../events/capabilities.ts';
import { ask, deny, set } from '../events/effects.ts';
import type { Options } from '../gather/options.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';
import type { AnswerKind } from './answer-kind.ts';
import { type Question, showsItsCall } from './question.ts';
import { makeSigner, signAnswer } from './signature.ts';
import { ApprovalStore } from './store.ts';

/** An agent that cannot ask its user. */
const SILENT: Capabilities = {
  'tool.before': { deny: 'full', ask: { as: 'deny' }, allow: 'full', set: 'full' },
  'tool.permission': { allow: 'full', deny: 'full', ask: 'full' },
};
/** An agent that can. */
const ASKS: Capabilities = {
  ...SILENT,
  'tool.before': { deny: 'full', ask: 'full', allow: 'full', set: 'full' },
};

let home: string;
let store: ApprovalStore;
const opened: Hooks[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'anyhook-approver-'));
  store = new ApprovalStore(join(home, '.local/state/anyhook/approvals'));
});
afterEach(async () => {
  for (const hooks of opened.splice(0)) await hooks.close();
  rmSync(home, { recursive: true, force: true });
});

const asksAboutPushes: NonNullable<Options['hooks']> = {
  'tool.before': (event) =>
    String(event.payload.input['command']).includes('push') ? ask('pushes need you') : undefined,
};

/** A question that nobody can see is refused at once and stays open, so these tests need no time limit. */
const UNSEEN = { notify: [] };

interface Setup {
  readonly settings?: object;
  readonly can?: Capabilities;
  readonly hooks?: Options['hooks'];
  readonly layer?: 'managed' | 'user';
}

async function open({
  settings = { waitUnseen: true },
  can = SILENT,
  hooks = asksAboutPushes,
  layer = 'user',
}: Setup = {}) {
  const source = {
    dialect: 'anyhook',
    text: JSON.stringify({ approvals: settings }),
    place: { layer, file: 'test' },
  };
  const made = await createHooks({
    host: { name: 'codex', can },
    home,
    cwd: home,
    approvals: true,
    hooks,
    settings: { layers: ['managed', 'user', 'session'], sources: [source] },
  });
  opened.push(made);
  return made;
}

const push = (hooks: Hooks, more: { command?: string; session?: string; budgetMs?: number } = {}) =>
  hooks.fire({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command: more.command ?? 'git push' } },
    ids: { session: more.session ?? 's1' },
    budgetMs: more.budgetMs ?? 60_000,
  });

async function nextQuestion(): Promise<Question> {
  for (;;) {
    const [question] = store.list();
    if (question !== undefined) return question;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const answer = ({ hash }: Question, kind: AnswerKind, note?: string) =>
  store.give({
    hash,
    kind,
    ...(note !== undefined && { note }),
    answeredAt: new Date().toISOString(),
    where: 'test',
    who: 'ana',
  });

describe('a question of a hook', () => {
  test('waits for the user and lets the call pass', async () => {
    const hooks = await open();
    const outcome = push(hooks);
    const question = await nextQuestion();
    expect(question).toMatchObject({
      agent: 'codex',
      session: 's1',
      tool: 'shell',
      call: '{"command":"git push"}',
    });
    expect(question.reasons).toMatchObject([{ text: 'pushes need you', isManaged: false }]);
    answer(question, 'once');
    expect(await outcome).toMatchObject({
      proceed: 'yes',
      approval: { kind: 'once', who: 'ana', where: 'test', hash: question.hash },
    });
    expect(store.list()).toEqual([]);
  });

  test('is a refusal with the note of the user for the model', async () => {
    const hooks = await open();
    const outcome = push(hooks);
    answer(await nextQuestion(), 'refuse', 'use a branch');
    expect((await outcome).proceed).toBe('no');
    expect((await outcome).reason).toContain('ana refused this call: use a branch');
    // The same call is refused again without another question.
    expect(await push(hooks)).toMatchObject({ proceed: 'no', approval: { kind: 'refuse' } });
  });

  test('stays open after a refusal for now, and a later approval lets the same call pass once', async () => {
    const hooks = await open({ settings: UNSEEN });
    const first = await push(hooks);
    expect(first).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    expect(first.reason).toContain('exactly the same call passes');
    const question = await nextQuestion();
    answer(question, 'once');
    expect(await push(hooks)).toMatchObject({
      proceed: 'yes',
      approval: { kind: 'once' },
    });
    expect(await push(hooks)).toMatchObject({
      proceed: 'no',
      approval: { kind: 'waiting' },
    });
  });

  test('covers one input in one session and nothing else', async () => {
    const hooks = await open({ settings: UNSEEN });
    await push(hooks);
    answer(await nextQuestion(), 'session');
    expect((await push(hooks)).proceed).toBe('yes');
    expect((await push(hooks)).proceed).toBe('yes');
    expect((await push(hooks, { command: 'git push -f' })).proceed).toBe('no');
    expect((await push(hooks, { session: 's2' })).proceed).toBe('no');
  });

  test('covers the call as hooks changed it, so another change is another question', async () => {
    let branch = 'main';
    const hooks = await open({
      settings: UNSEEN,
      hooks: {
        'tool.before': [() => set('input', 'command', `git push origin ${branch}`), () => ask('sure?')],
      },
    });
    await push(hooks);
    const question = await nextQuestion();
    expect(question).toMatchObject({
      call: '{"command":"git push origin main"}',
      changed: ['input.command'],
    });
    answer(question, 'session');
    expect(await push(hooks)).toMatchObject({
      proceed: 'yes',
      payload: { input: { command: 'git push origin main' } },
    });
    branch = 'release';
    expect((await push(hooks)).proceed).toBe('no');
  });

  test('is asked once for two equal calls at once, and one approval lets one of them pass', async () => {
    const hooks = await open();
    const outcomes = [push(hooks, { budgetMs: 4000 }), push(hooks, { budgetMs: 4000 })];
    answer(await nextQuestion(), 'once');
    const proceeds = (await Promise.all(outcomes)).map(({ proceed }) => proceed);
    expect(proceeds.toSorted()).toEqual(['no', 'yes']);
    expect(store.list()).toHaveLength(1);
  });

  test('cannot be answered for a call that another hook refuses', async () => {
    const hooks = await open({ hooks: { 'tool.before': [() => ask('sure?'), () => deny('never')] } });
    expect(await push(hooks)).toMatchObject({ proceed: 'no', verdict: 'deny' });
    expect(store.list()).toEqual([]);
  });

  test('does not skip the hooks that judge the permission of a call', async () => {
    const hooks = await open({
      hooks: { 'tool.before': () => ask('sure?'), 'tool.permission': () => deny('policy') },
    });
    const outcome = push(hooks);
    answer(await nextQuestion(), 'once');
    expect(await outcome).toMatchObject({ proceed: 'no', reason: expect.stringContaining('policy') });
  });

  test('is a refusal if it cannot be stored', async () => {
    const hooks = await open();
    rmSync(join(home, '.local'), { recursive: true, force: true });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(home, '.local'), 'a file where the folder should be');
    expect(await push(hooks)).toMatchObject({
      proceed: 'no',
      reason: expect.stringContaining('cannot be asked'),
    });
  });

  test('is refused for now when the time of the agent is over', async () => {
    const outcome = await push(await open(), { budgetMs: 3000 });
    expect(outcome).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    expect(outcome.approval!.waitedMs).toBeLessThan(3000);
    expect(store.list()).toHaveLength(1);
  });

  test('is a refusal if the call cannot be shown, as one with a cycle', async () => {
    const hooks = await open({ hooks: { 'tool.before': () => ask('sure?') } });
    const input: Record<string, unknown> = { command: 'git push' };
    input['self'] = input;
    const outcome = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input },
      ids: { session: 's1' },
    });
    expect(outcome).toMatchObject({ proceed: 'no', reason: expect.stringContaining('cannot be asked') });
  });

  test('is a refusal at once if nobody can see it, unless the user said to wait', async () => {
    const hooks = await open({ settings: { notify: [] } });
    const outcome = await push(hooks);
    expect(outcome).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    expect(outcome.reason).toContain('nobody could be notified');
    const stop = store.watch();
    const held = push(hooks);
    await nextQuestion();
    answer(await nextQuestion(), 'once');
    expect((await held).proceed).toBe('yes');
    stop();
  });

  test('ends when the agent cancels the call, and keeps its approval for the next try', async () => {
    const hooks = await open();
    const stopped = new AbortController();
    const outcome = hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command: 'git push' } },
      ids: { session: 's1' },
      signal: stopped.signal,
    });
    const question = await nextQuestion();
    stopped.abort();
    expect((await outcome).proceed).toBe('no');
    answer(question, 'once');
    expect((await push(hooks)).proceed).toBe('yes');
  });

  test('ends when the process ends that waits for it', async () => {
    const hooks = await open();
    const outcome = hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command: 'git push' } },
      ids: { session: 's1' },
      waiting: { pid: 2 ** 22 - 1 },
    });
    expect((await outcome).proceed).toBe('no');
  });

  test('is withdrawn with its session', async () => {
    const hooks = await open({ settings: UNSEEN });
    await push(hooks);
    expect(store.list()).toHaveLength(1);
    await hooks.fire({ name: 'session.end', payload: {}, ids: { session: 's1' } });
    await expect.poll(() => store.list()).toEqual([]);
  });

  test('names the session by its first prompt', async () => {
    const hooks = await open({ settings: UNSEEN });
    for (const text of ['ship the release', 'faster'])
      await hooks.fire({ name: 'prompt.submit', payload: { prompt: text }, ids: { session: 's1' } });
    await push(hooks);
    expect((await nextQuestion()).title).toBe('ship the release');
  });

  test('shows the beginning of a call of 5 MB and covers all of it', async () => {
    const hooks = await open({ settings: UNSEEN });
    const long = `git push # ${'x'.repeat(5_000_000)}`;
    await push(hooks, { command: long });
    const question = await nextQuestion();
    expect(question.call.length).toBeLessThanOrEqual(64 * 1024);
    expect(question.callBytes).toBeGreaterThan(5_000_000);
    answer(question, 'session');
    expect((await push(hooks, { command: `${long}y` })).proceed).toBe('no');
    expect((await push(hooks, { command: long })).proceed).toBe('yes');
  });
});

describe('the mode of approvals', () => {
  test('leaves questions to an agent that can ask, and takes them over with "always"', async () => {
    expect((await push(await open({ can: ASKS }))).proceed).toBe('ask');
    const hooks = await open({ can: ASKS, settings: { mode: 'always', waitUnseen: true } });
    const outcome = push(hooks);
    answer(await nextQuestion(), 'once');
    expect((await outcome).proceed).toBe('yes');
  });

  test('answers questions of the agent itself with "always"', async () => {
    const hooks = await open({ can: ASKS, settings: { mode: 'always', waitUnseen: true } });
    expect(hooks.wants['tool.permission']).toBe(true);
    const outcome = hooks.fire({
      name: 'tool.permission',
      payload: { tool: 'shell', input: { command: 'ls' } },
      ids: { session: 's1' },
    });
    answer(await nextQuestion(), 'once');
    expect(await outcome).toMatchObject({ proceed: 'yes', verdict: 'allow' });
    expect((await open({ can: ASKS })).wants['tool.permission']).toBe(false);
  });

  test('is a refusal as before with "off"', async () => {
    const hooks = await open({ settings: 'off' as never });
    expect(await push(hooks)).toMatchObject({ proceed: 'no' });
    expect(store.list()).toEqual([]);
  });
});

test('a question of the administrator’s hook is asked although the user has allowed the command for good', async () => {
  const policy = (asks: boolean) => ({
    dialect: 'anyhook',
    place: { layer: 'managed' as const, file: 'policy' },
    text: JSON.stringify({
      hooks: asks ? { 'tool.before': [{ match: 'shell(git push*)', run: `echo '{"decision":"ask"}'` }] } : {},
    }),
  });
  const allowing = async (asks: boolean) => {
    const made = await createHooks({
      host: { name: 'codex', can: ASKS },
      home,
      cwd: home,
      approvals: true,
      hooks: asksAboutPushes,
      settings: {
        layers: ['managed', 'user', 'session'],
        sources: [
          policy(asks),
          {
            dialect: 'anyhook',
            place: { layer: 'user', file: 'test' },
            text: JSON.stringify({ approvals: { allow: [{ command: 'git push' }] } }),
          },
        ],
      },
    });
    opened.push(made);
    return (await push(made)).verdict;
  };
  expect([await allowing(false), await allowing(true)]).toEqual(['allow', 'ask']);
});

describe('an approver whom the administrator named', () => {
  const signer = makeSigner();
  const managed = { waitUnseen: true, signers: { mia: signer.publicKey } };
  const asked = { dialect: 'anyhook', place: { layer: 'managed' as const, file: 'policy' } };
  const unsigned = {
    kind: 'once' as const,
    answeredAt: new Date().toISOString(),
    where: 'fleet',
    who: 'mia',
  };
  const openManaged = async ({ can = SILENT, settings = {} }: Setup = {}) => {
    const text = JSON.stringify({
      approvals: { ...managed, ...settings },
      hooks: {
        'tool.before': [{ match: 'shell(git push*)', run: `echo '{"decision":"ask","reason":"policy"}'` }],
      },
    });
    const made = await createHooks({
      host: { name: 'codex', can },
      home,
      cwd: home,
      approvals: true,
      settings: { layers: ['managed', 'user'], sources: [{ ...asked, text }] },
    });
    opened.push(made);
    return made;
  };

  test('is the only one who answers for a hook of the administrator', async () => {
    const hooks = await openManaged();
    const outcome = push(hooks, { budgetMs: 20_000 });
    const first = await nextQuestion();
    answer(first, 'once');
    await expect.poll(() => store.list().length, { timeout: 10_000 }).toBe(1); // the answer of the user did not count
    const forged = { ...unsigned, hash: first.hash, nonce: store.list()[0]!.nonce };
    expect(store.give(signAnswer(forged, makeSigner().privateKeyPem))).toBe('answered');
    await expect.poll(() => store.list().length, { timeout: 10_000 }).toBe(1); // nor did one with another key
    const { hash, nonce } = store.list()[0]!;
    expect(store.give(signAnswer({ ...unsigned, hash, nonce }, signer.privateKeyPem))).toBe('answered');
    expect(await outcome).toMatchObject({ proceed: 'yes', approval: { who: 'mia', where: 'fleet' } });
  });

  test('is asked also where the agent could ask its user, and with "off"', async () => {
    for (const settings of [{ mode: 'fallback' }, { mode: 'off' }]) {
      const hooks = await openManaged({ can: ASKS, settings: { ...settings, waitUnseen: true } });
      const outcome = push(hooks, { budgetMs: 20_000 });
      const { hash, nonce } = await nextQuestion();
      store.give(signAnswer({ ...unsigned, hash, nonce }, signer.privateKeyPem));
      expect(await outcome).toMatchObject({ proceed: 'yes', approval: { who: 'mia' } });
      // Without a named approver, the same question is one for the agent or for nobody.
      const control = await openManaged({ can: ASKS, settings: { ...settings, signers: {} } });
      expect((await push(control)).proceed).toBe('ask');
    }
  });

  test('answers one question, and the same signature does not count for the same call later', async () => {
    const hooks = await openManaged();
    const first = push(hooks, { budgetMs: 20_000 });
    const { hash, nonce } = await nextQuestion();
    const signed = signAnswer({ ...unsigned, hash, nonce }, signer.privateKeyPem);
    expect(store.give(signed)).toBe('answered');
    expect((await first).proceed).toBe('yes');
    const second = push(hooks, { budgetMs: 2000 });
    const again = await nextQuestion();
    expect(again.hash).toBe(hash);
    expect(store.give(signed)).toBe('answered');
    expect((await second).proceed).toBe('no');
    // A new signature for the question that is open now does.
    const { nonce: current } = await nextQuestion();
    store.give(signAnswer({ ...unsigned, hash, nonce: current }, signer.privateKeyPem));
    expect((await push(hooks, { budgetMs: 2000 })).proceed).toBe('yes');
  });

  test('sees a call that the id covers, and another call under the same id is noticed', async () => {
    const hooks = await openManaged();
    await push(hooks, { budgetMs: 300 });
    const question = await nextQuestion();
    expect(showsItsCall(question)).toBe(true);
    for (const change of [
      { call: '{"command":"git status"}' },
      { folder: '/elsewhere' },
      { tool: 'read' },
      { call: '{' },
      { callBytes: 100_000 },
    ])
      expect(showsItsCall({ ...question, ...change })).toBe(false);
  });
});

describe('a notification', () => {
  test('goes to a command and to a webhook, and their failures are shown with the question', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(request.url === '/ok' ? 200 : 500).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = join(home, 'seen.json');
    const notify = [
      { command: `cat > ${file}` },
      { command: 'exit 3' },
      { webhook: `${base}/ok` },
      { webhook: `${base}/broken` },
    ];
    const hooks = await open({ settings: { notify } });
    const outcome = push(hooks, { budgetMs: 3000 });
    await expect
      .poll(() => store.list()[0]?.failedNotices, { timeout: 5000 })
      .toEqual(['exit 3: exit 3', `${base}/broken: HTTP 500`]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      tool: 'shell',
      call: '{"command":"git push"}',
    });
    expect(JSON.parse(bodies[0]!)).toMatchObject({
      title: 'codex asks: shell',
      text: expect.stringContaining('git push'),
    });
    answer(await nextQuestion(), 'once');
    expect((await outcome).proceed).toBe('yes');
    server.close();
  });

  test('that hangs does not keep the answer of the user waiting', async () => {
    const hooks = await open({ settings: { notify: [{ command: 'sleep 60' }] } });
    const outcome = push(hooks);
    answer(await nextQuestion(), 'once');
    expect((await outcome).proceed).toBe('yes');
  });

  test('through a missing program or an unreachable address is no notification', async () => {
    const hooks = await open({
      settings: { notify: [{ command: 'no-such-program-here' }, { webhook: 'http://127.0.0.1:9/x' }] },
    });
    const outcome = await push(hooks);
    expect(outcome).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    expect((await nextQuestion()).failedNotices).toHaveLength(2);
  });
});
