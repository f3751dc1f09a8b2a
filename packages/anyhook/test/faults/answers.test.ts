/**
 * G1: no answer in any dialect crashes or hangs a reader, approves without being an approval, or loses a refusal
 * without a mark.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIALECTS } from '../../src/dialects.ts';
import { interpretReply } from '../../src/engine/ask.ts';
import type { Dialect } from '../../src/events/dialect.ts';
import { tightens } from '../../src/events/effects.ts';
import type { Reply } from '../../src/events/exchange.ts';
import type { Answer } from '../../src/events/outcome.ts';
import { type Dice, dice, mutated } from './random.ts';
import { control, counted, grouped, result, SEED } from './results.ts';
import { type Seat, SEATS } from './seats.ts';

const ANSWERS = counted(1_000_000);
const HANG_MS = 2_000;
/** Regression cases: answers that were once misread. */
const FOUND = join(import.meta.dirname, 'regressions/answers.json');

/** Documents with which hooks of all dialects allow, refuse and do other things. */
const DOCUMENTS = [
  '{"decision":"allow"}',
  '{"decision":"approve"}',
  '{"decision":"deny","reason":"no"}',
  '{"decision":"block","reason":"no"}',
  '{"block":true,"reason":"no"}',
  '{"block":false}',
  '{"continue":false,"stopReason":"enough"}',
  '{"continue":true,"systemMessage":"hello"}',
  '{"effects":[{"kind":"allow"},{"kind":"context","text":"c"}]}',
  '{"effects":[{"kind":"deny","reason":"no"}]}',
  '{"halt":true}',
  '{"permissionDecision":"allow","permissionDecisionReason":"yes"}',
  '{"permissionDecision":"deny","permissionDecisionReason":"no"}',
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}',
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}',
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny"}}}',
  '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"c"}}',
  '{"ok":true}',
  '{"ok":false,"reason":"no"}',
  '{"status":"allow"}',
  '{"status":"deny"}',
  '{"permission":"allow"}',
  '{"permission":"deny","user_message":"no"}',
  '{"input":{"command":"ls"}}',
  '{"async":true}',
  '{"__proto__":{"decision":"allow"}}',
  '{"decision":"deny","decision":"allow"}',
  'checked\n{"decision":"allow"}\n',
  'plain text',
  '',
];
const WORDS = [
  ...DOCUMENTS,
  '"decision"',
  '"allow"',
  '"deny"',
  '"ALLOW"',
  '"hookSpecificOutput"',
  '"effects"',
];
const CODES = [0, 0, 0, 0, 0, 1, 2, 2, 126, 127, 139, 255];

/** Paths at which some dialect reads an approval, listed by hand and independent of the readers. */
function approves(value: unknown): boolean {
  const of = (from: unknown, key: string): unknown =>
    typeof from === 'object' && from !== null ? (from as Record<string, unknown>)[key] : undefined;
  const own = of(value, 'hookSpecificOutput');
  const effects = of(value, 'effects');
  const kinds = Array.isArray(effects) ? effects : [effects, value];
  return (
    ['allow', 'approve'].includes(String(of(value, 'decision')).trim().toLowerCase()) ||
    of(value, 'permissionDecision') === 'allow' ||
    of(own, 'permissionDecision') === 'allow' ||
    of(of(own, 'decision'), 'behavior') === 'allow' ||
    of(of(value, 'decision'), 'behavior') === 'allow' ||
    of(value, 'status') === 'allow' ||
    of(value, 'permission') === 'allow' ||
    (Array.isArray(value) ? value : kinds).some((one) => of(one, 'kind') === 'allow')
  );
}
function wholeDocument(text: string): unknown {
  try {
    return JSON.parse(text.trim()); // Also without a byte order mark.
  } catch {
    return undefined;
  }
}

type Fault = 'crash' | 'hang' | 'approval nobody gave' | 'lost refusal' | 'lost failure';
interface Finding {
  readonly fault: Fault;
  readonly seat: string;
  readonly reply: Reply;
}
type ReadReply = (reply: Reply, seat: Seat) => Answer;

const read: ReadReply = (reply, { hook, dialect, about }) => interpretReply(reply, hook, dialect, about);
const isHeld = ({ effects, failed, notes }: Answer): boolean =>
  effects.some(tightens) || failed !== undefined || notes?.doubt !== undefined;

