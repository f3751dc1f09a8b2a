/** Tests the account example in docs/fleet.md: a machine may only append under its own name. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { makeSigner } from 'anyhook/approvals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APPROVALS_STREAM, openApprovalsStream } from '../../src/approvals/channel.ts';
import { RemoteQuestions } from '../../src/approvals/remote-questions.ts';
import { hasServer, type Server, startServer } from '../../src/demo/nats-server.ts';
import { openConnection } from '../../src/nats/connection.ts';
import { makeApprovalMachine, push } from '../fixtures/approval-machine.ts';
import { compared, hashOf, linesIn, withStream } from '../fixtures/centre.ts';
import { draft, makeGround } from '../fixtures/ground.ts';
import { ship } from '../fixtures/shipping.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/fleet.md'), 'utf8');
/** The configuration of the page, with test passwords. */
const ACCOUNTS = /```\n(accounts \{[\s\S]*?)```/.exec(PAGE)![1]!.replaceAll('"…"', '"secret"');

describe.skipIf(!hasServer)('the account that the page shows', () => {
  let server: Server;
  let auditor: NatsConnection;
  const as = (user: string) => server.address.replace('//', `//${user}:secret@`);
  beforeAll(async () => {
    server = await startServer(ACCOUNTS);
    auditor = await withStream(as('auditor'));
    await openApprovalsStream(auditor, { name: APPROVALS_STREAM, replicas: 1 });
  });
  afterAll(async () => {
    await auditor.close();
    await server.close();
  });

  test('the documented account lets a machine ship, also after a kill between sending and recording', async () => {
    const ground = makeGround();
    try {
      for (const round of [0, 1]) {
        const journal = ground.journal('a');
        for (let i = 0; i < 5; i++) journal.write(draft('a', round * 5 + i));
        journal.close();
        const source = { machine: 'laptop-1', user: 'ann' };
        await ship(ground, { server: as('laptop-1'), source, inboxPrefix: '_INBOX_laptop-1' });
      }
      const arrived = (await linesIn(auditor)).map(hashOf);
      expect([compared(ground.hashes(), arrived), arrived.length]).toEqual([{ lost: 0, doubled: 0 }, 10]);
    } finally {
      ground.close();
    }
  });

  const machine = () =>
    connect({
      servers: new URL(server.address).host,
      user: 'laptop-1',
      pass: 'secret',
      inboxPrefix: '_INBOX_laptop-1',
    });
  const REFUSED: readonly (readonly [string, (connection: NatsConnection) => Promise<unknown>])[] = [
    [
      'to append under another name',
      (one) => jetstream(one).publish('anyhook.records.laptop-2.bob', 'x', { timeout: 1000 }),
    ],
    [
      'to read what others sent',
      async (one) =>
        (await jetstreamManager(one, { checkAPI: false, timeout: 1000 })).consumers.list('ANYHOOK').next(),
    ],
    [
      'to ask for the last message of another machine',
      async (one) =>
        (await jetstreamManager(one, { checkAPI: false, timeout: 1000 })).direct.getMessage('ANYHOOK', {
          last_by_subj: 'anyhook.records.laptop-2.bob',
        }),
    ],
    [
      'to remove the stream',
      async (one) =>
        (await jetstreamManager(one, { checkAPI: false, timeout: 1000 })).streams.delete('ANYHOOK'),
    ],
    [
      'to ask under another name',
      (one) => jetstream(one).publish('anyhook.approvals.question.laptop-2.bob.x', 'x', { timeout: 1000 }),
    ],
    [
      'to answer a question',
      (one) => jetstream(one).publish('anyhook.approvals.answer.laptop-1.ann.x', 'x', { timeout: 1000 }),
    ],
    ['to listen to everybody', async (one) => heard(one)],
  ];
  /** Resolves with an error if access is denied, and with a record otherwise. */
  async function heard(connection: NatsConnection): Promise<unknown> {
    for await (const message of connection.subscribe('anyhook.records.>', { max: 1 })) return message;
    return undefined;
  }
  test.each(REFUSED)('the documented account does not let a machine %s', async (_, attempt) => {
    const connection = await machine();
    try {
      await expect(attempt(connection)).rejects.toThrow();
    } finally {
      await connection.close();
    }
  });

  test('the documented accounts let a machine relay its questions and an approver answer them', async () => {
    const signer = makeSigner();
    const asking = makeApprovalMachine({ mia: signer.publicKey });
    const mia = await openConnection(
      { server: as('mia'), stream: APPROVALS_STREAM, inboxPrefix: '_INBOX_mia' },
      'test',
      'brief',
    );
    try {
      asking.relay(as('laptop-1'), { inboxPrefix: '_INBOX_laptop-1' });
      await expect.poll(() => asking.store.isWatched).toBe(true);
      const outcome = push(await asking.hooks());
      const questions = await RemoteQuestions.open(mia, APPROVALS_STREAM);
      await expect.poll(() => questions.list().length, { timeout: 15_000 }).toBe(1);
      const [question] = questions.list();
      await questions.answer(
        question!,
        { kind: 'once' },
        { who: 'mia', privateKeyPem: signer.privateKeyPem },
      );
      expect(await outcome).toMatchObject({ proceed: 'yes', approval: { who: 'mia' } });
    } finally {
      await mia.close();
      await asking.close();
    }
  });

  test('the documented account lets the auditor read, so the refusals come from the account', async () => {
    const connection = await connect({
      servers: new URL(server.address).host,
      user: 'auditor',
      pass: 'secret',
    });
    const listening = heard(connection);
    try {
      for (const [what, attempt] of REFUSED)
        if (what !== 'to listen to everybody')
          expect([what, await attempt(connection)]).not.toEqual([what, undefined]);
      expect(await listening).toBeDefined();
    } finally {
      await connection.close();
    }
  });
});
