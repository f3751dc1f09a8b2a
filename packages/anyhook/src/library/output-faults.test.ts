/** Output of real guard processes in our dialect: only a complete, valid document can be consent. */

import { expect, test } from 'vitest';
import { before, ground, shell, USER } from './fixtures/ground.ts';

const ALLOW = '{"decision":"allow"}';

async function judged(script: string) {
  const { put, open } = ground();
  const guard = put('home/guard', `#!/bin/sh\ncat >/dev/null\n${script}\n`);
  put(USER, JSON.stringify(before({ name: 'guard', run: [guard] })));
  const hooks = await open({ trust: { selfProtection: false }, journal: false });
  const { verdict, runs } = await hooks.fire(shell('ls'));
  return [verdict, runs[0]?.answer?.failed?.kind];
}

test.each([
  ['a sound approval', `echo '${ALLOW}'`, ['allow', undefined]],
  ['a byte order mark and carriage returns', `printf '\\357\\273\\277${ALLOW}\\r\\n'`, ['allow', undefined]],
  ['nothing', 'exit 0', ['none', undefined]],
  ['exit 2 beside an approval', `echo '${ALLOW}'; exit 2`, ['deny', undefined]],
  ['another exit code', 'exit 3', ['deny', 'failed']],
  ['a command that is not there', 'no-such-command-here', ['deny', 'failed']],
  ['death by a signal', 'kill -SEGV $$', ['deny', 'killed']],
  ['partial JSON', `printf '{"decision":"all'`, ['deny', 'unreadable']],
  ['an approval after log lines', `echo starting; echo '${ALLOW}'`, ['deny', 'unreadable']],
  ['a refusal after log lines', `echo starting; echo '{"decision":"deny"}'`, ['deny', undefined]],
  ['two documents', `echo '${ALLOW}'; echo '${ALLOW}'`, ['deny', 'unreadable']],
  ['a key twice', `echo '{"decision":"deny","decision":"allow"}'`, ['deny', 'unreadable']],
  ['a poisoned prototype', `echo '{"__proto__":${ALLOW}}'`, ['deny', 'unreadable']],
  ['a nesting without end', `printf '[%.0s' $(seq 1 5000)`, ['deny', 'unreadable']],
  ['a word in the wrong case', `echo '{"decision":"Allow"}'`, ['deny', 'unreadable']],
  [
    'more than is read',
    `printf '{"reason":"'; head -c 3000000 /dev/zero | tr '\\0' x`,
    ['deny', 'unreadable'],
  ],
])('%s', async (_, script, expected) => {
  expect(await judged(script)).toEqual(expected);
});
