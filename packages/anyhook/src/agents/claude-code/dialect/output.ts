/** Converts the exit code and output of a Claude Code hook to effects. */

import { isAbsolute } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import { shown } from '../../../events/checker.ts';
import { readFirstDocument, readFencedJson } from '../../../events/document.ts';
import {
  context,
  type Effect,
  type Fields,
  give,
  notice,
  resume,
  tightens,
  deny,
  set,
  halt,
} from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { HttpReply, HookFailure, ExitReply, Reply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer } from '../../../events/outcome.ts';
import {
  marksOf,
  type MixedOutput,
  type Printout,
  readBroken,
  readPrintout,
  refusedBoth,
  unreadable,
  withNotes,
} from '../../../events/printout.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import { salvage } from '../../../events/salvage.ts';
import { blocked } from './block.ts';
import { effectsOf } from './effects-of.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';
import { type JsonRead, readJson } from './read-json.ts';
import { writeClaudeReply } from './write.ts';

/** The hook creates the worktree and prints its path in the last line. */
function worktreeEffects({ code, stdout, stderr }: ExitReply): Effect[] {
  if (code !== 0) return [deny(stderr.trim() || `ended with ${code}`)];
  const lines = stdout.replaceAll(ANSI, '').split('\n');
  return worktreeAt(lines.map((line) => line.trim()).findLast((line) => line !== ''));
}

function worktreeAt(path: string | undefined): Effect[] {
  if (path === undefined) return [deny('the hook returned no path')];
  if (!isAbsolute(path)) return [deny(`${path} is not an absolute path`)];
  if (path.split(/[\\/]/).some((part) => part === '.' || part === '..'))
    return [deny(`${path} holds . or ..`)];
  return [set('body', 'worktreePath', path)];
}

// oxlint-disable-next-line no-control-regex -- that is what they are
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

export const output = { read, write: writeClaudeReply };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  switch (reply.kind) {
    case 'exited':
      return withNotes(
        { ...withVariables(readExit(reply, event, hook), reply), ...printed(reply) },
        reply.notes,
      );
    case 'answered':
      return readAnswered(reply, event, hook);
    case 'returned':
      return reply.value === undefined || reply.value === null
        ? SILENT
        : readObject(reply.value, event, hook);
    case 'threw':
      return failed({ kind: 'failed', detail: reply.message });
    case 'broken':
      return readBroken(reply, (ended) => readExit(ended, event, hook));
  }
}

const SILENT: Answer = { effects: [] };
const failed = (why: HookFailure, effects: readonly Effect[] = []): Answer => ({ effects, failed: why });

/** Lines in the file of CLAUDE_ENV_FILE count for every exit code. */
const withVariables = (answer: Answer, { exported = {} }: ExitReply): Answer =>
  Object.keys(exported).length === 0
    ? answer
    : { ...answer, effects: [...answer.effects, give('environment', exported)] };

/** Keys that identify a Claude Code answer in other text. */
const WORDS = { keys: ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision'] };

function readExit(reply: ExitReply, event: Event, hook: Hook): Answer {
  const { code, stdout, notes } = reply;
  const word = hook.on as ClaudeWord;
  if (hook.background) return readLate(reply, hook);
  const printout = readPrintout(stdout, WORDS, marksOf(notes));
  if (word === 'WorktreeCreate' && (code !== 0 || !isAnswer(printout)))
    return { effects: worktreeEffects(reply) };
  if (code === 2) return readRefusal(printout, reply.stderr, event, hook);
  const after = detached(reply, event, hook);
  if (after !== undefined) return readLate(after, hook);
  const answer = readPrinted(printout, event, hook);
  if (code === 0 || printout.kind === 'document') return answer;
  return failed({ kind: 'failed', detail: endOf(reply) }, answer.effects.filter(tightens));
}

const isAnswer = ({ kind }: Printout): boolean => kind === 'document' || kind === 'unsure';

/** Exit 2 blocks every event that can be blocked, whatever was printed. A reason in the JSON is preferred. */
function readRefusal(printout: Printout, stderr: string, event: Event, hook: Hook): Answer {
  const word = hook.on as ClaudeWord;
  const row = claudeEvent(word);
  const json = printout.kind === 'document' ? readJson(printout.value, word) : undefined;
  // An answer to an MCP server is ignored next to a refusal.
  if (json?.ok !== true || row.fields.includes('action')) {
    const beside = 'answers' in printout ? strictIn(printout.answers, event, hook) : [];
    return refused(refusedBoth(blocked(row.block, stderr), beside), word);
  }
  const { fields, specific } = json;
  const reason = [specific['permissionDecisionReason'], fields['reason']].find(
    (text) => typeof text === 'string',
  );
  const rest = effectsOf(
    { ...fields, decision: undefined },
    without(specific, 'permissionDecision'),
    event,
    word,
  );
  const no = blocked(row.block, (reason as string | undefined) ?? stderr);
  return refused([...no, ...rest.filter(({ kind }) => kind !== 'allow' && kind !== 'set')], word);
}

/** Exit 2 on an event that it cannot refuse is a failure of the hook. */
const refused = (effects: readonly Effect[], word: ClaudeWord): Answer =>
  effects.length > 0 ? { effects } : failed({ kind: 'failed', detail: `exit 2 does nothing on ${word}` });

const without = (fields: Fields, key: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));