/** Effects that an event can have, found with minimal answers. */
function refusalsOf(seat: Seat) {
  const said = (reply: Reply) => read(reply, seat).effects.some(tightens);
  const ended = read({ kind: 'exited', code: 2, stdout: '', stderr: 'no' }, seat);
  return {
    byExit: ended.effects.some(tightens),
    /** Where refusing is too late, a refusal is context for the model or replaces a result. */
    toldBy: new Set(ended.effects.map(({ kind }) => kind)),
    documents: DOCUMENTS.filter(
      (stdout) => stdout.startsWith('{') && said({ kind: 'exited', code: 0, stdout, stderr: '' }),
    ),
  };
}
const HEARD = new Map(SEATS.map((seat) => [seat, refusalsOf(seat)]));
const isReturned = ({ hook }: Seat): boolean => hook.run.kind === 'call';

function faultOf(reply: Reply, seat: Seat, reader: ReadReply): Fault | undefined {
  const started = performance.now();
  let answer: Answer;
  try {
    answer = reader(reply, seat);
  } catch {
    return 'crash';
  }
  if (performance.now() - started > HANG_MS) return 'hang';
  const heard = HEARD.get(seat)!;
  const isDecided = isDecidedByDocument(reply, seat);
  if (answer.effects.some(({ kind }) => kind === 'allow') && !(isDecided || mayApprove(reply)))
    return 'approval nobody gave';
  if (reply.kind === 'broken' && answer.failed === undefined) return 'lost failure';
  if (reply.kind !== 'exited') return undefined;
  if (reply.code === 2 && heard.byExit && !isHeld(answer)) return 'lost refusal';
  const isTold = answer.effects.some(({ kind }) => heard.toldBy.has(kind));
  if (reply.code !== 0 && reply.code !== 2 && !isDecided && !isTold && !isHeld(answer)) return 'lost failure';
  const lines = reply.stdout.split('\n');
  // A complete refusal on its own line must be recognized or marked as doubtful, whatever surrounds it.
  if (heard.documents.some((document) => lines.includes(document)) && !isHeld(answer)) return 'lost refusal';
  return undefined;
}
/** In these agents a complete document decides whatever the exit code is, except 2. */
const BY_DOCUMENT: ReadonlySet<string> = new Set(['claude-code', 'claude-agent-sdk', 'gemini-cli']);
function isDecidedByDocument(reply: Reply, { dialect }: Seat): boolean {
  if (reply.kind !== 'exited' || reply.code === 2 || !BY_DOCUMENT.has(dialect.name)) return false;
  const printed = dialect.name === 'gemini-cli' && reply.stdout.trim() === '' ? reply.stderr : reply.stdout;
  return wholeDocument(printed) !== undefined;
}
function mayApprove(reply: Reply): boolean {
  if (reply.kind === 'exited') return reply.code === 0 && approves(wholeDocument(reply.stdout));
  if (reply.kind === 'returned') return [reply.value, ...reply.args].some(approves);
  return reply.kind === 'answered' && approves(wholeDocument(reply.body));
}

function replyFor(seat: Seat, chance: Dice): Reply {
  const { below, pick } = chance;
  let text = pick(DOCUMENTS);
  for (let steps = below(6); steps > 0; steps--) text = mutated(text, WORDS, chance);
  if (below(8) === 0) text = `${pick(['log', '{', '[1]', ''])}\n${pick(DOCUMENTS)}\n${text}`;
  const kind = below(20);
  if (kind === 0)
    return {
      kind: 'broken',
      why: { kind: pick(['timed-out', 'killed', 'failed', 'unreadable']) },
      stdout: text,
    };
  if (kind === 1) return { kind: 'answered', status: pick([200, 204, 301, 404, 500]), body: text };
  if (kind === 2) return { kind: 'threw', message: text, args: [] };
  if (isReturned(seat) || kind === 3) {
    const value = wholeDocument(text) ?? pick([text, undefined, null, 7, [], true]);
    return { kind: 'returned', value, args: below(2) === 0 ? [] : [{}, value] };
  }
  const notes = below(50) === 0 ? { notes: { truncated: { stdout: 9 } } } : {};
  return { kind: 'exited', code: pick(CODES), stdout: text, stderr: pick(['', 'no', text]), ...notes };
}

