/** What a hook means by how it ends and by what it prints. */
import { isPlain } from '../../canon/changes.ts';
import { shown } from '../../canon/checker.ts';
import {
  allow,
  ask,
  context,
  deny,
  type Effect,
  type Fields,
  halt,
  notice,
  resume,
  tightens,
} from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { ExitReply, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import { changesIn } from '../../canon/lexicon.ts';
import type { Answer } from '../../canon/outcome.ts';
import {
  marksOf,
  type Printout,
  readBroken,
  readPrintout,
  refusedBoth,
  withNotes,
} from '../../canon/printout.ts';
import type { ShapedEvent, ShapedTerms } from './terms.ts';

const WORDS = {
  keys: ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision', 'modifiedArgs'],
};
const NO_REASON = 'blocked by a hook that gave no reason';

export function readerOf({ events, hearing, tools, shown: agent }: ShapedTerms<string>) {
  return function read(reply: Reply, event: Event, hook: Hook): Answer {
    const word = hook.on;
    const row = events[word]!; // a hook of this dialect has a word of this dialect
    switch (reply.kind) {
      case 'exited':
        return withNotes(readExit(reply), reply.notes);
      case 'returned':
        return reply.value === undefined ? { effects: [] } : readObject(reply.value);
      case 'answered':
        return unreadable(`${agent} has no hooks at an address`);
      case 'threw':
        return { effects: [], failed: { kind: 'failed', detail: reply.message } };
      case 'broken':
        return readBroken(reply, readExit);
    }

    function readExit({ code, stdout, stderr, notes }: ExitReply): Answer {
      const said = readPrinted(readPrintout(stdout, WORDS, marksOf(notes)));
      if (code === 0) return said;
      const strict = said.effects.filter(tightens);
      if (!hearing.refusingExit(code, row))
        return { effects: strict, failed: { kind: 'failed', detail: `exit ${code}: ${stderr.trim()}` } };
      const no = refused(row, stderr.trim() || NO_REASON);
      return no === undefined
        ? unreadable(`exit ${code} blocks no ${word}`, strict)
        : { effects: refusedBoth([no], strict) };
    }

    function readPrinted(printout: Printout): Answer {
      switch (printout.kind) {
        case 'nothing':
          return { effects: [] };
        case 'document':
          return readObject(printout.value);
        case 'text':
          return row.plain ? { effects: [context(printout.text)] } : { effects: [] };
        case 'mixed':
          return unreadable(printout.doubt ?? 'an answer among other text', strictIn(printout.answers));
        case 'unsure':
          return unreadable(printout.why, strictIn(printout.answers));
      }
    }
    function strictIn(answers: readonly Fields[]): Effect[] {
      return answers.flatMap((answer) => readObject(answer).effects.filter(tightens));
    }

    function readObject(value: unknown): Answer {
      if (!isPlain(value)) return unreadable(`${shown(value)} is no answer: an object is expected`);
      const nested = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
      const specific: Fields = hearing.flat === 'yes' ? { ...value, ...nested } : nested;
      const effects: Effect[] = [];
      const isHeard = hearing.unheard?.includes(row.on) !== true;
      if (isHeard && hearing.decisions(row.block).includes(String(value['decision']))) {
        const no = refused(row, textIn(value, 'reason') ?? NO_REASON);
        if (no !== undefined) effects.push(no);
      }
      effects.push(...permission(specific));
      if (value['continue'] === false && row.block !== null) effects.push(halt(textIn(value, 'stopReason')));
      const told =
        textIn(specific, 'additionalContext') ?? (row.plain ? textIn(value, 'message') : undefined);
      if (told !== undefined && row.context) effects.push(context(told));
      const message = textIn(value, 'systemMessage');
      if (message !== undefined) effects.push(notice(message));
      const named = nested['hookEventName'];
      if (typeof named !== 'string' || isThis(named)) return { effects };
      return unreadable(`"hookEventName" is ${shown(named)}, the event is ${word}`, effects.filter(tightens));
    }
    /** In any casing, and by any word that the agent has for this event. */
    function isThis(named: string): boolean {
      return named.toLowerCase() === word.toLowerCase() || events[named]?.on === row.on;
    }

    function permission(specific: Fields): Effect[] {
      const { permissionDecision: decision } = specific;
      const reason = textIn(specific, 'permissionDecisionReason');
      const isCall = row.on === 'tool.before';
      const changed = hearing.changes.map((key) => specific[key]).find(isPlain);
      const no = decision === 'deny' ? refused(row, reason ?? NO_REASON) : undefined;
      return [
        ...(no === undefined ? [] : [no]),
        ...(isCall && decision === 'ask' ? [ask(reason)] : []),
        ...(isCall && decision === 'allow' ? [allow(reason)] : []),
        ...(isCall && decision !== 'deny' && changed !== undefined ? changesIn(tools, event, changed) : []),
      ];
    }
  };
}

const unreadable = (detail: string, effects: readonly Effect[] = []): Answer => ({
  effects,
  failed: { kind: 'unreadable', detail },
});
const textIn = (fields: Fields, key: string): string | undefined =>
  typeof fields[key] === 'string' && fields[key].trim() !== '' ? fields[key] : undefined;

/** What "no" comes to; undefined where it comes to nothing. */
function refused({ block }: ShapedEvent, reason: string): Effect | undefined {
  switch (block) {
    case 'deny':
      return deny(reason);
    case 'resume':
      return resume(reason);
    case 'tell':
      return context(reason);
    case null:
      return undefined;
  }
}
