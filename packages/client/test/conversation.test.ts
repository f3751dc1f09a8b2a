/** What client and daemon say to each other, with a daemon that keeps to the protocol and with one that does not. */

import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answer, failed, frame, readHello, retired, string } from './frames.ts';
import { forBothClients } from './suite.ts';
import { type Conversation, pause } from './world.ts';

const MIB = 1024 * 1024;
const refused = (reason: string): string =>
  `anyhook refused this call because ${reason}. Run: anyhook doctor\n`;
const REFUSE = ['codex', '--on-failure', 'refuse'];

forBothClients(({ world: newWorld }) => {
  test('the client sends HELLO with its version and program, then the whole request', async () => {
    const world = newWorld();
    const conversations = await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(answer(0, 'hello\n', 'careful\n'));
    });
    const args = ['codex', '--on-failure', 'refuse', '--strict', '--deadline-ms', '30000', 'ünïcode', ''];
    const env = { MULTI: 'a\nb=c', EMPTY: '' };
    expect(await world.run({ args, env, stdin: '{"a":1}', cwd: world.root })).toMatchObject({
      code: 0,
      stdout: 'hello\n',
      stderr: 'careful\n',
    });
    expect(conversations).toHaveLength(1);
    const [{ hello, request, problems } = {} as Conversation] = conversations;
    expect(problems).toEqual([]);
    expect(hello).toEqual({ version: 1, program: world.program });
    expect(request).toMatchObject({
      args,
      cwd: world.root,
      parent: process.pid,
      leftMs: expect.any(Number) as number,
      env: { ...env, HOME: process.env['HOME'] },
    });
    expect(request?.stdin.toString()).toBe('{"a":1}');
    expect(world.calls('bridge')).toEqual([]);
  });

  test.each([
    ['no byte', Buffer.alloc(0)],
    ['every byte value', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['64 MiB', randomBytes(64 * MIB)],
  ])('stdin and stdout arrive unchanged: %s', async (_, payload) => {
    const world = newWorld();
    const [conversation] = [
      await world.daemon(async (conversation) => {
        const { stdin } = await conversation.accept();
        conversation.send(answer(0, stdin, ''));
      }),
    ];
    const { bytes, code, stderr } = await world.run({ stdin: payload });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(bytes.equals(payload)).toBe(true);
    expect(conversation).toHaveLength(1);
  });

  test('stdin from a file, a closed stdin and a stdin that comes in pieces are read to their end', async () => {
    const world = newWorld();
    const conversations = await world.daemon(async (conversation) => {
      const { stdin } = await conversation.accept();
      conversation.send(answer(0, stdin));
    });
    const file = openSync(world.program, 'r');
    const [whole, nothing, pieces] = [
      await world.run({ stdio: [file, 'pipe', 'pipe'] }),
      await world.run({ stdio: ['ignore', 'pipe', 'pipe'] }),
      await world.run({
        stdin: null,
        started: (child) => {
          child.stdin?.write('first ');
          setTimeout(() => child.stdin?.end('second'), 100);
        },
      }),
    ];
    expect(whole.stdout).toBe(readFileSync(world.program, 'utf8'));
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
    expect(pieces.stdout).toBe('first second');
    expect(conversations).toHaveLength(3);
  });

  test('an event larger than 64 MiB is a failure and nothing of it is sent', async () => {
    const world = newWorld();
    const conversations = await world.daemon(async (conversation) => void (await conversation.accept()));
    const ending = await world.run({ args: REFUSE, stdin: Buffer.alloc(64 * MIB + 1) });
    expect(ending).toMatchObject({ code: 2, stdout: '', stderr: refused('the event is larger than 64 MiB') });
    expect(conversations[0]?.request).toBeUndefined();
    expect(world.calls('bridge')).toEqual([]);
  });

  test.each([0, 2])('exit code %i of an answer becomes the exit code of the client', async (code) => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(answer(code, 'out', 'err'));
    });
    expect(await world.run({ args: REFUSE })).toMatchObject({ code, stdout: 'out', stderr: 'err' });
  });

  test.each([1, 3, 127, 255])(
    'exit code %i of an answer is a failure and its stderr is printed first',
    async (code) => {
      const world = newWorld();
      await world.daemon(async (conversation) => {
        await conversation.accept();
        conversation.send(answer(code, 'not an answer', 'TypeError: x\n'));
      });
      expect(await world.run({ args: REFUSE })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `TypeError: x\n${refused(`anyhook ended with exit code ${code}`)}`,
      });
    },
  );

  test('WORKING frames keep the client waiting, also when they arrive together with the answer', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(Buffer.concat([frame('WORKING'), frame('WORKING')]));
      await pause(200);
      conversation.send(Buffer.concat([frame('WORKING'), answer(0, 'done')]));
    });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'done' });
  });

  test('an answer that arrives byte by byte is read to its end', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      conversation.socket.setNoDelay();
      readHello(await conversation.read());
      for (const byte of frame('READY')) {
        conversation.send(Buffer.from([byte]));
        await pause(2);
      }
      await conversation.read();
      for (const byte of answer(0, 'slow')) {
        conversation.send(Buffer.from([byte]));
        await pause(2);
      }
    });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'slow' });
  });

  test('a daemon that reads slowly gets the whole request', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      conversation.socket.pause();
      const reading = setInterval(() => {
        conversation.socket.resume();
        setTimeout(() => conversation.socket.pause(), 5);
      }, 20);
      const { stdin } = await conversation.accept();
      clearInterval(reading);
      conversation.socket.resume();
      conversation.send(answer(0, String(stdin.length)));
    });
    expect(await world.run({ stdin: Buffer.alloc(8 * MIB) })).toMatchObject({
      code: 0,
      stdout: String(8 * MIB),
    });
  });

  test('FAILED is a failure with the reason of the daemon, on one line', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(failed('the session\nended\u001b[31m “early”'));
    });
    expect(await world.run({ args: REFUSE })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: refused('the session ended [31m “early”'),
    });
    expect(world.calls('bridge')).toEqual([]);
  });

  test('FAILED while the request is still being sent is a failure with the reason of the daemon', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      readHello(await conversation.read());
      conversation.send(frame('READY'));
      const received = conversation.received;
      while (conversation.received === received) await pause(2);
      conversation.socket.pause();
      conversation.send(failed('the disk is full'));
    });
    expect(await world.run({ args: REFUSE, stdin: Buffer.alloc(4 * MIB) })).toMatchObject({
      code: 2,
      stderr: refused('the disk is full'),
    });
  });

  const invalid: readonly (readonly [string, Buffer])[] = [
    ['garbage', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a frame of no length', Buffer.from([0, 0, 0, 0, 6])],
    ['a frame of 72 MiB and one byte', Buffer.from([4, 0x80, 0, 1, 6, 0])],
    ['an unknown type', frame(77)],
    ['a type that only the client sends', frame('REQUEST')],
    ['READY a second time', frame('READY')],
    ['RETIRED after READY', retired()],
    ['WORKING with a body', frame('WORKING', Buffer.from('x'))],
    ['ANSWER without a body', frame('ANSWER')],
    ['ANSWER without stderr', frame('ANSWER', Buffer.concat([Buffer.from([0]), string('out')]))],
    [
      'ANSWER with a byte too many',
      frame('ANSWER', Buffer.concat([Buffer.from([0]), string(''), string(''), Buffer.from('x')])),
    ],
    ['ANSWER with a string longer than its frame', frame('ANSWER', Buffer.from([0, 0xff, 0xff, 0xff, 0xff]))],
    ['FAILED without a reason', frame('FAILED')],
  ];
  test.each(invalid)('after the request, %s is a failure and no hook is called again', async (_, bytes) => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      conversation.send(bytes);
      await conversation.closed;
    });
    expect(await world.run({ args: REFUSE })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: refused('the daemon sent an invalid answer'),
    });
    expect(world.calls('bridge')).toEqual([]);
    expect(world.calls('daemon')).toEqual([]);
  });

  test('an answer that comes before the whole request was sent is a failure', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      readHello(await conversation.read());
      conversation.send(frame('READY'));
      const received = conversation.received;
      while (conversation.received === received) await pause(2);
      conversation.socket.pause();
      conversation.send(answer(0, 'early'));
      await conversation.closed;
    });
    expect(await world.run({ args: REFUSE, stdin: Buffer.alloc(16 * MIB) })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: refused('the daemon sent an invalid answer'),
    });
  });

  const early: readonly (readonly [string, Buffer])[] = [
    ...invalid.slice(0, 5),
    ['WORKING', frame('WORKING')],
    ['an answer', answer(0, 'planted')],
    ['READY with a body', frame('READY', Buffer.from('x'))],
    ['RETIRED without a reason', frame('RETIRED')],
    ['READY and an answer at once', Buffer.concat([frame('READY'), answer(0, 'planted')])],
  ];
  test.each(early)('before the request, %s makes the client run the event directly', async (_, bytes) => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    const conversations = await world.daemon(async (conversation) => {
      await conversation.read();
      conversation.send(bytes);
      await conversation.closed;
    });
    const stdin = 'payload';
    expect(await world.run({ stdin })).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(world.calls('bridge').map((call) => call.stdin)).toEqual([stdin]);
    expect(conversations.length).toBeGreaterThan(0);
  });

  /** Where a daemon can go away, and what the client does then. */
  const before = [
    ['at once', async () => {}],
    ['after HELLO', async (conversation: Conversation) => void (await conversation.read())],
    [
      'in the middle of READY',
      async (conversation: Conversation) => {
        await conversation.read();
        conversation.send(frame('READY').subarray(0, 3));
      },
    ],
  ] as const;
  test.each(before)(
    'a daemon that goes away %s is tried twice, then the event runs directly',
    async (_, script) => {
      const world = newWorld();
      world.behave({ stdout: 'direct' });
      const conversations = await world.daemon(async (conversation) => {
        await script(conversation);
        conversation.socket.end();
      });
      expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
      expect(conversations).toHaveLength(2);
      expect(world.calls('bridge')).toHaveLength(1);
    },
  );

  test('a daemon that goes away while the client still waits for stdin is replaced', async () => {
    const world = newWorld();
    let client: ChildProcess | undefined;
    const conversations = await world.daemon(async (conversation) => {
      readHello(await conversation.read());
      conversation.send(frame('READY'));
      if (conversations.length === 1) return void conversation.socket.end();
      client?.stdin?.end('late');
      await conversation.read();
      conversation.send(answer(0, 'second'));
    });
    const ending = await world.run({ stdin: null, started: (child) => (client = child) });
    expect(ending).toMatchObject({ code: 0, stdout: 'second', stderr: '' });
    expect(conversations).toHaveLength(2);
  });

  const after = [
    ['after a part of the request', async () => {}, 8 * MIB],
    ['after the request', async (conversation: Conversation) => void (await conversation.read()), 10],
    [
      'after WORKING',
      async (conversation: Conversation) => {
        await conversation.read();
        conversation.send(frame('WORKING'));
        await pause(20);
      },
      10,
    ],
    [
      'in the middle of its answer',
      async (conversation: Conversation) => {
        await conversation.read();
        conversation.send(answer(0, 'half').subarray(0, 12));
      },
      10,
    ],
  ] as const;
  test.each(after)(
    'a daemon that goes away %s is a failure and no hook is called again',
    async (_, script, size) => {
      const world = newWorld();
      await world.daemon(async (conversation) => {
        readHello(await conversation.read());
        conversation.send(frame('READY'));
        const handedOver = conversation.received;
        while (conversation.received === handedOver) await pause(2);
        await script(conversation);
        conversation.socket.destroy();
      });
      expect(await world.run({ args: REFUSE, stdin: Buffer.alloc(size) })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: refused('the daemon stopped before it answered'),
      });
      expect(world.calls('bridge')).toEqual([]);
    },
  );

  test('RETIRED makes the client try once more, and a new daemon answers', async () => {
    const world = newWorld();
    const conversations = await world.daemon(async (conversation) => {
      if (conversations.length === 1) {
        await conversation.read();
        conversation.send(retired());
        return;
      }
      await conversation.accept();
      conversation.send(answer(0, 'new daemon'));
    });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'new daemon', stderr: '' });
    expect(conversations).toHaveLength(2);
  });

  test('RETIRED a second time makes the client run the event directly, without calling the daemon unresponsive', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    const conversations = await world.daemon(async (conversation) => {
      await conversation.read();
      conversation.send(retired());
    });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct' });
    expect(conversations).toHaveLength(2);
    expect(world.calls('bridge')[0]?.args).toEqual(['bridge', 'codex']);
  });

  test('a client that is killed closes its connection, and a half request ends there', async () => {
    const world = newWorld();
    let client: ChildProcess | undefined;
    const conversations = await world.daemon(async (conversation) => {
      readHello(await conversation.read());
      conversation.send(frame('READY'));
      const { received } = conversation;
      while (conversation.received === received) await pause(2);
      conversation.socket.pause();
      client?.kill('SIGKILL');
      await pause(100);
      conversation.socket.resume();
      await conversation.closed;
    });
    const ending = await world.run({ stdin: Buffer.alloc(16 * MIB), started: (child) => (client = child) });
    expect(ending.signal).toBe('SIGKILL');
    await conversations[0]?.closed;
    expect(conversations[0]?.received).toBeLessThan(16 * MIB);
  });
});
