/** `anyhook view --export`: writes a session or a day to one HTML file that opens without a server. */

import { UsageError } from '../console/usage.ts';
import { safeJson } from '../render/safe.ts';
import { openParts, type ViewOptions, type ViewParts } from './open-view.ts';
import { exportedDocument, pageFiles } from './page-files.ts';
import type { ChainVerdict, ExportedView, SessionPart, ShownEntry } from './wire.ts';

export type ExportedScope = { readonly session: string } | { readonly day: string };

export interface ExportResult {
  readonly html: string;
  readonly fires: number;
  /** Number of oldest events omitted above the limit. */
  readonly leftOut: number;
  readonly redacted: number;
}

/** Issue trackers accept attachments of a few megabytes. */
const MOST_FIRES = 2000;
const MOST_REFUSALS = 200;

export async function exportView(scope: ExportedScope, options: ViewOptions = {}): Promise<ExportResult> {
  const parts = openParts(options);
  try {
    await parts.journal.readAll();
    const found = 'day' in scope ? sessionsOfDay(parts, scope.day) : [oneSession(parts, scope.session)];
    const { kept, leftOut } = newest(found);
    const view = await exported(parts, kept, { title: titleOf(scope), leftOut });
    const { value, redacted } = cleaned(view, parts);
    const fires = kept.reduce((sum, { entries }) => sum + entries.length, 0);
    return { html: exportedDocument(pageFiles(), safeJson(value)), fires, leftOut, redacted };
  } finally {
    parts.journal.close();
  }
}

const titleOf = (scope: ExportedScope): string =>
  'day' in scope ? `All sessions of ${scope.day}` : `Session ${scope.session}`;

/** Redacts every text again with the secrets known here, and shortens the home folder. */
function cleaned(view: ExportedView, { redactor, locations: { home } }: ViewParts) {
  let redacted = 0;
  const value: unknown = JSON.parse(JSON.stringify(view), (_, field: unknown) => {
    if (typeof field !== 'string') return field;
    const stripped = redactor.text(field);
    redacted += stripped.redacted;
    return home === '/' || home === '' ? stripped.text : stripped.text.replaceAll(home, '~');
  });
  return { value, redacted };
}

function oneSession({ journal }: ViewParts, session: string): SessionPart {
  const key = journal.find(session)?.key;
  const part = key === undefined ? undefined : journal.part(key, undefined, MOST_FIRES + 1);
  if (part === undefined)
    throw new UsageError(`view: no session ${JSON.stringify(session)} was recorded; anyhook view lists them`);
  return part;
}

function sessionsOfDay({ journal }: ViewParts, day: string): SessionPart[] {
  const parts = journal.keys().flatMap((key) => {
    const part = journal.part(key, undefined, MOST_FIRES + 1);
    const entries = (part?.entries ?? []).filter(
      (entry) => entry.kind === 'damage' || localDay(entry.time) === day,
    );
    return part === undefined || entries.every(({ kind }) => kind === 'damage') ? [] : [{ ...part, entries }];
  });
  if (parts.length === 0) throw new UsageError(`view: nothing was recorded on ${day}`);
  return parts;
}

const localDay = (time: string): string => {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? '' : at.toLocaleDateString('sv'); // as 2026-11-16
};

function newest(parts: readonly SessionPart[]): { readonly kept: SessionPart[]; readonly leftOut: number } {
  let [room, leftOut] = [MOST_FIRES, 0];
  const keptParts = parts.flatMap((part) => {
    const entries = room === 0 ? [] : part.entries.slice(-room);
    leftOut += part.entries.length - entries.length;
    room -= entries.length;
    return entries.length === 0 ? [] : [{ ...part, entries }];
  });
  return { kept: keptParts, leftOut };
}

async function exported(
  parts: ViewParts,
  kept: readonly SessionPart[],
  head: Pick<ExportedView, 'title' | 'leftOut'>,
): Promise<ExportedView> {
  const chains: Record<string, ChainVerdict> = {};
  const refusals: ExportedView['refusals'][number][] = [];
  for (const { session, entries } of kept) {
    const chain = await parts.chain(session.key);
    if (chain !== undefined) chains[session.key] = chain;
    for (const [at, by] of entries.flatMap(refusalsIn).slice(0, MOST_REFUSALS)) {
      const sheet = await parts.refusal(session.key, at, by);
      if (sheet !== undefined) refusals.push({ key: session.key, at, sheet });
    }
  }
  const state = parts.journal.state(parts.version, Infinity);
  const keys = new Set(kept.map(({ session }) => session.key));
  const ids = new Set(
    kept.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.kind === 'damage' ? [] : entry.runs.map(({ id }) => id))),
    ),
  );
  const hooks = await parts.hooks();
  return {
    madeAt: new Date().toISOString(),
    ...head,
    state: { ...state, sessions: state.sessions.filter(({ key }) => keys.has(key)), older: 0 },
    // Starts at 0: the omission is reported once, at the top.
    parts: kept.map((part) => ({ ...part, from: 0 })),
    chains,
    hooks: { ...hooks, hooks: hooks.hooks.filter(({ id }) => ids.has(id)) },
    refusals,
  };
}

const refusalsIn = (entry: ShownEntry): (readonly [at: number, by: string])[] =>
  entry.kind === 'fire' ? entry.reasons.map(({ by }) => [entry.at, by] as const) : [];
