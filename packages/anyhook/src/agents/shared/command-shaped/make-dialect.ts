/** Creates a dialect from the terms of its agent. */

import { isPlain } from '../../../events/changes.ts';
import { contentText } from '../../../events/content.ts';
import type { ConfigRead, Dialect, OwnSwitch, Place } from '../../../events/dialect.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply } from '../../../events/exchange.ts';
import type { OnFailure } from '../../../events/hook.ts';
import { type Outcome, wasChanged } from '../../../events/outcome.ts';
import type { PackTerms } from '../../../events/pack.ts';
import { packPlaceFor, withPackPaths } from '../claude-shaped/pack-place.ts';
import { readGroups } from '../claude-shaped/read-groups.ts';
import { sharing } from '../claude-shaped/together.ts';
import { wordsByMoment } from '../claude-shaped/words.ts';
import { commandHookOf, type ShapedEntry } from './command-hook-of.ts';
import { payloadFor } from './payload.ts';
import { readerOf } from './read-reply.ts';
import { eventsOf, type ShapedTerms, type ShapedEvent } from './terms.ts';

/** Writes an outcome in the format that passes most information to the agent's model. */
function writerOf({ events, writing: voice, can, answers }: ShapedTerms<string>) {
  /** Returns a replaced result as the reason for hiding the original one. */
  function replacementIn(outcome: Outcome): string | undefined {
    if (!wasChanged(outcome, 'content')) return undefined;
    const text = contentText(outcome.payload['content']) || '(nothing)';
    return voice.replacement === 'with-context' ? [text, ...outcome.forModel].join('\n') : text;
  }

  return function write(outcome: Outcome, event: Event): ExitReply {
    const word = wordOf(event);
    const row = word === undefined ? undefined : events[word];
    const refusal = refusalIn(outcome);
    if (refusal !== undefined && (voice.refusal === 'exit' || row === undefined))
      return { kind: 'exited', code: 2, stdout: '', stderr: `${refusal}\n` };
    const stdout = row === undefined || word === undefined ? '' : spoken(outcome, row, word, refusal);
    return { kind: 'exited', code: 0, stdout: stdout === '' ? '' : `${stdout}\n`, stderr: '' };
  };

  /** The native event name, or the first one for our event. */
  function wordOf({ name, payload, raw }: Event): string | undefined {
    const native = isPlain(raw) ? raw['hook_event_name'] : undefined;
    if (typeof native === 'string' && Object.hasOwn(events, native)) return native;
    if (name !== 'other') return Object.keys(events).find((word) => eventsOf(events[word]!).includes(name));
    const { word } = payload as { word?: unknown };
    return typeof word === 'string' && Object.hasOwn(events, word) ? word : undefined;
  }

  function spoken(outcome: Outcome, row: ShapedEvent, word: string, refusal: string | undefined): string {
    const result = row.block === 'replace' ? replacementIn(outcome) : undefined;
    const why = refusal ?? result;
    const isTold =
      row.context && refusal === undefined && (result === undefined || voice.replacement === 'alone');
    const contextText = isTold ? outcome.forModel.join('\n') : '';
    if (voice.place === 'text') return contextText;
    const isCall = row.on === 'tool.before';
    const isJudged = isCall || (row.on === 'tool.permission' && row.block === 'deny');
    const specific: Fields = {
      ...(isJudged && permissionOf(outcome, refusal)),
      ...(isCall &&
        refusal === undefined &&
        voice.input !== null &&
        wasChanged(outcome, 'input') && {
          permissionDecision: 'allow',
          [voice.input]: outcome.payload['input'],
        }),
      ...(contextText !== '' && { additionalContext: contextText }),
    };
    const isShown = can[row.on] !== undefined && 'notice' in can[row.on]! && !row.silent;
    const notices = isShown ? outcome.forPerson.join('\n') : '';
    const ends = row.stop === undefined ? undefined : outcome.flow[row.stop];
    const answer: Fields = {
      ...(ends !== undefined && { continue: false, ...(ends !== '' && { stopReason: ends }) }),
      ...(why !== undefined && !isJudged && { decision: 'block', reason: why }),
      ...(notices !== '' && { systemMessage: notices }),
      ...(voice.place === 'flat' && specific),
      ...(voice.place === 'specific' &&
        Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: word, ...specific } }),
    };
    const document = answers?.write(answer, row) ?? answer;
    return Object.keys(document).length === 0 ? '' : JSON.stringify(document);
  }
}

