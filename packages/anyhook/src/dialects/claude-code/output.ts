/** What a hook of Claude Code means by how it ends and by what it prints. */
import { isPlain } from '../../canon/changes.ts';
import { readStrictJson, salvage } from '../../canon/document.ts';
import { context, type Effect, type Fields, REFUSALS, resume } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Answered, Breakage, Exited, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Answer } from '../../canon/outcome.ts';
import { blocked } from './block.ts';
import { effectsOf } from './effects-of.ts';
import { type ClaudeWord, eventRow } from './events.ts';
import { readJudgement } from './judgement.ts';
import { type JsonRead, readJson } from './read-json.ts';
import { worktreeAt, worktreeOf } from './worktree.ts';
import { write } from './write.ts';

export const output = { read, write };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  switch (reply.kind) {
    case 'exited':
      return { ...readExit(reply, event, hook), ...beside(reply) };
    case 'answered':
      return readAnswered(reply, event, hook);
    case 'returned':
      return reply.value === undefined || reply.value === null
        ? SILENT
        : readObject(reply.value, event, hook);
    case 'threw':
      return failed({ kind: 'failed', detail: reply.message });
    case 'broken':
      return failed(reply.why);
  }
}

const SILENT: Answer = { effects: [] };
const failed = (why: Breakage, effects: readonly Effect[] = []): Answer => ({ effects, failed: why });
const unreadable = (detail: string, effects: readonly Effect[] = []): Answer =>
  failed({ kind: 'unreadable', detail }, effects);

function readExit(reply: Exited, event: Event, hook: Hook): Answer {
  const word = hook.on as ClaudeWord;
  if (hook.background) return readLate(reply, hook);
  if (word === 'WorktreeCreate' && (reply.code !== 0 || !startsAsJson(reply.stdout)))
    return { effects: worktreeOf(reply) };
  const said = detached(reply.stdout);
  if (said !== undefined) return readLate({ ...reply, stdout: said }, hook);
  if (reply.code === 2) return readRefusal(reply, event, hook);
  if (startsAsJson(reply.stdout)) return readText(reply.stdout, event, hook, reply.notes?.truncated?.stdout);
  if (reply.code !== 0) return failed({ kind: 'failed', detail: endOf(reply) });
  return readPlain(reply.stdout, event, hook);
}

/** Exit 2 blocks where something can be blocked, whatever was printed; a reason in the JSON is the better one. */
function readRefusal({ stdout, stderr }: Exited, event: Event, hook: Hook): Answer {
  const word = hook.on as ClaudeWord;
  const row = eventRow(word);
  const document = startsAsJson(stdout) ? readStrictJson(stdout) : undefined;
  const json = document?.ok === true ? readJson(document.value, word) : undefined;
  // An answer to a question of a server is not read beside a refusal of it.
  if (json?.ok !== true || row.fields.includes('action')) return { effects: blocked(row.block, stderr) };
  const { said, specific } = json;
  const reason = [specific['permissionDecisionReason'], said['reason']].find(
    (text) => typeof text === 'string',
  );
  const rest = effectsOf(
    { ...said, decision: undefined },
    without(specific, 'permissionDecision'),
    event,
    word,
  );
  return {
    effects: [
      ...blocked(row.block, (reason as string | undefined) ?? stderr),
      ...rest.filter(({ kind }) => kind !== 'allow' && kind !== 'set'),
    ],
  };
}

const without = (fields: Fields, key: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));

