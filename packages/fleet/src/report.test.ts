import type { ReadRecord } from 'anyhook/journal';
import { expect, test } from 'vitest';
import { countTrials, reportText } from './report.ts';

const record = (file: string, session: string, origin: object, reason = 'Not from here.'): ReadRecord =>
  ({
    ids: { session },
    origin,
    hooks: [
      {
        hook: { id: `${file}#who-publishes`, layer: 'managed', file, shadow: true },
        ignored: [{ why: 'shadow', effect: { kind: 'deny', reason } }],
      },
      { hook: { id: 'mine', layer: 'user', file: '/h/hooks.json' } },
    ],
  }) as unknown as ReadRecord; // The fields of a record that this test reads.

const RECORDS = [
  record('/etc/anyhook/policies/1/hooks.json', 's1', { machine: 'm1', user: 'ann' }),
  record('/etc/anyhook/policies/2/hooks.json', 's2', { machine: 'm2', user: 'bob' }),
  record('/etc/anyhook/policies/2/hooks.json', 's2', { machine: 'm2', user: 'bob' }, 'Nor that.'),
];

test('a managed hook is counted as one hook on all machines and in all policy versions', async () => {
  expect(await countTrials(RECORDS)).toEqual([
    {
      hook: 'hooks.json#who-publishes',
      file: '/etc/anyhook/policies/1/hooks.json',
      asked: 3,
      deny: 3,
      ask: 0,
      failed: 0,
      sessions: 2,
      machines: 2,
      users: 2,
      reasons: [
        { text: 'Not from here.', count: 2 },
        { text: 'Nor that.', count: 1 },
      ],
    },
  ]);
});

test('the report shows how often a hook would have refused, where, and with which reasons', async () => {
  expect(reportText(await countTrials(RECORDS))).toBe(`\
hooks.json#who-publishes  (/etc/anyhook/policies/1/hooks.json)
  would have refused 3 of 3, asked a person about 0, failed 0 times
  in 2 sessions, 2 users, 2 machines
       2 × Not from here.
       1 × Nor that.
`);
  expect(reportText([])).toBe('No hook in shadow was asked.\n');
});