/** An approval is only written if the agent is known to accept it; see `can`. */
function permissionOf({ verdict, reason }: Outcome, refusal: string | undefined): Fields {
  const decision = refusal === undefined ? verdict : 'deny';
  if (decision === 'none' || decision === 'defer') return {};
  return {
    permissionDecision: decision,
    ...(reason !== '' && { permissionDecisionReason: reason }),
  };
}

const refusalIn = ({ proceed, reason, verdict, flow }: Outcome): string | undefined =>
  proceed === 'no' && (verdict === 'deny' || flow.resume !== undefined) ? reason : undefined;

/** Reads a file whose format differs from Claude Code's. */
export type ReadFile = (text: string, place: Place, make: MakeHook) => ConfigRead;
export type MakeHook = (
  entry: ShapedEntry,
  place: Place,
  at: { readonly line: number; readonly column: number },
) => ConfigRead['hooks'][number];

/** A failed hook lets the action continue, as in these agents. */
const failure = (): OnFailure => 'allow';

export function makeShaped<const Name extends string>(
  terms: ShapedTerms<Name>,
  own: {
    readonly readFile?: ReadFile;
    readonly failure?: Dialect['failure'];
    /** The entry key that makes a failure refuse. */
    readonly failsClosed?: string;
    /** How its published hooks are recognised, and the variables with the plugin folder. */
    readonly packs?: PackTerms;
    readonly pluginVariables?: readonly string[];
    /** The settings key that disables hooks, and its format. */
    readonly switches?: OwnSwitch & {
      readonly settings: string;
      readonly settle: NonNullable<Dialect['config']['settle']>;
    };
  } = {},
): Dialect<Name> {
  const words = Object.keys(terms.events);
  const { fieldsOf, ...payload } = payloadFor(terms);
  const make = commandHookOf(terms, fieldsOf);
  const { readFile, switches } = own;
  return {
    name: terms.name,
    words: wordsByMoment(words, (word) => eventsOf(terms.events[word]!)),
    tools: terms.tools,
    otherTools: terms.otherTools,
    ...(terms.projectVariable !== undefined && { projectVariable: terms.projectVariable }),
    sharing,
    failure: own.failure ?? failure,
    can: terms.can,
    config: {
      entry: {
        matcher: { key: 'matcher', in: readFile === undefined ? 'group' : 'entry' },
        timeout: { key: 'timeout', unit: terms.entry?.timeout?.unit ?? 's' },
        failsClosed: own.failsClosed ?? null,
      },
      ...(switches && {
        ownSwitch: { list: switches.list, nameOf: switches.nameOf },
        settle: switches.settle,
      }),
      places: terms.places,
      ...(own.packs && { packPlace: packPlaceFor({ root: own.pluginVariables ?? [] }) }),
      read: (source, place) => {
        const text = withPackPaths(source, place);
        return readFile === undefined
          ? readGroups(text, place, {
              words,
              remedy: `${terms.shown} settings must be a JSON object.`,
              ...(switches && { settings: switches.settings }),
              hookOf: (grouped, where, at) => make(grouped, where, at),
            })
          : readFile(text, place, make);
      },
    },
    payload,
    ...(own.packs && { packs: own.packs }),
    output: { read: readerOf(terms), write: writerOf(terms) },
  };
}
