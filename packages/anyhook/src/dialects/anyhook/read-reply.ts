/** What a hook brought back, as effects. Silence is no objection; only a whole document that says so is approval. */
import { looksLikeJson, readStrictJson, salvage } from '../../canon/document.ts';
import { type Effect, REFUSALS } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Answered, Breakage, Exited, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Answer } from '../../canon/outcome.ts';
import { ANSWER_KEYS, type AnswerRead, readAnswer, readJudgement, sense } from './read-answer.ts';
import { readEffects } from './read-effect.ts';
import { refuse } from './refuse.ts';

export function readReply(reply: Reply, event: Event, hook: Hook): Answer {
  switch (reply.kind) {
    case 'exited':
      return readExit(reply, event);
    case 'answered':
      return readBody(reply, event, hook);
    case 'returned':
      return answer(readValue(reply.value, event));
    case 'threw':
      return { effects: [], failed: { kind: 'failed', detail: reply.message } };
    case 'broken': {
      const effects = tightening(readStdout(reply.stdout ?? '', event));
      return {
        effects,
        failed: reply.why,
        ...(reply.notes && { notes: reply.notes }),
        ...printed(reply.stdout, reply.stderr),
      };
    }
  }
}

const readValue = (value: unknown, event: Event): AnswerRead =>
  sense(() => (value === undefined || value === null ? [] : readEffects([value].flat(), event)));

function readExit(reply: Exited, event: Event): Answer {
  const { code, stdout, stderr, notes } = reply;
  const read = readStdout(stdout, event, notes?.truncated?.stdout);
  const beside = {
    ...(notes && { notes }),
    // Once understood, the answer itself is not beside the answer.
    ...printed(read.kind === 'document' && read.ok ? '' : stdout, stderr),
  };
  if (code === 2) return { ...refusal(read, stderr, event), ...beside };
  if (code === 0) return { ...answer(read), ...beside };
  return { effects: tightening(read), failed: ended(code, stderr), ...beside };
}

/** Exit 2 is a "no", whatever was printed: also beside an approval, and beside what nobody can read. */
function refusal(read: StdoutRead, stderr: string, event: Event): Answer {
  const said = read.ok ? read.effects.filter(({ kind }) => kind !== 'allow') : [];
  const reason = stderr.trim() || undefined;
  const no = refuse(event.name, reason ?? 'refused by a hook that gave no reason');
  if (no === undefined)
    return {
      effects: tightening(read),
      failed: {
        kind: 'failed',
        detail: `exit 2, but ${event.name} cannot be refused${reason ? `: ${reason}` : ''}`,
      },
    };
  const own = said.find(({ kind }) => kind === no.kind);
  if (own === undefined) return { effects: [no, ...said] };
  const explained = 'reason' in own || reason === undefined ? own : { ...own, reason };
  return { effects: said.map((effect) => (effect === own ? (explained as Effect) : effect)) };
}

type StdoutRead = AnswerRead & { readonly kind: 'nothing' | 'document' | 'text' };

function readStdout(stdout: string, event: Event, lost = 0): StdoutRead {
  if (lost > 0)
    return {
      kind: 'text',
      ok: false,
      why: 'the output was cut at its limit, and what is missing may be the answer',
    };
  if (/^\uFEFF?\s*$/.test(stdout)) return { kind: 'nothing', ok: true, effects: [] };
  if (!looksLikeJson(stdout)) return { kind: 'text', ...readText(stdout, event) };
  const document = readStrictJson(stdout);
  return { kind: 'document', ...(document.ok ? readAnswer(document.value, event) : document) };
}

/** Text is a log. An answer in the middle of it may be an echo of somebody else's words: it can only tighten. */
function readText(text: string, event: Event): AnswerRead {
  const { objects, torn } = salvage(text);
  const answers = objects.filter((object) => Object.keys(object).some((key) => ANSWER_KEYS.has(key)));
  const reads = answers.map((object) => readAnswer(object, event));
  const effects = reads.flatMap((read) => (read.ok ? read.effects : []));
  const strict = effects.filter(({ kind }) => REFUSALS.has(kind));
  const unclear = reads.some((read) => !read.ok || read.effects.every(({ kind }) => !REFUSALS.has(kind)));
  const half = torn.some((line) => [...ANSWER_KEYS].some((key) => line.includes(`"${key}"`)));
  if (strict.length > 0 && !unclear && !half && !effects.some(loosens)) return { ok: true, effects: strict };
  if (answers.length === 0 && !half) return { ok: true, effects: [] };
  return {
    ok: false,
    why: 'an answer among other text: print the JSON alone, and logs to stderr',
    effects: strict,
  };
}
const loosens = ({ kind }: Effect): boolean => kind === 'allow' || kind === 'set';

function readBody({ status, body }: Answered, event: Event, hook: Hook): Answer {
  if (status < 200 || status > 299) return { effects: [], failed: ended(status, body), ...printed(body) };
  if (hook.run.kind !== 'prompt') {
    const read = readStdout(body, event);
    return { ...answer(read), ...(read.kind === 'document' && read.ok ? {} : printed(body)) };
  }
  const document = readStrictJson(unfenced(body));
  const read = document.ok ? readJudgement(document.value, event) : document;
  return { ...answer(read), ...printed(body) };
}

/** Models like to put a fence around their JSON, all of it. */
const unfenced = (body: string): string => /^\s*```(?:json)?\r?\n(.*)\r?\n```\s*$/s.exec(body)?.[1] ?? body;

const answer = (read: AnswerRead): Answer =>
  read.ok
    ? { effects: read.effects }
    : { effects: read.effects ?? [], failed: { kind: 'unreadable', detail: read.why } };
const tightening = (read: AnswerRead): readonly Effect[] =>
  (read.effects ?? []).filter(({ kind }) => REFUSALS.has(kind));
const ended = (code: number, said: string): Breakage => ({
  kind: 'failed',
  detail: said.trim() === '' ? `ended with ${code}` : `ended with ${code}: ${said.trim().slice(0, 500)}`,
});
function printed(...texts: readonly (string | undefined)[]): Pick<Answer, 'printed'> {
  const said = texts.filter((text) => text?.trim()).join('\n');
  return said === '' ? {} : { printed: said };
}
