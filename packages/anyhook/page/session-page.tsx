/** One session as a timeline. */

import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChainVerdict, SessionPart, ShownEntry, ShownFire, ShownRun } from '../src/view/wire.ts';
import { agentClass } from './agent-mark.tsx';
import { DamageRow, EndRow, FireRow } from './fire-row.tsx';
import { useKeys } from './keys.tsx';
import type { PageProps } from './sessions-page.tsx';
import type { Source } from './source.ts';
import { compact, count, counted, dollars, moment, took } from './words.ts';

const SHOWN = {
  all: { label: 'Everything', fits: () => true },
  refused: { label: 'Refused', fits: ({ verdict }: ShownFire) => verdict === 'deny' },
  asked: { label: 'Asked', fits: ({ verdict }: ShownFire) => verdict === 'ask' || verdict === 'defer' },
  changed: { label: 'Changed', fits: ({ changed }: ShownFire) => changed.length > 0 },
  failed: { label: 'Broke', fits: ({ runs }: ShownFire) => runs.some(({ failed }) => failed !== undefined) },
} as const;
type Filter = keyof typeof SHOWN;

interface SessionProps extends PageProps {
  readonly session: string;
  readonly at: string | undefined;
}

export function SessionPage({ source, report, session, at }: SessionProps) {
  const { part, problem, chain, loadEarlier } = useSession(source, report, session);
  const [filter, setFilter] = useState<Filter>('all');
  const [text, setText] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useTimelineKeys(list, search);
  const rows = useMemo(() => rowsOf(part?.entries ?? [], filter, text), [part, filter, text]);
  if (problem !== undefined && part === undefined) return <UnknownSession problem={problem} />;
  if (part === undefined) return <p class="quiet">Reading the session…</p>;
  return (
    <>
      <Title row={part.session} />
      <Facts row={part.session} />
      <Chain verdict={chain} />
      <div class="tools">
        <FilterChoice filter={filter} choose={setFilter} />
        <input
          ref={search}
          type="search"
          placeholder="Search  /"
          aria-label="Search in this session"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {part.from > 0 && (
        <button class="plain" onClick={() => void loadEarlier()}>
          Earlier events
        </button>
      )}
      <ol class="timeline" ref={list}>
        {rows.map((entry) =>
          entry.kind === 'fire' ? (
            <FireRow
              key={entry.at}
              fire={entry}
              session={session}
              source={source}
              isChosen={at === String(entry.at)}
            />
          ) : entry.kind === 'end' ? (
            <EndRow key={entry.at} end={entry} />
          ) : (
            <DamageRow key={entry.at} damage={entry} />
          ),
        )}
      </ol>
      {rows.length === 0 && <p class="quiet">Nothing that is loaded fits.</p>}
    </>
  );
}

/** Loads a session and follows it. */
function useSession(source: Source, report: PageProps['report'], session: string) {
  const [part, setPart] = useState<SessionPart>();
  const [problem, setProblem] = useState<string>();
  const [chain, setChain] = useState<ChainVerdict>();
  useEffect(() => {
    let close = () => {};
    let isOver = false;
    let to = 0;
    const load = async () => {
      try {
        const fresh = await source.session(session);
        if (isOver) return;
        to = fresh.to;
        setPart(fresh);
        close();
        close = source.follow(
          () => ({ key: session, from: to }),
          (message) => {
            report(message);
            if (message.kind === 'anew') void load();
            if (message.kind === 'session' && message.row.key === session)
              setPart((old) => old && { ...old, session: message.row });
            if (message.kind !== 'entries') return;
            setPart((old) => old && withEntries(old, message.entries));
            to = Math.max(to, ...message.entries.map(({ at: place }) => place + 1));
          },
        );
        setChain(await source.chain(session));
      } catch (error) {
        if (!isOver) setProblem((error as Error).message);
      }
    };
    void load();
    return () => {
      isOver = true;
      close();
    };
  }, [source, session]);
  const loadEarlier = async () => {
    if (part === undefined) return;
    const older = await source.session(session, part.from);
    setPart({ ...part, entries: [...older.entries, ...part.entries], from: older.from });
  };
  return { part, problem, chain, loadEarlier };
}

/** Moves the focus from event to event, or from refusal to refusal. */
function useTimelineKeys(
  list: RefObject<HTMLElement | null>,
  search: RefObject<HTMLInputElement | null>,
): void {
  const go = (way: 1 | -1, fits: (head: HTMLElement) => boolean = () => true) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('.head') ?? [])];
    const here = all.findIndex((head) => head === document.activeElement);
    const rest = way === 1 ? all.slice(here + 1) : all.slice(0, here === -1 ? all.length : here).reverse();
    rest.find(fits)?.focus();
  };
  const isRefusal = (head: HTMLElement) => head.dataset['verdict'] === 'deny';
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    n: () => go(1, isRefusal),
    p: () => go(-1, isRefusal),
    '/': () => search.current?.focus(),
  });
}

