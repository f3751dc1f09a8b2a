import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Question } from '../approvals/question.ts';
import { makeSigner } from '../approvals/signature.ts';
import { locationsOf } from '../gather/folders.ts';
import { answerQuestion, approvalStore } from './answer-question.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-answer-')));
  for (const name of ['home', 'etc']) mkdirSync(join(root, name), { mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const question = (isManaged: boolean): Question => ({
  hash: 'a'.repeat(64),
  nonce: 'n1',
  askedAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
  agent: 'codex',
  project: '/p',
  folder: '/p',
  session: 's1',
  event: 'tool.before',
  tool: 'shell',
  call: '{"command":"git push"}',
  changed: [],
  reasons: [{ by: 'h', hook: 'h', text: '', isManaged }],
});

test.each([
  [
    'of the policy is left to the approver that it names',
    true,
    { mia: makeSigner().publicKey },
    'needs-signer',
  ],
  ['of the user is answered by the user', false, { mia: makeSigner().publicKey }, 'answered'],
  ['of a policy without named approvers is answered by the user', true, {}, 'answered'],
])('a question of a hook %s', (_, isManaged, signers, result) => {
  writeFileSync(join(root, 'etc/hooks.json'), JSON.stringify({ approvals: { signers } }));
  const managed = { folder: join(root, 'etc'), owner: process.getuid?.() ?? 0 };
  const locations = locationsOf({ home: join(root, 'home'), managed });
  const asked = question(isManaged);
  approvalStore(locations).ask(asked);
  expect(answerQuestion(asked, { kind: 'once', where: 'terminal', who: 'ana' }, locations)).toBe(result);
  expect(approvalStore(locations).answer(asked.hash) === undefined).toBe(result === 'needs-signer');
});