function hunt(runs: number, seed: number, reader: ReadReply): Finding[] {
  const chance = dice(seed);
  const findings: Finding[] = [];
  for (let i = 0; i < runs; i++) {
    const seat = SEATS[i % SEATS.length]!;
    const reply = replyFor(seat, chance);
    const fault = faultOf(reply, seat, reader);
    if (fault !== undefined) findings.push({ fault, seat: `${seat.dialect.name} ${seat.hook.on}`, reply });
  }
  return findings;
}

test(`${grouped(ANSWERS)} answers are read safely by ${SEATS.length} readers`, () => {
  const findings = hunt(ANSWERS, SEED, read);
  if (findings.length > 0)
    writeFileSync(`${FOUND}.new`, `${JSON.stringify(findings.slice(0, 50), null, 1)}\n`);
  const of = (fault: Fault): number => findings.filter((one) => one.fault === fault).length;
  const dialects = new Set(SEATS.map(({ dialect }) => dialect.name)).size;
  result(
    'G1',
    `${grouped(ANSWERS)} answers, ${SEATS.length} readers of ${dialects} dialects, seed ${SEED}`,
    `${of('crash')} crashes, ${of('hang')} hangs, ${of('approval nobody gave')} approvals that nobody gave, ${of('lost refusal')} refusals and ${of('lost failure')} failures lost without a mark`,
  );
  expect(findings.slice(0, 5)).toEqual([]);
});

test('answers that were once misread are read correctly', () => {
  const kept = JSON.parse(readFileSync(FOUND, 'utf8')) as { name: string; seat: string; reply: Reply }[];
  const wrong = kept.filter(({ seat, reply }) => {
    const at = SEATS.find(({ dialect, hook }) => `${dialect.name} ${hook.on}` === seat)!;
    return faultOf(reply, at, read) !== undefined;
  });
  expect(wrong).toEqual([]);
});

/** Each mistake was made by a published reader. */
const CARELESS: Readonly<Record<string, { readonly fault: Fault; readonly reader: ReadReply }>> = {
  'an approval anywhere in the text counts': {
    fault: 'approval nobody gave',
    reader: (reply, seat) =>
      reply.kind === 'exited' && /"decision"\s*:\s*"allow"/.test(reply.stdout)
        ? { effects: [{ kind: 'allow' }] }
        : read(reply, seat),
  },
  'JSON decides, whatever the exit code': {
    fault: 'lost refusal',
    reader: (reply, seat) =>
      reply.kind === 'exited' && wholeDocument(reply.stdout) !== undefined
        ? read({ ...reply, code: 0 }, seat)
        : read(reply, seat),
  },
  'what is no JSON is plain text': {
    fault: 'lost refusal',
    reader: (reply, seat) =>
      reply.kind === 'exited' && reply.code === 0 && wholeDocument(reply.stdout) === undefined
        ? { effects: [] }
        : read(reply, seat),
  },
  'another exit code is nothing': {
    fault: 'lost failure',
    reader: (reply, seat) => {
      const { failed: _, ...answer } = read(reply, seat);
      return reply.kind === 'exited' && reply.code > 2 ? answer : read(reply, seat);
    },
  },
  'a reader may throw': {
    fault: 'crash',
    reader: (reply, { dialect, about, hook }) => {
      if (reply.kind === 'exited' && reply.stdout.startsWith('{')) JSON.parse(reply.stdout);
      return dialect.output.read(reply, about, hook);
    },
  },
};

test.each(Object.entries(CARELESS))('control: %s, and the hunt finds it', (name, { fault, reader }) => {
  const found = hunt(20_000, SEED, reader).filter((one) => one.fault === fault).length;
  control('G1', name, `${grouped(found)} of 20,000: ${fault}`);
  expect(found).toBeGreaterThan(0);
});

test('every dialect is covered by a reader', () => {
  const dialects: readonly Dialect[] = [...new Set(SEATS.map(({ dialect }) => dialect))];
  expect(dialects).toHaveLength(DIALECTS.length);
});
