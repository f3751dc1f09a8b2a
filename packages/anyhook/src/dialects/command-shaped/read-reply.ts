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
  readPrinted,
  readPrintout,
  refusedBoth,
  unreadable,
  withNotes,
} from '../../canon/printout.ts';
import { NO_REASON } from '../../canon/proceed.ts';
import { textIn } from '../claude-shaped/translation.ts';
import type { ShapedEvent, ShapedTerms } from './terms.ts';

const KEYS = ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision', 'modifiedArgs'];
const DECISIONS = ['allow', 'approve', 'ask', 'block', 'deny'];
const PERMISSIONS = ['allow', 'ask', 'defer', 'deny'];

type ReaderTerms = Pick<ShapedTerms<string>, 'events' | 'hearing' | 'tools' | 'answers' | 'shown'>;

export function readerOf({ events, hearing, tools, answers, shown: agent }: ReaderTerms) {
  const words = { keys: [...KEYS, ...(answers?.keys ?? [])] };
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
      const said = readText(readPrintout(stdout, words, marksOf(notes)));
      if (code === 0) return said;
      const strict = said.effects.filter(tightens);
      if (!hearing.refusingExit(code, row))
        return { effects: strict, failed: { kind: 'failed', detail: `exit ${code}: ${stderr.trim()}` } };
      const no = refused(row, stderr.trim() || NO_REASON);
      return no === undefined
        ? unreadable(`exit ${code} blocks no ${word}`, strict)
        : { effects: refusedBoth([no], strict) };
    }

    /** Text is context on a few events, whatever it looks like; a refusal on a line of its own counts everywhere. */
    function readText(printout: Printout): Answer {
      return readPrinted(printout, {
        object: readObject,
        text: (text) => ({ effects: row.plain ? [context(text)] : [] }),
        mixed: ({ text, doubt = 'an answer among other text' }, strict) =>
          strict.length > 0 || !row.plain
            ? unreadable(doubt, strict)
            : { effects: [context(text)], notes: { doubt } },
      });
    }

    function readObject(said: unknown): Answer {
      if (!isPlain(said)) return unreadable(`${shown(said)} is no answer: an object is expected`);
      const value = answers?.read(said, row) ?? said;
      const effects = effectsIn(value);
      const fault = faultIn(value);
      // What nobody reads is said aloud; such an answer approves nothing.
      return fault === undefined ? { effects } : unreadable(fault, effects.filter(tightens));
    }

    function effectsIn(value: Fields): Effect[] {
      const nested = isPlain(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
      const specific: Fields = hearing.flat === 'yes' ? { ...value, ...nested } : nested;
      const effects: Effect[] = [];
      if (heard().includes(value['decision'] as string)) {
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
      return effects;
    }

    /** A word that decides, where the agent does not read it or with a value that it does not know. */
    function faultIn(value: Fields): string | undefined {
      const { decision, continue: goesOn, hookSpecificOutput: nested, permissionDecision: top } = value;
      if (goesOn !== undefined && typeof goesOn !== 'boolean')
        return `"continue" is ${shown(goesOn)}, not true or false`;
      if (nested !== undefined && !isPlain(nested))
        return `"hookSpecificOutput" is ${shown(nested)}, no object`;
      const named = (nested as Fields | undefined)?.['hookEventName'];
      if (typeof named === 'string' && !isThis(named))
        return `"hookEventName" is ${shown(named)}, the event is ${word}`;
      if (top !== undefined && hearing.flat === 'no')
        return '"permissionDecision" stands outside "hookSpecificOutput"';
      const permission = top ?? (nested as Fields | undefined)?.['permissionDecision'];
      if (permission !== undefined && !PERMISSIONS.includes(permission as string))
        return `permissionDecision ${shown(permission)} is not known`;
      if (decision === undefined) return undefined;
      if (!DECISIONS.includes(decision as string)) return `decision ${shown(decision)} is not known`;
      const isNo = decision === 'block' || decision === 'deny';
      return isNo && row.block !== null && !heard().includes(decision)
        ? `${agent} reads no decision ${shown(decision)} on ${word}`
        : undefined;
    }
    /** In any casing, and by any word that the agent has for this event. */
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
