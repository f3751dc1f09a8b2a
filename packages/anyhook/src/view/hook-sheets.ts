/** Combines every hook of the settings or the journal with its counts and the agents in which it fires. */

import { AGENTS, agentOf } from '../agents/index.ts';
import { BUILT_IN, type Hook, isBuiltIn } from '../events/hook.ts';
import { locationsOf } from '../gather/folders.ts';
import { cardOf, type HookCard } from '../journal/index.ts';
import { firedElsewhere } from '../library/fired-elsewhere.ts';
import type { Hooks } from '../library/hooks.ts';
import { leftToHost } from '../library/left-to-agent.ts';
import { hookMenu, type MenuRow } from '../menu/rows.ts';
import { safe } from '../render/safe.ts';
import { effectText, shownName, shownPlace, type Viewpoint } from './shape.ts';
import type { HookTally, JournalTally } from './tally.ts';
import type { Advice, AgentPlace, CountedPart, DayTally, HookSheet, HooksPart } from './wire.ts';

/** From the current settings; undefined if they could not be read. */
export type SurveyedHooks = Pick<Hooks, 'hooks' | 'disabled' | 'examined'>;

const DAYS = 30;

export interface SheetInput {
  readonly tally: JournalTally;
  readonly counted: CountedPart;
  readonly from: Viewpoint;
  readonly surveyed: SurveyedHooks | undefined;
  readonly trouble?: string;
}

export function hookSheets({ tally, counted, from, surveyed, trouble }: SheetInput): HooksPart {
  const days = [...tally.days.keys()].sort().slice(-DAYS);
  const rows = surveyed === undefined ? [] : hookMenu(surveyed);
  const hooks = [...(surveyed?.hooks ?? []), ...(surveyed?.disabled ?? [])];
  const byId = new Map(hooks.map((hook) => [hook.id, hook]));
  const ids = new Set([...byId.keys(), ...tally.hooks.keys()]);
  const sheets = [...ids].map((id) =>
    sheetOf(
      {
        hook: byId.get(id),
        row: rows.find((row) => row.id === id),
        tally: tally.hooks.get(id),
        examined: surveyed?.examined ?? [],
      },
      days,
      from,
    ),
  );
  return {
    counted,
    days: days.map((day) => dayTally(day, tally)),
    hooks: sheets.sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1)),
    ...(trouble !== undefined && { trouble: safe(trouble) }),
  };
}

function dayTally(day: string, tally: JournalTally): DayTally {
  const { none = 0, allow = 0, ask = 0, defer = 0, deny = 0 } = tally.days.get(day) ?? {};
  return { day: safe(day), none, allow, ask: ask + defer, deny };
}

interface KnownHook {
  readonly hook: Hook | undefined;
  readonly row: MenuRow | undefined;
  readonly tally: HookTally | undefined;
  readonly examined: SurveyedHooks['examined'];
}

function sheetOf(
  { hook, row, tally, examined }: KnownHook,
  days: readonly string[],
  from: Viewpoint,
): HookSheet {
  const card: HookCard = hook === undefined ? tally!.card : cardOf(hook); // an id identifies one kind only
  const { id, dialect = '', on = '', file, line, matcher, what } = card;
  const times = tally?.times;
  const shadow = tally === undefined || tally.inShadow === 0 ? undefined : tally;
  return {
    id: safe(id),
    name: shownName(row?.label ?? what ?? id, from),
    dialect: safe(dialect),
    on: safe(on),
    place: file === undefined ? '' : shownPlace(file, line, from),
    ...(matcher !== undefined && { matcher: safe(String(matcher)) }),
    runs: tally?.runs ?? 0,
    refusals: tally?.refusals ?? 0,
    failures: tally?.failures ?? 0,
    ...(times !== undefined &&
      times.count > 0 && { p50: times.within(0.5)!, p95: times.within(0.95)!, max: times.max }),
    ...lastOf(tally),
    trust: trustWords(card, row, examined),
    isShadow: card.shadow === true,
    ...(shadow !== undefined && { shadow: { refused: shadow.wouldHaveRefused, of: shadow.inShadow } }),
    agents: [
      ...Object.values(AGENTS).map((agent) => placeIn(agent, card, tally, from)),
      ...otherHosts(tally),
    ],
    commands: commandsFor(card, hook, row),
    days: days.map((day) => meanOf(tally?.days.get(day))),
  };
}

