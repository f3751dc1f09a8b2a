/**
 * All attributes that are sent to a collector, in one table. The exporter reads it and docs/otlp.md shows it. The
 * table uses stable names of OpenTelemetry. No GenAI name is stable (a test detects when that changes), so agents,
 * models and tools have names of our own.
 */

import type { Attributes, AttributeValue } from '@opentelemetry/api';
import {
  ATTR_CODE_FILE_PATH,
  ATTR_CODE_LINE_NUMBER,
  ATTR_ERROR_TYPE,
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import { type ReadRecord, recordedText } from 'anyhook/journal';

export type ShippedHook = ReadRecord['hooks'][number];

export interface Attribute<T> {
  readonly meaning: string;
  /** Undefined leaves the attribute out. */
  readonly of: (from: T) => AttributeValue | undefined;
}
type AttributeTable<T> = Readonly<Record<string, Attribute<T>>>;

export interface Sender {
  readonly machine: string;
  readonly user: string;
  readonly version: string;
}

/** Attributes of everything that is sent. */
export const RESOURCE_ATTRIBUTES: AttributeTable<Sender> = {
  [ATTR_SERVICE_NAME]: { meaning: '`anyhook`', of: () => 'anyhook' },
  [ATTR_SERVICE_VERSION]: { meaning: 'of `@anyhook/fleet`', of: ({ version }) => version },
  [ATTR_SERVICE_INSTANCE_ID]: {
    meaning: '`<user>@<machine>`',
    of: ({ machine, user }) => `${user}@${machine}`,
  },
  'anyhook.machine': { meaning: 'as `ship --machine` says', of: ({ machine }) => machine },
  'anyhook.user': { meaning: 'as `ship --user` says', of: ({ user }) => user },
};

/** Attributes of the log of a record and of the span of its fire. */
export const RECORD_ATTRIBUTES: AttributeTable<ReadRecord> = {
  'anyhook.record.hash': { meaning: 'by which a record that came twice is known', of: ({ hash }) => hash },
  'anyhook.record.seq': { meaning: 'its number among those of its writer', of: ({ seq }) => seq },
  'anyhook.record.writer': { meaning: 'whose chain it is in', of: ({ writer }) => writer },
  'anyhook.record.prev': { meaning: 'the hash of the one before it in that chain', of: ({ prev }) => prev },
  'anyhook.event': { meaning: 'such as `tool.before`', of: ({ event }) => event },
  'anyhook.session.id': { meaning: 'of the agent', of: ({ ids }) => ids.session },
  'anyhook.agent.name': { meaning: 'the agent that fired the event', of: ({ host }) => host.name },
  'anyhook.agent.version': { meaning: 'its version', of: ({ host }) => host.version },
  'anyhook.subagent.id': { meaning: 'where a subagent did it', of: ({ ids }) => ids.agent },
  'anyhook.model': { meaning: 'the model at work, where the agent says it', of: ({ scene }) => scene.model },
  'anyhook.tool.name': {
    meaning: 'of an event about a tool call',
    of: ({ before }) => textAt(before, 'tool'),
  },
  'anyhook.tool.call_id': { meaning: 'what belongs to one call', of: ({ ids }) => ids.call },
  'anyhook.verdict': { meaning: '`allow`, `ask`, `defer`, `deny` or `none`', of: ({ verdict }) => verdict },
  'anyhook.reasons': {
    meaning: 'why, one text per hook',
    of: ({ reasons }) => some(reasons.map(({ by, text }) => `${by}: ${recordedText(text)}`)),
  },
  'anyhook.would_have': {
    meaning: 'the verdict that hooks in shadow would have brought',
    of: ({ wouldHave }) => wouldHave?.verdict,
  },
  'anyhook.policy.version': { meaning: 'of the policy in force', of: ({ origin }) => origin?.policy },
  'anyhook.record.machine': {
    meaning: 'as the record says it, plain or hashed',
    of: ({ origin }) => origin?.machine,
  },
  'anyhook.record.user': {
    meaning: 'as the record says it, plain or hashed',
    of: ({ origin }) => origin?.user,
  },
  'anyhook.late': { meaning: 'the end of a background hook, no event', of: ({ late }) => late },
  'anyhook.record.redacted': { meaning: 'places that were taken out', of: ({ redacted }) => redacted },
};

/** Attributes of the span of a hook. */
export const HOOK_ATTRIBUTES: AttributeTable<ShippedHook> = {
  'anyhook.hook.id': { meaning: 'as `anyhook list` names it', of: ({ hook }) => hook.id },
  'anyhook.hook.dialect': { meaning: 'in whose words it is written', of: ({ hook }) => hook.dialect },
  'anyhook.hook.layer': { meaning: 'where its settings lie', of: ({ hook }) => hook.layer },
  'anyhook.hook.round': { meaning: '2: asked again, about the final form', of: ({ round }) => round },
  'anyhook.hook.effects': {
    meaning: 'what it asked for',
    of: ({ effects = [] }) => some(effects.map(({ kind }) => kind)),
  },
  'anyhook.hook.shadow': { meaning: 'it was heard and not obeyed', of: ({ hook }) => hook.shadow },
  'anyhook.hook.failed_open': {
    meaning: 'it failed, and nothing held the action back',
    of: ({ failedOpen }) => failedOpen,
  },
  [ATTR_ERROR_TYPE]: { meaning: 'how it failed, such as `timed-out`', of: ({ failed }) => failed?.kind },
  [ATTR_CODE_FILE_PATH]: { meaning: 'the settings file that names it', of: ({ hook }) => hook.file },
  [ATTR_CODE_LINE_NUMBER]: { meaning: 'the line there', of: ({ hook }) => hook.line },
};

export interface JournalPiece {
  readonly file: string;
  readonly from?: number;
  readonly damage?: string;
  /** The record was too large, and its body is truncated. */
  readonly isCut?: true;
}

/** Attributes of every log. */
export const PIECE_ATTRIBUTES: AttributeTable<JournalPiece> = {
  'anyhook.journal.file': { meaning: 'the file it stands in', of: ({ file }) => file },
  'anyhook.journal.offset': {
    meaning: 'of a head: the byte at which this part of it stands',
    of: ({ from }) => from,
  },
  'anyhook.damage': { meaning: 'of a line that is no sound record: why', of: ({ damage }) => damage },
  'anyhook.record.cut': {
    meaning: 'the collector takes no record of this size: the body is its beginning',
    of: ({ isCut }) => isCut,
  },
};

export function attributesOf<T>(table: AttributeTable<T>, from: T): Attributes {
  const found: Attributes = {};
  for (const [name, { of }] of Object.entries(table)) {
    const value = of(from);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

const some = (texts: readonly string[]): string[] | undefined => (texts.length > 0 ? [...texts] : undefined);

function textAt(value: unknown, key: string): string | undefined {
  const found =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}
