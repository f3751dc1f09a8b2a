import { expect, test } from 'vitest';
import type { Question } from '../approvals/question.ts';
import { plain } from '../render/paint.ts';
import { questionLine, questionLines } from './question-lines.ts';

const SCREEN = { paint: plain, width: 100, cwd: '/p', home: '/home/ana' };
const HOSTILE = 'a\u001b[2Jb\u202ec\u0007';

test('no text of a question steers the terminal, also when it comes from another machine', () => {
  const question: Question = {
    hash: 'a'.repeat(64),
    nonce: 'n1',
    askedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    agent: HOSTILE,
    from: HOSTILE,
    project: `/${HOSTILE}`,
    folder: `/other/${HOSTILE}`,
    session: HOSTILE,
    title: HOSTILE,
    subagent: HOSTILE,
    event: HOSTILE,
    tool: HOSTILE,
    call: JSON.stringify({ command: HOSTILE, path: HOSTILE }),
    changed: [HOSTILE],
    reasons: [{ by: HOSTILE, hook: HOSTILE, text: HOSTILE, isManaged: true }],
    failedNotices: [HOSTILE],
  };
  const lines = [questionLine(question, SCREEN), ...questionLines(question, SCREEN)];
  expect(lines.filter((line) => /[\p{Cc}\u202e]/u.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes('b')).length).toBeGreaterThan(10);
});