const UnknownSession = ({ problem }: { readonly problem: string }) => (
  <div class="empty">
    <p>This session is not here.</p>
    <p class="quiet">{problem}</p>
    <p>
      <a href="#/">All sessions</a>
    </p>
  </div>
);

interface RowProps {
  readonly row: SessionPart['session'];
}
const Title = ({ row }: RowProps) => (
  <div class="title">
    <h1>
      <span class={`agent ${agentClass(row.agent)}`}>{row.agent}</span>{' '}
      <span class="path">{row.project}</span>
    </h1>
    <p class="quiet">
      session <code>{row.id}</code>, from {moment(row.startedAt)} to {moment(row.lastAt)}
    </p>
  </div>
);

const Facts = ({ row }: RowProps) => (
  <dl class="facts">
    {row.prompts > 0 && <Fact name="prompts" value={count(row.prompts)} />}
    <Fact name="calls" value={count(row.calls)} />
    <Fact name="refused" value={count(row.refusals)} tone={row.refusals > 0 ? 'deny' : ''} />
    <Fact name="open questions" value={count(row.openQuestions)} tone={row.openQuestions > 0 ? 'ask' : ''} />
    <Fact name="hooks broke" value={count(row.failures)} tone={row.failures > 0 ? 'ask' : ''} />
    <Fact name="in hooks" value={took(row.hookMs)} />
    {row.tokens !== undefined && <Fact name="tokens" value={compact(row.tokens)} />}
    {row.costUsd !== undefined && <Fact name="cost" value={dollars(row.costUsd)} />}
  </dl>
);

interface FilterProps {
  readonly filter: Filter;
  readonly choose: (filter: Filter) => void;
}
const FilterChoice = ({ filter, choose }: FilterProps) => (
  <fieldset class="choice">
    <legend class="hidden">Show</legend>
    {(Object.keys(SHOWN) as Filter[]).map((name) => (
      <label key={name}>
        <input type="radio" name="shown" checked={filter === name} onChange={() => choose(name)} />
        <span>{SHOWN[name].label}</span>
      </label>
    ))}
  </fieldset>
);

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: string;
}
const Fact = ({ name, value, tone = '' }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd class={tone}>{value}</dd>
  </div>
);

function Chain({ verdict }: { readonly verdict: ChainVerdict | undefined }) {
  if (verdict === undefined) return null;
  const { isSound, records, problems, notes } = verdict;
  if (isSound && notes.length === 0)
    return <p class="chain quiet">The chain of {counted(records, 'record')} is whole.</p>;
  return (
    <details class={`chain ${isSound ? '' : 'bad'}`}>
      <summary>
        {isSound
          ? 'The chain is whole, with notes'
          : `The chain is broken: ${counted(problems.length, 'finding')}`}
      </summary>
      <ul>
        {[...problems, ...notes].map((found) => (
          <li key={found}>{found}</li>
        ))}
      </ul>
    </details>
  );
}

function withEntries(part: SessionPart, entries: readonly ShownEntry[]): SessionPart {
  const last = part.entries.at(-1)?.at ?? -1;
  return { ...part, entries: [...part.entries, ...entries.filter(({ at }) => at > last)] };
}

/** The end of a background hook is shown with the event that started it, if that is loaded. */
function rowsOf(entries: readonly ShownEntry[], filter: Filter, text: string): ShownEntry[] {
  const ends = new Map<string, ShownRun>();
  for (const entry of entries)
    if (entry.kind === 'end')
      for (const run of entry.runs) if (run.late !== undefined) ends.set(run.late, run);
  const started = new Set<string>();
  const wanted = text.trim().toLowerCase();
  return entries
    .map((entry) => {
      if (entry.kind !== 'fire') return entry;
      const runs = entry.runs.map((run) => {
        if (run.late !== undefined) started.add(run.late);
        return (run.late === undefined ? undefined : ends.get(run.late)) ?? run;
      });
      return { ...entry, runs };
    })
    .filter(
      (entry) =>
        entry.kind !== 'end' || !entry.runs.every(({ late }) => late !== undefined && started.has(late)),
    )
    .filter((entry) => filter === 'all' || (entry.kind === 'fire' && SHOWN[filter].fits(entry)))
    .filter((entry) => wanted === '' || JSON.stringify(entry).toLowerCase().includes(wanted));
}
