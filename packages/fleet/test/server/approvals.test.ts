/**
 * Questions of one machine, answered by an approver at another one: two homes and a real server. Each attempt to pass a call without a
 * valid answer stands beside the valid answer that passes it.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { makeSigner, type Question, signAnswer, type UserAnswer } from 'anyhook/approvals';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasTmux, openTerminal } from '../../../anyhook/test/terminal/tmux.ts';
import {
  answerSubject,
  APPROVALS_STREAM,
  openApprovalsStream,
  questionSubject,
  writeOpen,
} from '../../src/approvals/channel.ts';
import { type RemoteQuestion, RemoteQuestions } from '../../src/approvals/remote-questions.ts';
import { hasServer, type Server, startServer } from '../../src/demo/nats-server.ts';
import { type ApprovalMachine, makeApprovalMachine, push } from '../fixtures/approval-machine.ts';
import { connected } from '../fixtures/centre.ts';
import { PROGRAM } from '../fixtures/ground.ts';

const run = promisify(execFile);
const PERSON = join(import.meta.dirname, '../../../anyhook/test/person.sh');
const ANN = { machine: 'laptop-1', user: 'ann' };
const mia = makeSigner();
const signer = { who: 'mia', privateKeyPem: mia.privateKeyPem };

describe.skipIf(!hasServer)('a question of another machine', () => {
  let server: Server;
  let connection: NatsConnection;
  let machine: ApprovalMachine;
  /** The approver's home. */
  let home: string;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => server?.close());
  beforeEach(async () => {
    connection = await connected(server.address);
    await openApprovalsStream(connection, { name: APPROVALS_STREAM, replicas: 1 });
    machine = makeApprovalMachine({ mia: mia.publicKey });
    home = mkdtempSync(join(tmpdir(), 'anyhook-approver-home-'));
  });
  afterEach(async () => {
    await machine.close();
    const manager = await (await import('@nats-io/jetstream')).jetstreamManager(connection);
    await manager.streams.delete(APPROVALS_STREAM);
    await connection.close();
    rmSync(home, { recursive: true, force: true });
  });

  const questionsAt = (server_ = connection) => RemoteQuestions.open(server_, APPROVALS_STREAM);
  const seen = async (questions: RemoteQuestions): Promise<RemoteQuestion> => {
    await expect.poll(() => questions.list().length, { timeout: 15_000 }).toBe(1);
    return questions.list()[0]!;
  };
  const send = (answer: object, hash: string) =>
    jetstream(connection).publish(answerSubject(ANN, hash), JSON.stringify(answer));
  /** The relay is connected, so that an agent waits for an answer. */
  const watched = () => expect.poll(() => machine.store.isWatched, { timeout: 15_000 }).toBe(true);
  const unsigned = ({ hash, nonce }: Question): UserAnswer => ({
    hash,
    nonce,
    kind: 'once',
    answeredAt: new Date().toISOString(),
    where: 'fleet',
    who: 'mia',
  });
  const signed = (question: Question): UserAnswer => signAnswer(unsigned(question), signer.privateKeyPem);
  /** What the approver types in a terminal, or without one. */
  const type = async (words: readonly string[], wrapper: readonly string[] = [PERSON]) => {
    const [program, ...args] = [...wrapper, process.execPath, PROGRAM, 'approvals', ...words] as [string];
    const env = { PATH: process.env['PATH'], HOME: home };
    const running = run(program, args, { env });
    running.child.stdin!.end();
    return running.then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        text: `${error.stdout}${error.stderr}`,
      }),
    );
  };

  test('a question is seen, approved with a key in a terminal, and the call passes once and is recorded', async () => {
    const key = join(home, 'mia.key');
    const made = await type(['key', key, '--as', 'mia']);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const line = /"approvals": (\{.*\})/.exec(made.text)![1]!;
    const { signers } = JSON.parse(line) as { signers: Record<string, string> };
    await machine.close();
    machine = makeApprovalMachine(signers);
    machine.relay(server.address);
    await watched();
    const hooks = await machine.hooks();
    const outcome = push(hooks);
    const { hash } = await machine.question();
    await seen(await questionsAt());

    const listed = await type(['list', '--json', '--from', server.address], []);
    expect([listed.code, JSON.parse(listed.text)]).toMatchObject([
      1,
      [{ hash, from: 'ann at laptop-1', agent: 'codex', call: '{"command":"git push"}', isHeld: true }],
    ]);
    const approve = ['approve', hash.slice(0, 8), '--from', server.address, '--as', 'mia', '--key', key];
    const refused = await type(approve, []);
    expect([refused.code, refused.text]).toEqual([2, expect.stringContaining('not an interactive terminal')]);
    const approved = await type(approve);
    expect([approved.code, approved.text]).toEqual([
      0,
      expect.stringMatching(/ann at laptop-1[\s\S]*Approved\./),
    ]);
    expect(await outcome).toMatchObject({
      proceed: 'yes',
      approval: { kind: 'once', who: 'mia', where: 'fleet', hash },
    });
    await hooks.close();
    const journal = join(machine.home, '.local/state/anyhook/journal');
    const records = readdirSync(journal)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(journal, name), 'utf8').trimEnd().split('\n'))
      .map((text) => JSON.parse(text) as { approval?: object });
    expect(records.flatMap(({ approval }) => approval ?? [])).toMatchObject([
      { hash, who: 'mia', where: 'fleet' },
      { hash, who: 'mia', where: 'fleet' },
    ]);

    expect(await push(await machine.hooks(), 1500)).toMatchObject({ proceed: 'no' });
    chmodSync(key, 0o644);
    const loose = await type(approve);
    expect([loose.code, loose.text]).toEqual([2, expect.stringContaining('other users can read this key')]);
  });

  test.skipIf(!hasTmux())('the live list of an approver answers with one key', async () => {
    const key = join(home, 'mia.key');
    writeFileSync(key, mia.privateKeyPem, { mode: 0o600 });
    machine.relay(server.address);
    await watched();
    const outcome = push(await machine.hooks());
    await seen(await questionsAt());
    const words = [
      process.execPath,
      PROGRAM,
      'approvals',
      '--from',
      server.address,
      '--as',
      'mia',
      '--key',
      key,
    ];
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8' };
    const terminal = openTerminal(words.map((word) => `'${word}'`).join(' '), env, home);
    try {
      expect(await terminal.sees('1 open')).toContain('ann at laptop-1');
      await sleep(800); // a key counts half a second after the question appeared
      terminal.types('a');
      expect(await outcome).toMatchObject({ proceed: 'yes', approval: { who: 'mia' } });
      terminal.types('q');
      await terminal.sees('ended with 0');
    } finally {
      terminal.close();
    }
  });

  test('a refusal brings its note to the model', async () => {
    machine.relay(server.address);
    await watched();
    const outcome = push(await machine.hooks());
    const questions = await questionsAt();
    const question = await seen(questions);
    const answeredAt = await questions.answer(
      question,
      { kind: 'refuse', note: 'open a pull request' },
      signer,
    );
    expect(await questions.outcome(question, answeredAt, 10_000)).toEqual({ kind: 'taken', by: 'mia' });
    expect((await outcome).reason).toContain('mia refused this call: open a pull request');
    expect(questions.list()).toEqual([]);
  });

  test.each<[string, (question: Question) => object]>([
    ['without a signature', unsigned],
    ['signed with another key', (question) => signAnswer(unsigned(question), makeSigner().privateKeyPem)],
    [
      'in the name of somebody else',
      (question) => signAnswer({ ...unsigned(question), who: 'eve' }, mia.privateKeyPem),
    ],
    ['changed after it was signed', (question) => ({ ...signed(question), kind: 'session' })],
    [
      'with the signature of another call',
      (question) => ({
        ...unsigned(question),
        signature: signed({ ...question, hash: 'f'.repeat(64) }).signature,
      }),
    ],
    ['to an earlier question', (question) => signed({ ...question, nonce: 'earlier' })],
    [
      'from the future',
      (question) =>
        signAnswer(
          { ...unsigned(question), answeredAt: new Date(Date.now() + 600_000).toISOString() },
          mia.privateKeyPem,
        ),
    ],
    ['that is no answer', () => ({ hash: 7 })],
  ])('an answer %s does not count, and the right one after it does', async (_, forge) => {
    machine.relay(server.address);
    await watched();
    const hooks = await machine.hooks();
    const first = push(hooks, 4000);
    const question = await machine.question();
    const questions = await questionsAt();
    await seen(questions);
    await send(forge(question), question.hash);
    expect(await first).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    expect(machine.store.list()).toHaveLength(1);
    await send(signed(machine.store.list()[0]!), question.hash);
    expect(await push(hooks, 10_000)).toMatchObject({ proceed: 'yes', approval: { who: 'mia' } });
  });

  test('an approver with the wrong key is told that the answer does not count', async () => {
    machine.relay(server.address);
    await watched();
    void push(await machine.hooks(), 4000);
    const questions = await questionsAt();
    const question = await seen(questions);
    const wrong = { who: 'mia', privateKeyPem: makeSigner().privateKeyPem };
    const answeredAt = await questions.answer(question, { kind: 'once' }, wrong);
    expect(await questions.outcome(question, answeredAt, 10_000)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('an answer of mia does not count'),
    });
    expect(questions.list()[0]?.failedNotices).toHaveLength(1);
  });

  test('an answer that passed a call does not pass the same call again', async () => {
    machine.relay(server.address);
    await watched();
    const hooks = await machine.hooks();
    const first = push(hooks);
    const question = await machine.question();
    const answer = signed(question);
    await send(answer, question.hash);
    expect((await first).proceed).toBe('yes');
    const second = push(hooks, 4000);
    const again = await machine.question();
    expect(again.hash).toBe(question.hash);
    await send(answer, question.hash);
    expect(await second).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    await send(signed(machine.store.list()[0]!), question.hash);
    expect((await push(hooks, 10_000)).proceed).toBe('yes');
  });

  test('an answer to an expired question does not count, and the question is no longer shown', async () => {
    machine.relay(server.address);
    await watched();
    const hooks = await machine.hooks();
    await push(hooks, 500);
    const asked = await machine.question();
    const short = { ...asked, expiresAt: new Date(Date.now() + 1500).toISOString() };
    machine.store.ask(short);
    const questions = await questionsAt();
    await expect.poll(() => questions.list()[0]?.expiresAt, { timeout: 1400 }).toBe(short.expiresAt);
    await expect.poll(() => questions.list().length, { timeout: 5000 }).toBe(0);
    await send(signed(short), short.hash);
    expect(await push(hooks, 2500)).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    await send(signed(machine.store.list()[0]!), short.hash);
    expect((await push(hooks, 10_000)).proceed).toBe('yes');
  });

  test('questions and answers pass a restart of the server, and an agent does not wait while it is gone', async () => {
    machine.relay(server.address);
    await watched();
    const hooks = await machine.hooks();
    const questions = await questionsAt();
    await server.kill();
    await expect.poll(() => machine.store.isWatched).toBe(false);
    const startedMs = performance.now();
    expect(await push(hooks, 20_000)).toMatchObject({ proceed: 'no', approval: { kind: 'waiting' } });
    expect(performance.now() - startedMs).toBeLessThan(5000);
    await server.start();
    const question = await seen(questions);
    const outcome = push(hooks, 60_000);
    await server.kill();
    await server.start();
    await expect
      .poll(() => questions.answer(question, { kind: 'once' }, signer).catch(String), { timeout: 20_000 })
      .toMatch(/^2/);
    // Refused while the server was gone, or held: the answer counts for exactly one of the two tries.
    const first = await outcome;
    expect(first.proceed === 'yes' || (await push(hooks, 10_000)).proceed === 'yes').toBe(true);
    expect(await push(hooks, 1500)).toMatchObject({ proceed: 'no' });
  });

  test('a relay that is killed loses no answer, and closes what was withdrawn while it was gone', async () => {
    const hooks = await machine.hooks();
    const relay = machine.startRelay(server.address);
    const first = push(hooks, 8000);
    const questions = await questionsAt();
    const question = await seen(questions);
    relay.kill('SIGKILL');
    await once(relay, 'exit');
    const answeredAt = await questions.answer(question, { kind: 'once' }, signer);
    expect(await questions.outcome(question, answeredAt, 1000)).toEqual({ kind: 'unknown' });
    expect((await first).proceed).toBe('no');
    const next = machine.startRelay(server.address);
    expect(await questions.outcome(question, answeredAt, 15_000)).toEqual({ kind: 'taken', by: 'mia' });
    expect((await push(hooks, 2000)).proceed).toBe('yes');

    await push(hooks, 1500, 'git push --tags');
    await seen(questions);
    next.kill('SIGKILL');
    await once(next, 'exit');
    machine.store.withdrawSession('codex', 's1');
    await sleep(500);
    expect(questions.list()).toHaveLength(1);
    machine.startRelay(server.address);
    await expect.poll(() => questions.list().length, { timeout: 15_000 }).toBe(0);
  });

  test('a server that shows another call under the id of a question gets no approval for it', async () => {
    machine.relay(server.address);
    await watched();
    void push(await machine.hooks(), 5000);
    const questions = await questionsAt();
    const honest = await seen(questions);
    const { source, from: _from, ...question } = honest;
    const harmless = writeOpen({ ...question, call: '{"command":"git status"}' }, [], 100_000);
    await jetstream(connection).publish(questionSubject(source, question.hash), harmless);
    await expect.poll(() => questions.list()[0]?.call).toContain('git status');
    const [forged] = questions.list();
    expect(forged!.failedNotices).toEqual([expect.stringContaining('cannot be approved here')]);
    await expect(questions.answer(forged!, { kind: 'once' }, signer)).rejects.toThrow(
      'cannot be approved here',
    );
    await expect(questions.answer(honest, { kind: 'once' }, signer)).resolves.toMatch(/^2/);
  });

  test('messages that are not questions are ignored', async () => {
    const questions = await questionsAt();
    const hash = 'a'.repeat(64);
    for (const text of ['', '{', '{"state":"open","question":{"hash":7},"notices":[]}', '{"state":"open"}'])
      await jetstream(connection).publish(questionSubject(ANN, hash), text);
    await sleep(300);
    expect(questions.list()).toEqual([]);
    machine.relay(server.address);
    await watched();
    void push(await machine.hooks(), 3000);
    await seen(questions);
  });

  test('questions of the user’s own hooks stay on the machine, unless all are relayed', async () => {
    const end = machine.relay(server.address);
    await push(await machine.hooks(), 500);
    const managed = await machine.question();
    machine.store.withdraw(managed.hash);
    machine.store.ask({
      ...managed,
      reasons: managed.reasons.map((reason) => ({ ...reason, isManaged: false })),
    });
    const questions = await questionsAt();
    await sleep(1000);
    expect(questions.list()).toEqual([]);
    await end();
    machine.relay(server.address, { isForAll: true });
    await seen(questions);
  });

  test('a machine whose policy names no approver relays nothing', async () => {
    const open = makeApprovalMachine({});
    await expect(open.relay(server.address)()).rejects.toThrow('no approvers are named');
  });
});
