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
import type { AnswerReading, ReadExit, ShapedEvent, ShapedTerms } from './terms.ts';

const KEYS = ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision', 'modifiedArgs'];
const DECISIONS = ['allow', 'approve', 'ask', 'block', 'deny'];
const PERMISSIONS = ['allow', 'ask', 'defer', 'deny'];
type ReadObject = (value: unknown) => Answer;

type ReaderTerms = Pick<ShapedTerms<string>, 'events' | 'reading' | 'tools' | 'answers' | 'shown'>;

export function readerOf(terms: ReaderTerms) {
  const family: ReaderFamily = {
    ...terms,
    words: { keys: [...KEYS, ...(terms.answers?.keys ?? [])] },
    exit: terms.reading.readExit ?? readExitBy(terms.reading.refusingExit),
  };
  return (reply: Reply, event: Event, hook: Hook): Answer =>
    new ReplyReader(family, event, hook.on).read(reply);
}

interface ReaderFamily extends ReaderTerms {
  /** Keys that identify a JSON object as an answer. */
  readonly words: { readonly keys: readonly string[] };
  readonly exit: ReadExit;
}

/** Reads the reply of one hook to one event. */
class ReplyReader {
  readonly #terms: ReaderFamily;
  readonly #event: Event;
  /** The agent's name for the event. */
  readonly #word: string;
  readonly #row: ShapedEvent;

  constructor(terms: ReaderFamily, event: Event, word: string) {
    this.#terms = terms;
    this.#event = event;
    this.#word = word;
    this.#row = terms.events[word]!; // hooks of this dialect only have events of this dialect
  }

  read(reply: Reply): Answer {
    switch (reply.kind) {
      case 'exited':
        return withNotes(
          this.#readEnd(reply, reply.code === 0 ? this.#readObject : this.#readDamaged),
          reply.notes,
        );
      case 'returned':
        return reply.value === undefined ? { effects: [] } : this.#readObject(reply.value);
      case 'answered':
        return unreadable(`${this.#terms.shown} does not support HTTP hooks`);
      case 'threw':
        return { effects: [], failed: { kind: 'failed', detail: reply.message } };
      case 'broken':
        return readBroken(reply, (ended) => this.#readEnd(ended, this.#readDamaged));
    }
  }

  #readEnd(ended: ExitReply, object: ReadObject): Answer {
    return this.#terms.exit(ended, {
      word: this.#word,
      event: this.#row,
      printoutOf: (text, stream) => readPrintout(text, this.#terms.words, marksOf(ended.notes, stream)),
      read: (printout) => this.#readText(printout, object),
      refused: (reason) => refused(this.#row, reason, this.#event),
    });
  }

