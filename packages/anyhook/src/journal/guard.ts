/** Reads records tolerantly: a record of another version, or with unknown parts, is still a record. */

import type { Ids, Scene } from '../events/event.ts';
import { isFields } from '../events/fields.ts';
import type { Sticky } from '../events/outcome.ts';
import { usageFault } from '../events/usage.ts';
import type { WouldHave } from '../events/would-have.ts';
import { type ConsideredHook, type HostName, type JournalRecord, type Text, recordedText } from './record.ts';

/** A record with the empty fields that its line omits. */
export type ReadRecord = JournalRecord &
  Required<
    Pick<
      JournalRecord,
      'reasons' | 'changed' | 'voided' | 'flow' | 'lost' | 'shadow' | 'hooks' | 'unmatched' | 'said' | 'given'
    >
  >;

const VERDICTS: ReadonlySet<unknown> = new Set(['allow', 'ask', 'defer', 'deny', 'none']);

/** Returns undefined if the value is not a record. */
export function asRecord(value: unknown): ReadRecord | undefined {
  if (!isFields(value)) return undefined;
  const { v, seq, event, at } = value;
  if (typeof v !== 'number' || typeof seq !== 'number' || typeof event !== 'string' || typeof at !== 'string')
    return undefined;
  const ids = isFields(value['ids']) ? value['ids'] : {};
  const scene = isFields(value['scene']) ? value['scene'] : {};
  const host = isFields(value['host']) ? value['host'] : {};
  const read = {
    ...value,
    writer: text(value['writer']),
    prev: text(value['prev']),
    hash: text(value['hash']),
    clockMs: typeof value['clockMs'] === 'number' ? value['clockMs'] : 0,
    host: { ...host, name: text(host['name']) } satisfies HostName,
    ids: { ...ids, session: text(ids['session']) } satisfies Ids,
    scene: { ...scene, cwd: text(scene['cwd']) } satisfies Scene,
    usage: usageFault(value['usage']) === undefined ? value['usage'] : undefined,
    verdict: VERDICTS.has(value['verdict']) ? value['verdict'] : 'none',
    voided: list(value['voided']).filter((id) => typeof id === 'string'),
    lost: list(value['lost']).filter((what) => typeof what === 'string'),
    shadow: list(value['shadow']).filter((id) => typeof id === 'string'),
    wouldHave: wouldHaveOf(value['wouldHave']),
    sticky: stickyOf(value['sticky']),
    unmatched: list(value['unmatched']).filter((id) => typeof id === 'string'),
    reasons: list(value['reasons']).filter(isFields),
    changed: list(value['changed']).filter(isFields),
    said: list(value['said']).filter(isFields),
    given: list(value['given']).filter(isFields),
    flow: isFields(value['flow']) ? value['flow'] : {},
    hooks: list(value['hooks'])
      .map(consideredOf)
      .filter((hook) => hook !== undefined),
  };
  return read as unknown as ReadRecord; // every part was checked above
}

function consideredOf(value: unknown): ConsideredHook | undefined {
  if (!isFields(value)) return undefined;
  const hook = value['hook'];
  if (!isFields(hook) || typeof hook['id'] !== 'string') return undefined;
  const { effects, ignored, round, ms, ...rest } = value;
  return {
    ...rest,
    hook,
    round: round === 2 ? 2 : 1,
    ms: typeof ms === 'number' ? ms : 0,
    ...(Array.isArray(effects) && { effects: effects.filter(isFields) }),
    ...(Array.isArray(ignored) && { ignored: ignored.filter(isFields) }),
  } as unknown as ConsideredHook;
}

function wouldHaveOf(value: unknown): WouldHave | undefined {
  if (!isFields(value) || !VERDICTS.has(value['verdict'])) return undefined;
  const reasons = list(value['reasons'])
    .filter(isFields)
    .map(({ by, text: reasonText }) => ({ by, text: recordedText((reasonText ?? '') as Text) }));
  return { ...value, reasons } as unknown as WouldHave; // checked above
}

function stickyOf(value: unknown): Sticky | undefined {
  if (!isFields(value) || typeof value['by'] !== 'string') return undefined;
  const { kind, acts, call, atMs, times } = value;
  const isRemembered =
    kind === 'remembered' &&
    typeof call === 'string' &&
    Array.isArray(acts) &&
    acts.length > 0 &&
    acts.every((act) => typeof act === 'string');
  const isRepeated = kind === 'repeated' && typeof atMs === 'number' && typeof times === 'number';
  return isRemembered || isRepeated ? (value as unknown as Sticky) : undefined; // checked above
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