const meanOf = (spent: { readonly runs: number; readonly ms: number } | undefined): number | null =>
  spent === undefined || spent.runs === 0 ? null : spent.ms / spent.runs;

function lastOf(tally: HookTally | undefined): Pick<HookSheet, 'lastSaid' | 'lastAt'> {
  if (tally?.last === undefined) return {};
  const { at, one } = tally.last;
  const [effect] = one.effects ?? [];
  const result =
    one.failed !== undefined
      ? `broke: ${one.failed.kind}`
      : effect === undefined
        ? 'nothing'
        : [effect.kind, effectText(effect)].filter(Boolean).join(': ');
  return { lastSaid: safe(result), lastAt: safe(at) };
}

const TRUST: Readonly<Record<MenuRow['trust'], string>> = {
  yours: 'yours',
  trusted: 'trusted',
  unknown: 'waits for trust',
  modified: 'modified since it was trusted',
  untrustable: 'cannot be trusted',
};
function trustWords(
  { file = '' }: HookCard,
  row: MenuRow | undefined,
  examined: SurveyedHooks['examined'],
): string {
  if (file === BUILT_IN) return 'built in';
  if (file.startsWith('(')) return 'of a program';
  if (row !== undefined) return row.isOff ? 'switched off' : TRUST[row.trust];
  // An untrusted module was not loaded, so its hooks are unknown.
  const module = examined.find((entry) => entry.hook === undefined && entry.file === file);
  return module === undefined ? 'not in the settings of this project' : TRUST[module.judgement.state];
}

type Agent = (typeof AGENTS)[keyof typeof AGENTS];
function placeIn(agent: Agent, card: HookCard, tally: HookTally | undefined, { cwd }: Viewpoint): AgentPlace {
  const runs = tally?.agents.get(agent.name) ?? 0;
  const shown = { agent: agent.shown, runs };
  const { dialect = '', on = '', file = '' } = card;
  const isOwn = leftToHost(agent.name, locationsOf({ cwd })).some((own) => {
    const [name, part = ''] = own.split('@');
    return dialect === name && file.includes(part);
  });
  if (isOwn) return { ...shown, kind: 'own', words: 'it runs this hook by itself' };
  const moved = firedElsewhere(agent.can, { dialect, on });
  if (moved === undefined) return { ...shown, kind: 'fires', words: `at ${safe(on)}` };
  if (moved.instead !== undefined)
    return { ...shown, kind: 'moved', words: `at ${moved.instead}: it has no ${moved.from}` };
  return moved.to.length === 0
    ? { ...shown, kind: 'never', words: `never: it has no ${moved.from}, nor anything near it` }
    : { ...shown, kind: 'moved', words: `at ${moved.to.join(', ')}: it has no ${moved.from}` };
}

/** Programs that embed us, and agents without a record. */
const otherHosts = (tally: HookTally | undefined): AgentPlace[] =>
  [...(tally?.agents ?? [])]
    .filter(([name]) => agentOf(name) === undefined)
    .map(([name, runs]) => ({ agent: safe(name), kind: 'fires', words: 'it was', runs }));

function commandsFor(card: HookCard, hook: Hook | undefined, row: MenuRow | undefined): Advice[] {
  const named = shellWord(card.id);
  const waits = row?.trust === 'unknown' || row?.trust === 'modified';
  return [
    { text: 'What it did', command: `anyhook log --hook ${named}` },
    ...(waits ? [{ text: 'Read it and trust it', command: 'anyhook trust add' }] : []),
    ...(hook !== undefined && !isBuiltIn(hook)
      ? [{ text: 'Switch it off or on, edit or try it', command: 'anyhook hooks' }]
      : []),
    ...(card.shadow === true
      ? [{ text: 'What it would have refused', command: 'anyhook log --verdict would-deny' }]
      : []),
  ];
}

/** Quotes any text as one shell word. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+-]+$/.test(text) ? text : `'${safe(text).replaceAll("'", "'\\''")}'`;