/** Only output that starts with a brace is read as JSON; lists and quoted strings are not. */
function readPrinted(printout: Printout, event: Event, hook: Hook): Answer {
  switch (printout.kind) {
    case 'nothing':
      return SILENT;
    case 'document':
      return readObject(printout.value, event, hook);
    case 'unsure':
      return unreadable(printout.why, strictIn(printout.answers, event, hook));
    case 'mixed':
      return readMixed(printout, event, hook);
    case 'text':
      return claudeEvent(hook.on as ClaudeWord).plain ? { effects: [context(printout.text)] } : SILENT;
  }
}

function readObject(value: unknown, event: Event, hook: Hook): Answer {
  const word = hook.on as ClaudeWord;
  const json = readJson(value, word);
  if (!json.ok) return unreadable(json.why);
  if (word === 'WorktreeCreate')
    return { effects: worktreeAt(json.specific['worktreePath'] as string | undefined) };
  return weighed(json, event, word);
}

/** Reports fields that Claude Code ignores. Such an answer cannot approve. */
function weighed(json: JsonRead & { ok: true }, event: Event, word: ClaudeWord): Answer {
  const effects = effectsOf(json.fields, json.specific, event, word);
  if (json.strays.length === 0) return { effects };
  return unreadable(
    json.strays.join('; '),
    effects.filter(({ kind }) => kind !== 'allow'),
  );
}

/**
 * Text is context on a few events, whatever it looks like. In Claude Code a greeting before the JSON hides the
 * decision. Here a refusal among other lines counts, and nothing that loosens.
 */
function readMixed({ text, answers, doubt }: MixedOutput, event: Event, hook: Hook): Answer {
  const strict = strictIn(answers, event, hook);
  if (strict.length > 0) return unreadable('text before the JSON: print only the answer', strict);
  if (claudeEvent(hook.on as ClaudeWord).plain)
    return { effects: [context(text)], ...(doubt !== undefined && { notes: { doubt } }) };
  return doubt === undefined ? SILENT : unreadable(doubt);
}
const strictIn = (answers: readonly Fields[], event: Event, hook: Hook): Effect[] =>
  answers.flatMap((answer) => readObject(answer, event, hook).effects.filter(tightens));

/** A background hook decides nothing, and its output is for the model. Invalid fields are dropped one by one. */
function readLate({ code, stdout, stderr, notes }: ExitReply, { extra }: Hook): Answer {
  if (code === 2 && extra?.['asyncRewake'] === true) {
    const { rewakeMessage, rewakeSummary } = extra;
    const output = stderr.trim() || stdout.trim();
    // The message introduces the output for the model. The summary is one line for the user.
    const text = [rewakeMessage, output].filter((part) => typeof part === 'string' && part !== '').join('\n');
    const summary = typeof rewakeSummary === 'string' && rewakeSummary !== '' ? [notice(rewakeSummary)] : [];
    return text === '' ? SILENT : { effects: [context(text), resume(text), ...summary] };
  }
  const printout = readPrintout(stdout, WORDS, marksOf(notes));
  if (printout.kind === 'unsure') return unreadable(printout.why);
  const broke: Pick<Answer, 'failed'> =
    code === 0 || code === 2 ? {} : { failed: { kind: 'failed', detail: endOf({ code, stderr }) } };
  if (printout.kind !== 'document') return { effects: [], ...broke };
  const { systemMessage, hookSpecificOutput } = printout.value;
  const added = isPlain(hookSpecificOutput) ? hookSpecificOutput['additionalContext'] : undefined;
  return {
    effects: [added, systemMessage].flatMap((text) => (typeof text === 'string' ? [context(text)] : [])),
    ...broke,
  };
}

