/** Sessions of all agents on this machine, live. */

import { useEffect, useState } from 'preact/hooks';
import type { SessionRow, ViewState } from '../src/view/wire.ts';
import { agentClass } from './agent-mark.tsx';
import type { Heard, Source } from './source.ts';
import { ago, compact, count, counted, dollars, moment, took } from './words.ts';

export interface PageProps {
  readonly source: Source;
  readonly report: (message: Heard) => void;
  readonly reportState: (state: ViewState) => void;
}

const MORE = 50;
/** A session with an event within this time counts as active. */
const LIVE_MS = 90_000;
const TICK_MS = 5000;

export function SessionsPage({ source, report, reportState }: PageProps) {
  const [wanted, setWanted] = useState(MORE);
  const [state, setState] = useState<ViewState>();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    let isOver = false;
    const load = () =>
      source.state(wanted).then(
        (fresh) => {
          if (isOver) return;
          setState(fresh);
          reportState(fresh);
        },
        () => {},
      );
    void load();
    let wasWhole = true;
    const close = source.follow(
      () => undefined,
      (message) => {
        report(message);
        if (message.kind === 'session') setState((old) => old && withRow(old, message.row));
        if (message.kind === 'anew') void load();
        if (message.kind !== 'state') return;
        if (message.counted.isWhole && !wasWhole) void load();
        wasWhole = message.counted.isWhole;
      },
    );
    return () => {
      isOver = true;
      close();
    };
  }, [source, wanted]);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (state === undefined) return <p class="quiet">Reading the journal…</p>;
  const { sessions, older } = state;
  return (
    <>
      <div class="title">
        <h1>Sessions</h1>
        <p class="quiet">
          {counted(sessions.length + older, 'session')} in <code>{state.folder}</code>
        </p>
      </div>
      {sessions.length === 0 ? (
        <Empty />
      ) : (
        <Table sessions={sessions} nowMs={nowMs} isExport={source.exported !== undefined} />
      )}
      {older > 0 && (
        <button class="plain" onClick={() => setWanted(wanted + MORE)}>
          {counted(older, 'older session')}: show more
        </button>
      )}
    </>
  );
}

const withRow = (state: ViewState, row: SessionRow): ViewState => ({
  ...state,
  sessions: [row, ...state.sessions.filter(({ key }) => key !== row.key)].sort((a, b) =>
    a.lastAt < b.lastAt ? 1 : -1,
  ),
});

const Empty = () => (
  <div class="empty">
    <p>Nothing was recorded yet.</p>
    <p class="quiet">
      An agent with our bridge writes here whenever hooks are asked: <code>anyhook install</code>
    </p>
  </div>
);

interface TableProps {
  readonly sessions: readonly SessionRow[];
  readonly nowMs: number;
  readonly isExport: boolean;
}
const Table = ({ sessions, nowMs, isExport }: TableProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Sessions">
    <table class="sessions">
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Project</th>
          <th scope="col">Started</th>
          <th scope="col">Last</th>
          <th scope="col" class="number">
            Calls
          </th>
          <th scope="col" class="number">
            Refused
          </th>
          <th scope="col" class="number">
            Open questions
          </th>
          <th scope="col" class="number">
            Tokens
          </th>
          <th scope="col" class="number">
            In hooks
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((row) => (
          <Row key={row.key} row={row} nowMs={nowMs} isExport={isExport} />
        ))}
      </tbody>
    </table>
  </div>
);

function Row({
  row,
  nowMs,
  isExport,
}: { readonly row: SessionRow } & Pick<TableProps, 'nowMs' | 'isExport'>) {
  const isLive = !isExport && nowMs - Date.parse(row.lastAt) < LIVE_MS;
  const numbers = row.isCounted ? '' : ' counting';
  return (
    <tr>
      <th scope="row">
        <a href={`#/session/${encodeURIComponent(row.key)}`}>
          <span class={`agent ${agentClass(row.agent)}`}>{row.agent === '' ? 'unreadable' : row.agent}</span>
        </a>
        {row.damaged > 0 && <span class="tag deny">{counted(row.damaged, 'damaged line')}</span>}
        <span class="id">{row.id}</span>
      </th>
      <td class="path" title={row.project}>
        <bdi>{row.project}</bdi>
      </td>
      <td>{moment(row.startedAt)}</td>
      <td>
        {isLive && <span class="dot on" />} {isExport ? moment(row.lastAt) : ago(row.lastAt, nowMs)}
      </td>
      <td class={`number${numbers}`} data-label="calls">
        {count(row.calls)}
      </td>
      <td class={`number${numbers}`} data-label="refused">
        {row.refusals === 0 ? <span class="nil">0</span> : <b class="deny">{count(row.refusals)}</b>}
      </td>
      <td class={`number${numbers}`} data-label="open questions">
        {row.openQuestions === 0 ? <span class="nil">0</span> : <b class="ask">{count(row.openQuestions)}</b>}
      </td>
      <td
        class={`number${numbers}`}
        data-label="tokens"
        title={row.costUsd === undefined ? undefined : dollars(row.costUsd)}
      >
        {row.tokens === undefined ? <span class="nil">–</span> : compact(row.tokens)}
      </td>
      <td class={`number${numbers}`} data-label="in hooks">
        {took(row.hookMs)}
      </td>
    </tr>
  );
}
