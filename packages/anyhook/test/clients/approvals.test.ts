/**
 * A hook asks, and the user answers from elsewhere while the real agent waits. `APPROVAL_HOLD_S=90` keeps the agent waiting longer than
 * the default limits of most agents for hooks.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgentName } from '../../src/agents/index.ts';
import type { AnswerKind } from '../../src/approvals/answer-kind.ts';
import type { Question } from '../../src/approvals/question.ts';
import { ApprovalStore } from '../../src/approvals/store.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { keepResults } from './results.ts';
import { runAgent } from './run-agent.ts';

const HOLD_S = Number(process.env['APPROVAL_HOLD_S'] ?? 3);
const NOTE = 'write to another file';
const COMMANDS = [
  'touch approved.txt',
  'touch refused.txt',
  'touch held.txt',
  'touch late.txt',
  'touch late.txt',
];

const seen = new Map<AgentName, object>();
afterAll(() => keepResults('approvals', seen));

const settings = {
  approvals: { mode: 'always', waitUnseen: true, waitSeconds: HOLD_S + 5 },
  hooks: {
    'tool.before': [
      { match: 'shell(touch *)', run: `echo '{"decision":"ask","reason":"a person decides"}'` },
    ],
  },
};

interface Answered {
  readonly call: string;
  /** From the request of the model to the question. */
  readonly visibleMs: number;
}

/** Answers as the user would, until it is stopped. */
function user(home: string, project: string, calledAt: () => number) {
  const store = new ApprovalStore(join(home, '.local/state/anyhook/approvals'));
  const answered: Answered[] = [];
  const known = new Set<string>();
  /** Files of calls that ran before they were approved. */
  const early = new Set<string>();
  const give = ({ hash }: Question, kind: AnswerKind, note?: string) =>
    store.give({
      hash,
      kind,
      ...(note !== undefined && { note }),
      answeredAt: new Date().toISOString(),
      where: 'test',
      who: 'ana',
    });
  const look = (): void => {
    for (const question of store.list()) {
      const { hash, call } = question;
      if (!known.has(hash)) answered.push({ call, visibleMs: Date.now() - calledAt() });
      known.add(hash);
      const file = /\w+\.txt/.exec(call)?.[0] ?? '';
      if (existsSync(join(project, file))) early.add(file);
      const ageMs = Date.now() - Date.parse(question.askedAt);
      if (call.includes('refused.txt')) give(question, 'refuse', NOTE);
      else if (call.includes('held.txt') && ageMs < HOLD_S * 1000) continue;
      // The time of the first try is over, and the second finds the approval.
      else if (call.includes('late.txt') && question.heldUntil !== undefined) continue;
      else give(question, 'once');
    }
  };
  const timer = setInterval(look, 20);
  return { answered, early, stop: () => clearInterval(timer) };
}

describe.each(CHOSEN)('%s', (agent) => {
  test('a question is answered from elsewhere, and exactly the approved calls run', async () => {
    let calledAt = 0;
    let asked: ReturnType<typeof user> | undefined;
    const result = await runAgent(
      agent,
      {
        script: [...COMMANDS.map((shell) => ({ shell })), { text: 'done' }],
        beforeCall: () => (calledAt = Date.now()),
        async prepare({ home, project, anyhook }) {
          put(home, '.config/anyhook/hooks.json', settings);
          await anyhook(['install', agent, '--json']);
          asked = user(home, project, () => calledAt);
        },
      },
      ({ has, conversation, journal, output }) => ({
        ran: ['approved.txt', 'refused.txt', 'held.txt', 'late.txt'].filter(has),
        isNoteTold: conversation.includes(NOTE),
        isRetryTold: conversation.includes('may try it again'),
        recorded: ['"once"', '"refuse"', '"waiting"'].filter((kind) => journal.includes(`"kind":${kind}`)),
        output,
      }),
    );
    asked?.stop();
    const { output, ...others } = result;
    const facts = { ...others, early: [...(asked?.early ?? [])] };
    const visible = asked?.answered.map(({ visibleMs }) => visibleMs).toSorted((a, b) => a - b) ?? [];
    seen.set(agent, {
      ...facts,
      holdSeconds: HOLD_S,
      medianVisibleMs: visible[Math.floor(visible.length / 2)],
    });
    expect(facts, output).toEqual({
      early: [],
      ran: ['approved.txt', 'held.txt', 'late.txt'],
      isNoteTold: true,
      isRetryTold: true,
      recorded: ['"once"', '"refuse"', '"waiting"'],
    });
  });
});
