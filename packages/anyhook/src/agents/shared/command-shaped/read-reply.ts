/** Converts the exit code and output of a hook to effects. */
import { isPlain } from '../../../events/changes.ts';
import { shown } from '../../../events/checker.ts';
import {
  allow,
  ask,
  context,
  deny,
  type Effect,
  cancel,
  type Fields,
  halt,
  notice,
  resume,
  set,
  tightens,
} from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply, Reply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { changesIn } from '../../../events/lexicon.ts';
import type { Answer } from '../../../events/outcome.ts';
import {
  marksOf,
  type Printout,
  readBroken,
  readPrinted,
  readPrintout,
  refusedBoth,
  unreadable,
  withNotes,
} from '../../../events/printout.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import { textIn } from '../claude-shaped/translation.ts';
import type { Hearing, ReadExit, ShapedEvent, ShapedTerms } from './terms.ts';

const KEYS = ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision', 'modifiedArgs'];
const DECISIONS = ['allow', 'approve', 'ask', 'block', 'deny'];
const PERMISSIONS = ['allow', 'ask', 'defer', 'deny'];
type ReadObject = (said: unknown) => Answer;

type ReaderTerms = Pick<ShapedTerms<string>, 'events' | 'hearing' | 'tools' | 'answers' | 'shown'>;

export function readerOf({ events, hearing, tools, answers, shown: agent }: ReaderTerms) {
  const words = { keys: [...KEYS, ...(answers?.keys ?? [])] };
  const exit = hearing.readExit ?? readExitBy(hearing.refusingExit);
  return function read(reply: Reply, event: Event, hook: Hook): Answer {
    const word = hook.on;
    const row: ShapedEvent = events[word]!; // hooks of this dialect only have events of this dialect
    switch (reply.kind) {
      case 'exited':
        return withNotes(readEnd(reply, reply.code === 0 ? readObject : readDamaged), reply.notes);
      case 'returned':
        return reply.value === undefined ? { effects: [] } : readObject(reply.value);
      case 'answered':
        return unreadable(`${agent} does not support HTTP hooks`);
      case 'threw':
        return { effects: [], failed: { kind: 'failed', detail: reply.message } };
      case 'broken':
        return readBroken(reply, (ended) => readEnd(ended, readDamaged));
    }

    function readEnd(ended: ExitReply, object: ReadObject): Answer {
      return exit(ended, {
        word,
        event: row,
        printoutOf: (text, stream) => readPrintout(text, words, marksOf(ended.notes, stream)),
        read: (printout) => readText(printout, object),
        refused: (reason) => refused(row, reason, event),
      });
    }

    /** Text is context on a few events, whatever it looks like. A refusal on a line of its own always counts. */
    function readText(printout: Printout, object: ReadObject): Answer {
      return readPrinted(printout, {
        object,
        salvaged: readDamaged,
        text: (text) =>
          row.text === 'error'
            ? unreadable('the output is not JSON')
            : { effects: [...contextOf(text), ...noticeOf(text)] },
        mixed: ({ text, doubt = 'the output has text around the JSON answer' }, strict) =>
          strict.length > 0 || !row.plain
            ? unreadable(doubt, [...strict, ...noticeOf(text)])
            : { effects: contextOf(text), notes: { doubt } },
      });
    }

    function contextOf(text: string): Effect[] {
      return row.plain ? [context(text)] : [];
    }
    function noticeOf(text: string): Effect[] {
      return row.text === 'notice' ? [notice(text)] : [];
    }

    function readObject(said: unknown): Answer {
      if (!isPlain(said)) return unreadable(`${shown(said)} is not an answer; expected an object`);
      const discarded = hearing.strict?.fault(said, row, word);
      if (discarded !== undefined) return unreadable(discarded);
      const value = answers?.read(said, row) ?? said;
      const effects = effectsIn(value);
      const fault = hearing.strict === undefined ? faultIn(value) : undefined;
      // Reports fields that the agent does not read. Such an answer cannot approve.
      return fault === undefined ? { effects } : unreadable(fault, effects.filter(tightens));
    }

    /** In damaged output, and for a failed hook, a refusal counts even if the agent would discard the answer. */
    function readDamaged(said: unknown): Answer {
      const answer = readObject(said);
      if (answer.effects.length > 0 || !isPlain(said)) return answer;
      const reason = hearing.strict?.refusal?.(said);
      const no = reason === undefined ? undefined : refused(row, reason, event);
      return no === undefined ? answer : { ...answer, effects: [no] };
    }

    function effectsIn(value: Fields): Effect[] {
      const nested = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
      const specific: Fields = hearing.flat === 'yes' ? { ...value, ...nested } : nested;
      const effects: Effect[] = [];
      const reason = textIn(value, 'reason');
      if (heard().includes(value['decision'] as string)) {
        const no = refused(row, reason ?? NO_REASON, event);
        if (no !== undefined) effects.push(no);
      }
      if (hearing.asks && value['decision'] === 'ask' && row.block === 'deny') effects.push(ask(reason));
      effects.push(...permission(specific));
      if (value['continue'] === false) effects.push(...stopped(row, textIn(value, 'stopReason')));
      const told =
        textIn(specific, 'additionalContext') ?? (row.plain ? textIn(value, 'message') : undefined);
      if (told !== undefined && row.context) effects.push(context(told));
      const message = textIn(value, 'systemMessage');
      if (message !== undefined && !row.silent) effects.push(notice(message));
      return effects;
    }

    /** Reports a decision that the agent does not read here, or with an unknown value. */
    function faultIn(value: Fields): string | undefined {
      const { decision, continue: goesOn, hookSpecificOutput: nested, permissionDecision: top } = value;
      if (goesOn !== undefined && typeof goesOn !== 'boolean')
        return `"continue" is ${shown(goesOn)}, not true or false`;
      if (nested !== undefined && !isPlain(nested))
        return `"hookSpecificOutput" is ${shown(nested)}; expected an object`;
      const named = (nested as Fields | undefined)?.['hookEventName'];
      if (typeof named === 'string' && !isThis(named))
        return `"hookEventName" is ${shown(named)}, the event is ${word}`;
      if (top !== undefined && hearing.flat === 'no')
        return '"permissionDecision" is outside "hookSpecificOutput"';
      const permission = top ?? (nested as Fields | undefined)?.['permissionDecision'];
      if (permission !== undefined && !PERMISSIONS.includes(permission as string))
        return `permissionDecision ${shown(permission)} is not known`;
      if (decision === undefined) return undefined;
      if (!DECISIONS.includes(decision as string)) return `decision ${shown(decision)} is not known`;
      const isNo = decision === 'block' || decision === 'deny';
      return isNo && row.block !== null && !heard().includes(decision)
        ? `${agent} does not support decision ${shown(decision)} on ${word}`
        : undefined;
    }
    /** Accepts any casing, and any name that the agent has for this event. */
    function isThis(named: string): boolean {
      return named.toLowerCase() === word.toLowerCase() || events[named]?.on === row.on;
    }
    function heard(): readonly string[] {
      return hearing.unheard?.includes(row.on) === true ? [] : hearing.decisions(row.block);
    }

    function permission(specific: Fields): Effect[] {
      const { permissionDecision: decision } = specific;
      const reason = textIn(specific, 'permissionDecisionReason');
      const isCall = row.on === 'tool.before';
      const isJudged = isCall || (row.on === 'tool.permission' && row.block === 'deny');
      const changed = hearing.changes.map((key) => specific[key]).find(isPlain);
      const no = decision === 'deny' ? refused(row, reason ?? NO_REASON, event) : undefined;
      return [
        ...(no === undefined ? [] : [no]),
        ...(isCall && decision === 'ask' ? [ask(reason)] : []),
        ...(isJudged && decision === 'allow' ? [allow(reason)] : []),
        ...(isCall && decision !== 'deny' && changed !== undefined ? changesIn(tools, event, changed) : []),
      ];
    }
  };
}