  /** Text is context on a few events, whatever it looks like. A refusal on a line of its own always counts. */
  #readText(printout: Printout, object: ReadObject): Answer {
    return readPrinted(printout, {
      object,
      salvaged: this.#readDamaged,
      text: (text) =>
        this.#row.text === 'error'
          ? unreadable('the output is not JSON')
          : { effects: [...this.#plainContext(text), ...this.#plainNotice(text)] },
      mixed: ({ text, doubt = 'the output has text around the JSON answer' }, strict) =>
        strict.length > 0 || !this.#row.plain
          ? unreadable(doubt, [...strict, ...this.#plainNotice(text)])
          : { effects: this.#plainContext(text), notes: { doubt } },
    });
  }

  #plainContext(text: string): Effect[] {
    return this.#row.plain ? [context(text)] : [];
  }

  #plainNotice(text: string): Effect[] {
    return this.#row.text === 'notice' ? [notice(text)] : [];
  }

  readonly #readObject = (value: unknown): Answer => {
    if (!isPlain(value)) return unreadable(`${shown(value)} is not an answer; expected an object`);
    const discarded = this.#terms.reading.strict?.fault(value, this.#row, this.#word);
    if (discarded !== undefined) return unreadable(discarded);
    const answer = this.#terms.answers?.read(value, this.#row) ?? value;
    const effects = this.#effectsIn(answer);
    const fault = this.#terms.reading.strict === undefined ? this.#faultIn(answer) : undefined;
    // Reports fields that the agent does not read. Such an answer cannot approve.
    return fault === undefined ? { effects } : unreadable(fault, effects.filter(tightens));
  };

  /** In damaged output, and for a failed hook, a refusal counts even if the agent would discard the answer. */
  readonly #readDamaged = (value: unknown): Answer => {
    const answer = this.#readObject(value);
    if (answer.effects.length > 0 || !isPlain(value)) return answer;
    const reason = this.#terms.reading.strict?.refusal?.(value);
    const no = reason === undefined ? undefined : refused(this.#row, reason, this.#event);
    return no === undefined ? answer : { ...answer, effects: [no] };
  };

  #effectsIn(value: Fields): Effect[] {
    const nested = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
    const specific: Fields = this.#terms.reading.flat === 'yes' ? { ...value, ...nested } : nested;
    const effects: Effect[] = [];
    const reason = textIn(value, 'reason');
    if (this.#refusingDecisions().includes(value['decision'] as string)) {
      const no = refused(this.#row, reason ?? NO_REASON, this.#event);
      if (no !== undefined) effects.push(no);
    }
    if (this.#terms.reading.asks && value['decision'] === 'ask' && this.#row.block === 'deny')
      effects.push(ask(reason));
    effects.push(...this.#permissionEffects(specific));
    if (value['continue'] === false) effects.push(...stopped(this.#row, textIn(value, 'stopReason')));
    const added =
      textIn(specific, 'additionalContext') ?? (this.#row.plain ? textIn(value, 'message') : undefined);
    if (added !== undefined && this.#row.context) effects.push(context(added));
    const message = textIn(value, 'systemMessage');
    if (message !== undefined && !this.#row.silent) effects.push(notice(message));
    return effects;
  }

  /** Reports a decision that the agent does not read here, or with an unknown value. */
  #faultIn(value: Fields): string | undefined {
    const { decision, continue: goesOn, hookSpecificOutput: nested, permissionDecision: top } = value;
    if (goesOn !== undefined && typeof goesOn !== 'boolean')
      return `"continue" is ${shown(goesOn)}, not true or false`;
    if (nested !== undefined && !isPlain(nested))
      return `"hookSpecificOutput" is ${shown(nested)}; expected an object`;
    const named = (nested as Fields | undefined)?.['hookEventName'];
    if (typeof named === 'string' && !this.#isThisEvent(named))
      return `"hookEventName" is ${shown(named)}, the event is ${this.#word}`;
    if (top !== undefined && this.#terms.reading.flat === 'no')
      return '"permissionDecision" is outside "hookSpecificOutput"';
    const permission = top ?? (nested as Fields | undefined)?.['permissionDecision'];
    if (permission !== undefined && !PERMISSIONS.includes(permission as string))
      return `permissionDecision ${shown(permission)} is not known`;
    if (decision === undefined) return undefined;
    if (!DECISIONS.includes(decision as string)) return `decision ${shown(decision)} is not known`;
    const isNo = decision === 'block' || decision === 'deny';
    return isNo && this.#row.block !== null && !this.#refusingDecisions().includes(decision)
      ? `${this.#terms.shown} does not support decision ${shown(decision)} on ${this.#word}`
      : undefined;
  }

  /** Accepts any casing, and any name that the agent has for this event. */
  #isThisEvent(named: string): boolean {
    return named.toLowerCase() === this.#word.toLowerCase() || this.#terms.events[named]?.on === this.#row.on;
  }

  #refusingDecisions(): readonly string[] {
    return this.#terms.reading.decisionIgnored?.includes(this.#row.on) === true
      ? []
      : this.#terms.reading.decisions(this.#row.block);
  }

  #permissionEffects(specific: Fields): Effect[] {
    const { permissionDecision: decision } = specific;
    const reason = textIn(specific, 'permissionDecisionReason');
    const isCall = this.#row.on === 'tool.before';
    const isJudged = isCall || (this.#row.on === 'tool.permission' && this.#row.block === 'deny');
    const changed = this.#terms.reading.changes.map((key) => specific[key]).find(isPlain);
    const no = decision === 'deny' ? refused(this.#row, reason ?? NO_REASON, this.#event) : undefined;
    return [
      ...(no === undefined ? [] : [no]),
      ...(isCall && decision === 'ask' ? [ask(reason)] : []),
      ...(isJudged && decision === 'allow' ? [allow(reason)] : []),
      ...(isCall && decision !== 'deny' && changed !== undefined
        ? changesIn(this.#terms.tools, this.#event, changed)
        : []),
    ];
  }
}

/** Reads stdout as the answer. Some exit codes refuse, with stderr as the reason. */
const readExitBy =
  (refusingExit: NonNullable<AnswerReading['refusingExit']> = (code) => code === 2): ReadExit =>
  ({ code, stdout, stderr }, { word, event, printoutOf, read, refused }) => {
    const answer = read(printoutOf(stdout, 'stdout'));
    if (code === 0) return answer;
    const strict = answer.effects.filter(tightens);
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