/**
 * `{"async":true}` as the only content of the first document: the rest is not awaited. A guard that prints model output
 * may start this way by accident, so a refusal after it still counts.
 */
function detached(reply: ExitReply, event: Event, hook: Hook): ExitReply | undefined {
  const first = readFirstDocument(reply.stdout);
  const isAsync = first?.value['async'] === true && Object.keys(first.value).every((key) => ASYNC.has(key));
  if (!isAsync) return undefined;
  const { answers, torn, doubt } = salvage(first.rest, WORDS);
  const isSure = torn === undefined && doubt === undefined && strictIn(answers, event, hook).length === 0;
  return isSure ? { ...reply, stdout: first.rest } : undefined;
}
const ASYNC: ReadonlySet<string> = new Set(['async', 'asyncTimeout']);

/** A status never blocks. The text of an MCP tool is read like command output. */
function readAnswered({ status, body }: HttpReply, event: Event, hook: Hook): Answer {
  if (hook.run.kind === 'prompt') return { ...readClaudeJudgement(body, hook), printed: body };
  const printed = body.trim() === '' ? {} : { printed: body };
  if (status < 200 || status > 299)
    return { ...failed({ kind: 'failed', detail: `status ${status}` }), ...printed };
  if (body.trim() === '') return hook.on === 'WorktreeCreate' ? { effects: worktreeAt(undefined) } : SILENT;
  const printout = readPrintout(body, WORDS);
  if (isAnswer(printout) || hook.run.kind === 'mcp')
    return { ...readPrinted(printout, event, hook), ...printed };
  return { ...unreadable('the answer is not a JSON object'), ...printed };
}

const endOf = ({ code, stderr }: Pick<ExitReply, 'code' | 'stderr'>): string => {
  const [first = ''] = stderr.trim().split('\n');
  return first === '' ? `exit ${code}` : `exit ${code}: ${first.slice(0, 500)}`;
};

function printed({ stdout, stderr }: ExitReply): Pick<Answer, 'printed'> {
  const joined = [stdout, stderr].filter((text) => text.trim() !== '').join('\n');
  return joined === '' ? {} : { printed: joined };
}

/** Reads a judge's answer: `{ ok, reason?, impossible? }`. */
function readClaudeJudgement(body: string, hook: Hook): Answer {
  const document = readFencedJson(body);
  if (!document.ok) return unreadable(`the judge's answer is not JSON: ${document.why}`);
  if (!isPlain(document.value)) return unreadable(`the judge answered ${shown(document.value)}`);
  const { ok, reason, impossible } = document.value;
  if (typeof ok !== 'boolean') return unreadable(`"ok" is ${shown(ok)}; expected true or false`);
  if (reason !== undefined && typeof reason !== 'string') return unreadable('"reason" is not a string');
  if (impossible !== undefined && typeof impossible !== 'boolean')
    return unreadable('"impossible" is not true or false');
  return { effects: ok ? [] : objection(reason, impossible === true, hook) };
}

function objection(reason: string | undefined, isImpossible: boolean, { on, extra }: Hook): Effect[] {
  const { judged } = claudeEvent(on as ClaudeWord);
  if (judged === undefined) return [];
  // A judge that is an agent cannot declare the task impossible.
  if (judged.says === 'resume' && isImpossible && extra?.['agent'] !== true) return [];
  const ends = judged.ends === 'unless-continued' && extra?.['continueOnBlock'] !== true;
  const effects = blocked(judged.says, reason);
  if (!ends) return effects;
  return [...effects.filter(({ kind }) => kind !== 'resume'), halt(reason ?? NO_REASON)];
}