/** Reads stdout as the answer. Some exit codes refuse, with stderr as the reason. */
const readExitBy =
  (refusingExit: NonNullable<Hearing['refusingExit']> = (code) => code === 2): ReadExit =>
  ({ code, stdout, stderr }, { word, event, printoutOf, read, refused }) => {
    const said = read(printoutOf(stdout, 'stdout'));
    if (code === 0) return said;
    const strict = said.effects.filter(tightens);
    if (!refusingExit(code, event))
      return { effects: strict, failed: { kind: 'failed', detail: `exit ${code}: ${stderr.trim()}` } };
    const no = refused(stderr.trim() || NO_REASON);
    return no === undefined
      ? unreadable(`exit ${code} does not block ${word}`, strict)
      : { effects: refusedBoth([no], strict) };
  };

function stopped({ block, stop }: ShapedEvent, reason: string | undefined): Effect[] {
  if (stop === undefined && block === null) return [];
  return [stop === 'cancel' ? cancel(reason) : halt(reason)];
}

/** Returns the effect of a refusal; undefined if it has none on this event. */
function refused({ block }: ShapedEvent, reason: string, { name }: Event): Effect | undefined {
  switch (block) {
    case 'deny':
      return deny(reason);
    case 'resume':
      return resume(reason);
    case 'tell':
      return context(reason);
    case 'replace':
      return name === 'tool.failed' ? set('error', reason) : set('content', [{ type: 'text', text: reason }]);
    case null:
      return undefined;
  }
}