/** Only what begins with a brace wants to be read as JSON; a list or a quoted text does not. */
const startsAsJson = (text: string): boolean => /^\s*\{/.test(text.replace(/^\uFEFF/, ''));

function readText(text: string, event: Event, hook: Hook, cut?: number): Answer {
  if (cut !== undefined) return unreadable('the answer was cut at the limit for output');
  const document = readStrictJson(text);
  return document.ok ? readObject(document.value, event, hook) : unreadable(document.why);
}

function readObject(value: unknown, event: Event, hook: Hook): Answer {
  const word = hook.on as ClaudeWord;
  const json = readJson(value, word);
  if (!json.ok) return unreadable(json.why);
  if (word === 'WorktreeCreate')
    return { effects: worktreeAt(json.specific['worktreePath'] as string | undefined) };
  return weighed(json, event, word);
}

/** What Claude Code would not hear is said aloud; such an answer approves nothing. */
function weighed(json: JsonRead & { ok: true }, event: Event, word: ClaudeWord): Answer {
  const effects = effectsOf(json.said, json.specific, event, word);
  if (json.strays.length === 0) return { effects };
  return unreadable(
    json.strays.join('; '),
    effects.filter(({ kind }) => kind !== 'allow'),
  );
}

/**
 * Text is context on a few events. A greeting before the JSON hides the decision from Claude Code; here a refusal among
 * other lines counts, and nothing that would loosen.
 */
function readPlain(stdout: string, event: Event, hook: Hook): Answer {
  const word = hook.on as ClaudeWord;
  const strict = salvage(stdout).objects.flatMap((object) => {
    const json = readJson(object, word);
    return json.ok ? effectsOf(json.said, json.specific, event, word).filter(tightens) : [];
  });
  if (strict.length > 0) return unreadable('text stands before the JSON: print the answer alone', strict);
  const text = stdout.trim();
  return eventRow(word).plain && text !== '' ? { effects: [context(text)] } : SILENT;
}
const tightens = ({ kind }: Effect): boolean => REFUSALS.has(kind) || kind === 'resume';

/** Nobody waits for it: it decides nothing, and all it says is for the model. Fields that are odd are dropped one by one. */
function readLate({ code, stdout, stderr }: Exited, { extra }: Hook): Answer {
  if (code === 2 && extra?.['asyncRewake'] === true) {
    const text = stderr.trim() || stdout.trim();
    return text === '' ? SILENT : { effects: [context(text), resume(text)] };
  }
  const document = startsAsJson(stdout) ? readStrictJson(stdout) : undefined;
  if (document?.ok !== true || !isPlain(document.value))
    return code === 0 || code === 2 ? SILENT : failed({ kind: 'failed', detail: endOf({ code, stderr }) });
  const { systemMessage, hookSpecificOutput } = document.value;
  const told = isPlain(hookSpecificOutput) ? hookSpecificOutput['additionalContext'] : undefined;
  return {
    effects: [told, systemMessage].flatMap((text) => (typeof text === 'string' ? [context(text)] : [])),
  };
}

/** `{"async":true}` as the first line: what follows is not waited for. */
function detached(stdout: string): string | undefined {
  const [first = '', ...rest] = stdout.trimStart().split('\n');
  if (!first.startsWith('{')) return undefined;
  const document = readStrictJson(first);
  const isAsync = document.ok && isPlain(document.value) && document.value['async'] === true;
  return isAsync ? rest.join('\n') : undefined;
}

/** A status never blocks. An MCP tool's text is read like output. */
function readAnswered({ status, body }: Answered, event: Event, hook: Hook): Answer {
  if (hook.run.kind === 'prompt') return { ...readJudgement(body, hook), printed: body };
  const printed = body.trim() === '' ? {} : { printed: body };
  if (status < 200 || status > 299)
    return { ...failed({ kind: 'failed', detail: `status ${status}` }), ...printed };
  if (body.trim() === '') return hook.on === 'WorktreeCreate' ? { effects: worktreeAt(undefined) } : SILENT;
  if (startsAsJson(body)) return { ...readText(body, event, hook), ...printed };
  if (hook.run.kind === 'mcp') return { ...readPlain(body, event, hook), ...printed };
  return { ...unreadable('the answer is no JSON object'), ...printed };
}

const endOf = ({ code, stderr }: Pick<Exited, 'code' | 'stderr'>): string => {
  const [first = ''] = stderr.trim().split('\n');
  return first === '' ? `exit ${code}` : `exit ${code}: ${first.slice(0, 500)}`;
};

function beside({ stdout, stderr, notes }: Exited): Pick<Answer, 'notes' | 'printed'> {
  const printed = [stdout, stderr].filter((text) => text.trim() !== '').join('\n');
  return { ...(notes && { notes }), ...(printed !== '' && { printed }) };
}
