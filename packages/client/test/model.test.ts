/** Checks the protocol over all orders of steps, crashes and timeouts, and the check itself with deliberate mistakes. */

import { describe, expect, test } from 'vitest';
import { eventModel, type Mistake as EventMistake } from './event-model.ts';
import { explore } from './explore.ts';
import { lockModel, type Mistake as LockMistake } from './lock-model.ts';

describe('one event', () => {
  const size = { clients: 2, daemons: 2 };

  test('hooks run at most once and an answer is never made up, over all orders of steps and crashes', () => {
    const { states, violation } = explore(eventModel(size));
    expect(violation).toBeUndefined();
    expect(states).toMatchInlineSnapshot(`171104`);
  });

  const once = 'hooks of an event run at most once';
  test.each<readonly [EventMistake, string]>([
    ['the client runs the event directly when the daemon goes away after the request', once],
    ['the client runs the event directly when the daemon is silent after the request', once],
    ['the client runs the event directly on FAILED', once],
    ['the client tries again when the daemon goes away after the request', once],
    ['the daemon runs a half request', 'a request that does not arrive in full is never run'],
    [
      'the client takes the end of the connection for an answer',
      'an answer is given only if the hooks have run',
    ],
  ])('the check finds the mistake that %s', (mistake, rule) => {
    const { violation } = explore(eventModel({ ...size, mistake }));
    expect(violation?.rule).toBe(rule);
    expect(violation?.steps.length).toBeGreaterThan(3);
  });
});

describe('the start of the daemon', () => {
  const size = { clients: 3, daemons: 2, periods: 3 };

  test('clients never start two daemons at the same time, over all orders of steps and crashes', () => {
    const { states, violation } = explore(lockModel(size));
    expect(violation).toBeUndefined();
    expect(states).toMatchInlineSnapshot(`94569`);
  });

  test.each<readonly [LockMistake]>([
    ['there is no lock'],
    ['a client removes a lock that another one made'],
    ['a client does not connect once more when it has its lock'],
    ['a client does not look for a lock of the period before'],
    ['a client does not read the clock again'],
  ])('the check finds the mistake that %s', (mistake) => {
    const { violation } = explore(lockModel({ ...size, mistake }));
    expect(violation?.rule).toBe('at most one daemon starts or listens at a time');
  });
});
